// `npm run bench`: the core's speed natively, in Node and in headless Chromium, the last two also in turbo, one after the
// other, as a table.
//
//   npm run bench                 everything, 25 to 35 minutes; also writes the table in README.md
//   npm run bench -- --quick      training steps and matrix products only, ten to fifteen minutes; README.md stays as it is
//   npm run bench -- --json       the figures as one JSON object instead of the table
//
// Ratios to the peak of the same process count; milliseconds depend on the machine. Close what else is running. Each of
// them runs on the core that is fastest just before; the page has all cores, as for a reader.
/* global document, Worker */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureChromium } from "../../wasm/setup/programs.mjs";
import { main, say, sayBesideOutput, Stop, wordsGiven } from "../../wasm/setup/say.mjs";
import { serve } from "../../wasm/setup/serve.mjs";
import { root } from "../../wasm/setup/shell.mjs";
import { relaxedSimdFlags } from "../../wasm/setup/relaxed_simd.mjs";
import { buildBench, buildSite, buildWasm, setUpNative, setUpWeb } from "../../wasm/setup/steps.mjs";
import { onQuietestCore } from "./quiet_core.mjs";

let quick = false;
let options = [];
const run = promisify(execFile);

const parse = ({ stdout }) => JSON.parse(stdout);

async function native() {
  return parse(await run(join(root, "build/native/tests/poslab_bench"), options));
}

const moduleOf = (turbo) => (turbo ? "poslab_turbo_bench.mjs" : "poslab_bench.mjs");

async function node(turbo) {
  // The module prints while it is made; main returns when all is measured.
  const script = `
    const { default: create } = await import(${JSON.stringify(join(root, "build/wasm/tests", moduleOf(turbo)))});
    await create({ arguments: ${JSON.stringify(options)} });`;
  return parse(await run(process.execPath, [...(await relaxedSimdFlags()), "--input-type=module", "--eval", script]));
}

async function browser(turbo) {
  const server = await serve(join(root, "build/wasm/tests"), 0);
  // Not before the packages are there, which this program installs.
  const { chromium } = await import("@playwright/test");
  const chrome = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await chrome.newPage();
    // An isolated page's clock ticks every 5 microseconds, another's every 100. The core shares no memory in either.
    const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
    await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", headers, body: "<!doctype html>" }));
    await page.goto(`${server.address}blank.html`);
    // In a worker, as on the page: the main thread may be interrupted for the sake of responsiveness.
    const text = await page.evaluate(
      ({ options, module }) =>
        new Promise((done, fail) => {
          const code = `
            const { default: create } = await import(${JSON.stringify(new URL(module, document.baseURI).href)});
            let text = "";
            await create({ arguments: ${JSON.stringify(options)}, print: (line) => (text += line) });
            postMessage(text);`;
          const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
          worker.onmessage = (event) => done(event.data);
          worker.onerror = (event) => fail(new Error(event.message));
        }),
      { options, module: moduleOf(turbo) },
    );
    return JSON.parse(text);
  } finally {
    await chrome.close();
    server.close();
  }
}

/** The figures of another benchmark, which needs the built page. */
async function figuresOf(script) {
  return parse(await run(process.execPath, [join(root, "tests/bench", script), "--json"], { cwd: root }));
}

const places = {
  native,
  node: () => node(false),
  "node, turbo": () => node(true),
  chromium: () => browser(false),
  "chromium, turbo": () => browser(true),
};

const percent = (share) => `${Math.round(100 * share)} %`;

const forms = ["forward", "to_input", "to_weight"];

const fastestProduct = (shapes) => Math.max(...shapes.flatMap((shape) => forms.map((form) => shape[form])));

/** A place's figures. Where a product is faster than the peak, that peak is wrong, and so are all shares of it: measures
 * once more, and then stops. */
async function measureAt(place, measureThere) {
  for (let attempt = 1; ; ++attempt) {
    const figures = await onQuietestCore((where) => {
      console.error(`Measuring: ${place}${where}.`);
      return measureThere();
    });
    const fastest = fastestProduct(figures.matmul);
    if (fastest <= 1) return figures;
    const wrong = `${place}: a product ran at ${percent(fastest)} of the peak, so the peak is wrong.`;
    if (attempt === 2) throw new Stop(wrong, "close what else is running and measure again.");
    console.error(`${wrong} Once more.`);
  }
}

