// What the built page weighs and how fast it is, in headless Chromium.
//
//   node tests/bench/page.mjs              after `npm run build`; about two minutes
//   node tests/bench/page.mjs --json       the figures as one JSON object instead of sentences
//
// Nothing is asserted: times depend on the machine. Close what else is running.
/* global canvas, document, drawing, requestAnimationFrame, Worker */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { ensureChromium } from "../../wasm/setup/programs.mjs";
import { main, say, Stop } from "../../wasm/setup/say.mjs";
import { serve } from "../../wasm/setup/serve.mjs";
import { root } from "../../wasm/setup/shell.mjs";

const visits = 5;
const legs = 5;
const legSteps = 100;
const redraws = 30;
const side = 512;
const dist = join(root, "dist");

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
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

/** The whole page, every panel on screen, with one run; `train` lets it run some steps and gives milliseconds per step. */
async function openPage(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 20_000 } });
  await page.addInitScript(() => {
    // The page's own messages say when which step was reached.
    globalThis.marks = [];
    globalThis.settings = undefined;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.type === "create") {
        const { config, training, text } = message.settings;
        globalThis.settings = { config, training, text };
        this.addEventListener("message", ({ data }) => {
          if (data.type === "progress") globalThis.marks.push({ time: performance.now(), phase: data.phase, step: data.step });
        });
      }
      return postMessage.call(this, message, ...rest);
    };
  });
  // One worker, as the bare one: else helpers would hide what the page costs.
  await page.goto(`${address}?schemes=learned&workers=1`);
  await page.locator("poslab-checklist[awake]").waitFor();
  const main = page.locator("poslab-race button.primary");
  const train = async (steps) => {
    const from = await page.evaluate(() => globalThis.marks.splice(0).at(-1)?.step ?? 0);
    await main.click();
    await page.waitForFunction((step) => globalThis.marks.at(-1)?.step >= step, from + steps, { timeout: 0, polling: 200 });
    await main.click();
    await page.waitForFunction(() => globalThis.marks.at(-1).phase === "paused");
    return page.evaluate(() => {
      const first = globalThis.marks.find(({ phase }) => phase === "running");
      const last = globalThis.marks.at(-1);
      return (last.time - first.time) / (last.step - first.step);
    });
  };
  return { train, settings: () => page.evaluate(() => globalThis.settings), close: () => page.close() };
}

/** A worker that does nothing but train the same model. */
async function openBareWorker(browser, modules, settings) {
  const page = await browser.newPage();
  await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(`${modules}blank.html`);
  await page.evaluate(
    ({ module, settings }) => {
      const code = `
        const { default: create } = await import(${JSON.stringify(module)});
        const core = await create();
        const { config, training, text } = ${JSON.stringify(settings)};
        const session = new core.Session(text, { ...core.default_config(), ...config });
        session.begin_training({ ...core.default_training(), ...training });
        onmessage = ({ data: steps }) => {
          const began = performance.now();
          for (let step = 0; step < steps; ++step) session.step();
          postMessage((performance.now() - began) / steps);
        };
        postMessage("ready");`;
      globalThis.bare = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
      return new Promise((done, fail) => {
        globalThis.bare.onmessage = () => done();
        globalThis.bare.onerror = ({ message }) => fail(new Error(message));
      });
    },
    { module: `${modules}poslab.mjs`, settings },
  );
  const train = (steps) =>
    page.evaluate(
      (steps) =>
        new Promise((done) => {
          globalThis.bare.onmessage = ({ data }) => done(data);
          globalThis.bare.postMessage(steps);
        }),
      steps,
    );
  return { train, close: () => page.close() };
}

/** What an open page costs its training: one run at the page's own settings, in turns with a bare worker. */
async function compareTraining(browser, address, modules) {
  const page = await openPage(browser, address);
  await page.train(10);
  const bare = await openBareWorker(browser, modules, await page.settings());
  await bare.train(10);
  const times = { page: [], bare: [] };
  for (let leg = 0; leg < legs; ++leg) {
    times.page.push(await page.train(legSteps));
    times.bare.push(await bare.train(legSteps));
  }
  await page.close();
  await bare.close();
  const [inPage, alone] = [median(times.page), median(times.bare)];
  return { page_ms_per_step: inPage, bare_ms_per_step: alone, cost: inPage / alone - 1, legs: times };
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
  say(
    `A training step with the whole page on screen: ${training.page_ms_per_step.toFixed(2)} ms, in a bare worker ` +
      `${training.bare_ms_per_step.toFixed(2)} ms; the page costs ${(100 * training.cost).toFixed(1)} % (at most 2 wanted)`,
  );
  say(`Drawing a ${side} × ${side} matrix: ${heatmap_ms.toFixed(1)} ms (one frame, 16.7, wanted)`);
}

await main(async () => {
  let weight;
  try {
    weight = weigh();
  } catch (error) {
    throw new Stop(`dist/ cannot be read: ${error.message}`, "run `npm run build`, then the same command again.");
  }
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  const [site, modules] = await Promise.all([serve(dist, 0), serve(join(root, "build/wasm"), 0)]);
  try {
    const page = {
      weight,
      ...(await timeVisits(browser, site.address)),
      training: await compareTraining(browser, site.address, modules.address),
      heatmap_ms: await timeHeatmap(browser),
    };
    if (process.argv.includes("--json")) console.log(JSON.stringify(page, undefined, 2));
    else show(page);
  } finally {
    await browser.close();
    site.close();
    modules.close();
  }
});
