// What the built page weighs and how fast it is, in headless Chromium.
//
//   node tests/bench/page.mjs              after `npm run build`; about six minutes
//   node tests/bench/page.mjs --json       the figures as one JSON object instead of sentences
//
// What an open page costs its training is measured in two views of the whole page with every panel awake: as a reader has
// it, in a window of 1280 × 800 at the race, and with every panel on screen at once, which takes a window 20 000 pixels
// high and more drawing than any reader sees. The run's worker trains some steps for the page, which shows them and asks
// what it wants to, then some as a bare worker, which does nothing else. It is the same worker, since even two bare ones
// differ by two percent, by where their memory lies. Its speed changes from second to second, too. So legs are short and
// take turns, every round begins with another kind, and the median of the rounds counts. Nobody asks the page for anything
// during a leg, since that would be counted as its cost.
//
// Nothing is asserted: times depend on the machine. Close what else is running.
/* global addEventListener, canvas, document, drawing, postMessage, requestAnimationFrame, Worker */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { main, say, wordsGiven } from "../../wasm/setup/say.mjs";
import { root } from "../../wasm/setup/shell.mjs";
import { dist, onBuiltPage } from "./built_page.mjs";

const visits = 5;
const trainings = 6;
// The legs of all rounds of a training, of which the page's end with a report, together stay below the 1500 steps of the
// page's own settings.
const rounds = 7;
const legSteps = 50;
const redraws = 30;
const side = 512;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Standard error of the median, from the quartiles, as if the values had a normal distribution. */
function errorOfMedian(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const quartile = (which) => sorted[Math.floor((which * sorted.length) / 4)];
  return (1.25 * (quartile(3) - quartile(1))) / 1.35 / Math.sqrt(values.length);
}

/** Kilobytes, gzipped, of what a visit fetches at once, of what training fetches, and of what only some readers ask for. */
function weigh() {
  const kilobytes = (path) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length / 1000;
  const assets = Object.fromEntries(
    readdirSync(join(dist, "assets")).map((file) => [file.replace(/-\w+\.js$/, ""), kilobytes(`assets/${file}`)]),
  );
  const { wasm, ...later } = assets;
  return { html: kilobytes("index.html"), css: kilobytes("styles/page.css"), js: kilobytes("poslab.js"), wasm, later };
}

/** Milliseconds from navigation to the first contentful paint, and from the click on "Train" to the first step shown. */
async function timeVisits(browser, address) {
  const paints = [];
  const steps = [];
  for (let visit = 0; visit < visits; ++visit) {
    const page = await browser.newPage();
    await page.goto(`${address}?schemes=learned`);
    await page.locator("poslab-race").scrollIntoViewIfNeeded();
    await page.locator("poslab-race button.primary").waitFor();
    const times = await page.evaluate(async () => {
      const panel = document.querySelector("poslab-race");
      const button = panel.shadowRoot.querySelector("button.primary");
      const began = performance.now();
      button.click();
      while (!(panel.shadowRoot.querySelector("progress")?.value >= 1)) await new Promise(requestAnimationFrame);
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      return { paint: paint.startTime, step: performance.now() - began };
    });
    paints.push(times.paint);
    steps.push(times.step);
    await page.close();
  }
  return { first_paint_ms: median(paints), first_step_ms: median(steps) };
}

const views = { reader: { width: 1280, height: 800 }, everything: { width: 1280, height: 20_000 } };

/** Goes before the code of every worker: keeps hold of the model, and trains it when told so from outside the page. */
function bareTraining() {
  let session;
  let method;
  // The module assigns its methods to their classes, and so to this property; no other class has one of this name.
  Object.defineProperty(Object.prototype, "begin_training", {
    get: () => method,
    set(made) {
      method = function (...given) {
        session = this;
        return made.apply(this, given);
      };
    },
  });
  addEventListener("message", (event) => {
    const { type, steps } = event.data;
    if (type !== "bare") return;
    event.stopImmediatePropagation();
    const began = performance.now();
    for (let step = 0; step < steps; ++step) session.step();
    postMessage({ type, steps, ms: performance.now() - began });
  });
}

/** The whole page with one run. Trains some steps in a view, or in the bare worker, and gives how many and their time. */
async function openPage(browser, address) {
  const page = await browser.newPage({ viewport: views.everything });
  await page.addInitScript((before) => {
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => createObjectURL(new Blob([before, blob], { type: blob.type }));
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener("message", (event) => {
          const { type } = event.data;
          if (type === "created") globalThis.runWorker = this;
          if (type === "progress") globalThis.onProgress(event.data, performance.now());
          if (type === "bare") {
            event.stopImmediatePropagation();
            globalThis.onBare(event.data);
          }
        });
      }
    };
    globalThis.onProgress = () => {};
  }, `(${bareTraining})();`);
  // One worker, so that helpers do not hide what the page costs.
  await page.goto(`${address}?schemes=learned&workers=1`);
  await page.locator("poslab-checklist[awake]").waitFor();
  const train = async (view, steps) => {
    await page.setViewportSize(views[view]);
    return page.evaluate(async (steps) => {
      const race = document.querySelector("poslab-race");
      const main = () => race.shadowRoot.querySelector("button.primary");
      race.scrollIntoView();
      // The page has come to rest when the button says what the run's last message brought.
      do await new Promise((done) => setTimeout(done, 500));
      while (!/Train|Resume/.test(main().textContent));
      return new Promise((done, fail) => {
        let began;
        // The losses count the steps: the run does not know of those that its worker made as a bare one.
        let made = 0;
        globalThis.onProgress = ({ phase, losses }, time) => {
          made += losses.length;
          if (phase === "running") began ??= time;
          if (phase === "running" && made >= steps) main().click();
          if (phase === "paused") done({ steps: made, ms: time - began });
          if (phase === "evaluating") fail(new Error("The training ended before its last leg did."));
        };
        main().click();
      });
    }, steps);
  };
  const trainBare = (steps) =>
    page.evaluate(
      (steps) =>
        new Promise((done) => {
          globalThis.onBare = done;
          globalThis.runWorker.postMessage({ type: "bare", steps });
        }),
      steps,
    );
  return { train, trainBare, close: () => page.close() };
}