/** All figures: first by what was measured, then by where. */
async function measure() {
  const results = { machine: `${cpus()[0]?.model}, ${availableParallelism()} cores`, peak_gflops: {}, configs: {} };
  for (const [place, measureThere] of Object.entries(places)) {
    const { peak_gflops, configs, ...others } = await measureAt(place, measureThere);
    results.peak_gflops[place] = peak_gflops;
    for (const [size, figures] of Object.entries(configs)) (results.configs[size] ??= {})[place] = figures;
    for (const [what, figures] of Object.entries(others)) (results[what] ??= {})[place] = figures;
  }
  if (!quick) {
    console.error("Measuring: the page.");
    Object.assign(results, { workers: await figuresOf("workers.mjs"), page: await figuresOf("page.mjs") });
  }
  return results;
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

function stepTable({ configs }) {
  const parts = Object.keys(configs.nano.native.parts);
  return table(
    ["size", "where", "ms/step", "tokens/s", "of peak", ...parts, "heap"],
    Object.entries(configs).flatMap(([size, there]) =>
      Object.entries(there).map(([place, { ms_per_step, tokens_per_s, fraction_of_peak, parts, heap_mib }]) => {
        const heap = heap_mib > 0 ? `${Math.round(heap_mib)} MiB` : "";
        return [size, place, ms_per_step.toFixed(1), Math.round(tokens_per_s), percent(fraction_of_peak), ...Object.values(parts).map(percent), heap];
      }),
    ),
  );
}

function formulaSentence({ configs }) {
  const sizes = Object.entries(configs).map(([size, { native }]) => `${native.gflop.toFixed(2)} GFLOP at ${size}`);
  return (
    `By formula the matrix products of a step, forward and backward, causal attention as the half it is, take ${sizes.join(", ")}; ` +
    `“of peak” is how fast that makes them.`
  );
}

function productTable({ matmul }) {
  return table(
    ["product at its fastest, share of peak", ...Object.keys(matmul).flatMap((place) => forms.map((form) => `${place}: ${form.replace("_", " ")}`))],
    matmul.native.map(({ rows, in: from, out }, i) => [
      `${rows} rows, ${from} to ${out}`,
      ...Object.values(matmul).flatMap((shapes) => forms.map((form) => percent(shapes[i][form]))),
    ]),
  );
}

function workerTable({ workers }) {
  const counts = Object.keys(workers);
  return table(
    ["one run in the page", ...counts.map((count) => `${count} worker${count > 1 ? "s" : ""}, ms/step (times as fast)`)],
    Object.keys(workers[1]).map((size) => [
      size,
      ...counts.map((count) => `${workers[count][size].ms_per_step.toFixed(1)} (${workers[count][size].times_as_fast.toFixed(2)})`),
    ]),
  );
}

function pageSentence({ page: { weight, first_paint_ms, first_step_ms, training, heatmap_ms } }) {
  const cost = ({ cost, error }) => `${(100 * cost).toFixed(1)} ± ${(100 * error).toFixed(1)} %`;
  return (
    `The page: script ${weight.js.toFixed(0)} kB and module ${weight.wasm.toFixed(0)} kB gzipped, first paint after ` +
    `${first_paint_ms.toFixed(0)} ms, first step ${first_step_ms.toFixed(0)} ms after the click on Train. With all panels awake ` +
    `in a window of 1280 × 800 a step takes ${cost(training.reader)} longer than in a bare worker, with all of them on screen ` +
    `at once ${cost(training.everything)}; a matrix of 512 × 512 is drawn in ` +
    `${heatmap_ms.toFixed(1)} ms.`
  );
}

function* details({ peak_gflops, matmul, generation, schemes, scaling }) {
  for (const [place, peak] of Object.entries(peak_gflops)) {
    yield `${place}: peak ${peak.toFixed(1)} GFLOP/s, the fastest product at ${percent(fastestProduct(matmul[place]))} of the peak`;
    if (quick) continue;
    const { cached_tokens_per_s, uncached_tokens_per_s, speedup_at_block_length } = generation[place];
    yield `  generation at nano: ${cached_tokens_per_s} tokens/s with the cache, ${uncached_tokens_per_s} without; ` +
      `at block length one token is ${speedup_at_block_length} times as fast`;
    yield `  lab, ms/step by scheme: ${Object.entries(schemes[place]).map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(", ")}`;
    yield `  growth of a step: ${scaling[place].slice(1).map((s) => `${s.what} ${s.times} (formula ${s.times_by_formula})`).join(", ")}`;
  }
}

/** Puts the main figures between the two marks in README.md. */
function writeReadme(results) {
  const { generation, machine } = results;
  const path = join(root, "README.md");
  const speedup = Math.round(generation.chromium.speedup_at_block_length);
  const lines = [
    `On ${machine}; peak is what additions and products of four lanes reach in the same process:`,
    stepTable(results),
    formulaSentence(results),
    workerTable(results),
    `${pageSentence(results)} At block length the cache makes generation at nano ${speedup} times as fast.`,
  ];
  const readme = readFileSync(path, "utf8");
  writeFileSync(path, readme.replace(/(<!-- bench -->).*(<!-- \/bench -->)/s, (_, from, to) => [from, ...lines, to].join("\n\n")));
}

await main(async () => {
  const words = wordsGiven(["--quick", "--json"]);
  const json = words.includes("--json");
  quick = words.includes("--quick");
  options = quick ? ["--quick"] : [];
  if (json) sayBesideOutput();
  const emscripten = await setUpWeb();
  await setUpNative();
  await buildBench(emscripten);
  if (!quick) {
    await buildWasm(emscripten);
    await buildSite();
  }
  const results = await measure();
  if (!quick) writeReadme(results);
  if (json) return console.log(JSON.stringify(results, undefined, 2));
  say([stepTable(results), formulaSentence(results), productTable(results), [...details(results)].join("\n")].join("\n\n"));
  if (!quick) say(["", workerTable(results), pageSentence(results)].join("\n\n"));
});
