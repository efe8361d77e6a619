// What a student does with the built page, for the scripts that drive it in any engine.

const patienceMs = 60_000;

async function until(what, holds) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = holds();
    if (found) return found;
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}. ${globalThis.complaints.join(" ")}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Every canvas below a root, through shadow roots. */
function* canvasesBelow(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element instanceof HTMLCanvasElement) yield element;
    if (element.shadowRoot) yield* canvasesBelow(element.shadowRoot);
  }
}

function isPainted(canvas) {
  const { width, height } = canvas;
  return width > 0 && height > 0 && canvas.getContext("2d").getImageData(0, 0, width, height).data.some(Boolean);
}

/** These draw matrices as soon as there is a trained model. */
const drawing = ["poslab-attention", "poslab-learned", "poslab-sinusoid"];

/** Scrolls to a panel and waits until it and its drawings are there. */
export async function readOn(panel) {
  panel.scrollIntoView();
  await until(`${panel.localName} is drawn`, () => {
    if (!panel.shadowRoot?.querySelector("figure, form, section, fieldset")) return false;
    const canvases = [...canvasesBelow(panel.shadowRoot)].filter((canvas) => canvas.checkVisibility());
    return canvases.every(isPainted) && (canvases.length > 0 || !drawing.includes(panel.localName));
  });
  return panel.localName;
}

function weightsHash(worker) {
  const id = 1_000_000; // beyond the page's own questions
  return new Promise((done) => {
    worker.addEventListener("message", ({ data }) => {
      if (data.type === "answer" && data.id === id) done(data.value);
    });
    worker.postMessage({ type: "ask", id, ask: { question: "weights_hash" } });
  });
}

/** Trains the models that the address names; resolves to the race's panel and what they came to. */
export async function race() {
  const panel = await until("the race is there", () => document.querySelector("poslab-race"));
  await readOn(panel);
  panel.shadowRoot.querySelector("button.primary").click();
  const runs = () => [...panel.shadowRoot.querySelectorAll(".run")];
  await until("the race is over", () => runs().length > 0 && runs().every(({ dataset }) => dataset.state === "finished"));
  const trained = globalThis.trainings.map(async ({ worker, message: { settings: { config, training } } }) => ({
    config,
    training,
    hash: await weightsHash(worker),
  }));
  return {
    panel,
    schemes: [...panel.shadowRoot.querySelectorAll('input[name="schemes"]')].map(({ value }) => value),
    trained: await Promise.all(trained),
    samples: [...panel.shadowRoot.querySelectorAll(".sample pre")].map(({ textContent }) => textContent),
  };
}