/** Milliseconds of a step in each view and in the bare worker, in the rounds of one visit. */
async function timeTraining(browser, address) {
  const page = await openPage(browser, address);
  await page.train("everything", legSteps);
  const order = [...Object.keys(views), "bare"];
  const times = [];
  while (times.length < rounds) {
    const round = {};
    for (const kind of order) {
      const { steps, ms } = await (kind === "bare" ? page.trainBare(legSteps) : page.train(kind, legSteps));
      round[kind] = ms / steps;
    }
    times.push(round);
    order.push(order.shift());
  }
  await page.close();
  return times;
}

/** What an open page costs its training, at the page's own settings. */
async function compareTraining(browser, address) {
  const times = [];
  for (let visit = 0; visit < trainings; ++visit) times.push(...(await timeTraining(browser, address)));
  const all = (kind) => median(times.map((round) => round[kind]));
  const costs = Object.keys(views).map((view) => {
    const costs = times.map((round) => round[view] / round.bare - 1);
    return [view, { ms_per_step: all(view), cost: median(costs), error: errorOfMedian(costs), rounds: costs }];
  });
  return { bare_ms_per_step: all("bare"), ...Object.fromEntries(costs) };
}

/** The page's drawing code as one script. */
async function bundleDrawing() {
  const entry = join(root, "web/draw/heatmap.ts");
  const scales = join(root, "web/draw/scales.ts");
  const code = `export { drawHeatmap } from ${JSON.stringify(entry)}; export { divergingScale } from ${JSON.stringify(scales)};`;
  const id = "\0drawing";
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    plugins: [{ name: "drawing", resolveId: (name) => (name === "drawing" ? id : undefined), load: (name) => (name === id ? code : undefined) }],
    build: { write: false, target: "es2022", rolldownOptions: { input: "drawing", preserveEntrySignatures: "strict", output: { format: "iife", name: "drawing" } } },
  });
  return output[0].code;
}

/** Milliseconds to draw a fresh 512 × 512 matrix until its pixels are there. */
async function timeHeatmap(browser) {
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundleDrawing() });
  const times = await page.evaluate(
    ({ side, redraws }) => {
      document.body.innerHTML = '<canvas id="canvas" width="800" height="800"></canvas>';
      const context = canvas.getContext("2d");
      const theme = { ink: "#222", faint: "#888", font: "sans-serif" };
      const box = { x: 0, y: 0, width: 800, height: 800 };
      const times = [];
      for (let i = 0; i < redraws; ++i) {
        const values = Float32Array.from({ length: side * side }, (_, cell) => Math.sin(cell * 0.01 + i));
        const data = { rows: side, cols: side, values, scale: drawing.divergingScale(1), rowTitle: "rows", colTitle: "columns" };
        const began = performance.now();
        drawing.drawHeatmap(context, data, box, theme);
        context.getImageData(400, 400, 1, 1); // waits for the pixels
        times.push(performance.now() - began);
      }
      return times;
    },
    { side, redraws },
  );
  await page.close();
  return median(times);
}

function show({ weight, first_paint_ms, first_step_ms, training, heatmap_ms }) {
  const kilobytes = (value) => `${value.toFixed(1)} kB`;
  say("Weight, gzipped:");
  say(`  first visit: script ${kilobytes(weight.js)} (at most 130 wanted), page ${kilobytes(weight.html)}, styles ${kilobytes(weight.css)}`);
  say(`  first computation: wasm module ${kilobytes(weight.wasm)} (at most 150 wanted)`);
  say(`  when asked for: ${Object.entries(weight.later).map(([name, value]) => `${name} ${kilobytes(value)}`).join(", ")}`);
  say(`From navigation to the first contentful paint: ${first_paint_ms.toFixed(0)} ms`);
  say(`From the click on "Train" to the first step shown: ${first_step_ms.toFixed(0)} ms`);
  const cost = ({ ms_per_step, cost, error }) =>
    `${ms_per_step.toFixed(2)} ms, ${(100 * cost).toFixed(1)} ± ${(100 * error).toFixed(1)} % more`;
  say(`A training step in a bare worker: ${training.bare_ms_per_step.toFixed(2)} ms`);
  say(`  in a reader's window: ${cost(training.reader)} (at most 2 wanted)`);
  say(`  with every panel on screen: ${cost(training.everything)}`);
  say(`Drawing a ${side} × ${side} matrix: ${heatmap_ms.toFixed(1)} ms (one frame, 16.7, wanted)`);
}

await main(async () => {
  const json = wordsGiven(["--json"]).length > 0;
  const page = await onBuiltPage(async (browser, address) => ({
    weight: weigh(),
    ...(await timeVisits(browser, address)),
    training: await compareTraining(browser, address),
    heatmap_ms: await timeHeatmap(browser),
  }));
  if (json) console.log(JSON.stringify(page, undefined, 2));
  else show(page);
});
