// Does in the built page what a student does: trains two models, then reads on to the page's end; and reports what the
// models and the panels came to.
import { report } from "/engines/report.js";

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
async function readOn(panel) {
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

async function race() {
  const panel = document.querySelector("poslab-race");
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
    schemes: [...panel.shadowRoot.querySelectorAll('input[name="schemes"]')].map(({ value }) => value),
    trained: await Promise.all(trained),
    samples: [...panel.shadowRoot.querySelectorAll(".sample pre")].map(({ textContent }) => textContent),
  };
}

report(async () => {
  const found = await race();
  const panels = [];
  for (const panel of document.querySelectorAll("*")) {
    if (panel.localName.startsWith("poslab-")) panels.push(await readOn(panel));
  }
  return { ...found, panels, complaints: globalThis.complaints };
});
