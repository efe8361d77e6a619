// `npm run bench`: the core's speed natively, in Node and in headless Chromium, the last two also in turbo, one after the
// other, as a table.
//
//   npm run bench                 everything, about five minutes
//   npm run bench -- --quick      training steps and matrix products only
//   npm run bench -- --json       the figures as one JSON object instead of the table
//
// Ratios to the peak of the same process count; milliseconds depend on the machine. Close what else is running.
/* global document, Worker */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { ensureChromium } from "../../wasm/setup/programs.mjs";
import { main, say } from "../../wasm/setup/say.mjs";
import { serve } from "../../wasm/setup/serve.mjs";
import { root } from "../../wasm/setup/shell.mjs";
import { relaxedSimdFlags } from "../../wasm/setup/relaxed_simd.mjs";
import { buildBench, setUpNative, setUpWeb } from "../../wasm/setup/steps.mjs";

const words = process.argv.slice(2);
const options = words.includes("--quick") ? ["--quick"] : [];
const json = words.includes("--json");
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
  const chrome = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await chrome.newPage();
    await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
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

const percent = (share) => `${Math.round(100 * share)} %`;
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

function show(results) {
  const places = Object.entries(results);
  say(
    table(
      ["size", "where", "ms/step", "tokens/s", "of peak", "matmul", "attention", "norm", "gelu", "loss", "optimizer", "other", "heap"],
      Object.keys(results.native.configs).flatMap((size) =>
        places.map(([place, { configs }]) => {
          const { ms_per_step, tokens_per_s, fraction_of_peak, parts, heap_mib } = configs[size];
          const heap = heap_mib > 0 ? `${Math.round(heap_mib)} MiB` : "";
          return [size, place, ms_per_step.toFixed(1), Math.round(tokens_per_s), percent(fraction_of_peak), ...Object.values(parts).map(percent), heap];
        }),
      ),
    ),
  );
  say("");
  say(
    table(
      ["product, share of peak", ...places.flatMap(([place]) => ["forward", "to input", "to weight"].map((form) => `${place}: ${form}`))],
      results.native.matmul.map((shape, i) => [
        `${shape.rows} rows, ${shape.in} to ${shape.out}`,
        ...places.flatMap(([, { matmul }]) => [matmul[i].forward, matmul[i].to_input, matmul[i].to_weight].map(percent)),
      ]),
    ),
  );
  for (const [place, { peak_gflops, generation, schemes, scaling }] of places) {
    say("");
    say(`${place}: peak ${peak_gflops.toFixed(1)} GFLOP/s`);
    if (!generation) continue;
    say(
      `  generation at nano: ${generation.cached_tokens_per_s} tokens/s with the cache, ${generation.uncached_tokens_per_s} without; ` +
        `at block length one token is ${generation.speedup_at_block_length} times as fast`,
    );
    say(`  lab, ms/step by scheme: ${Object.entries(schemes).map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(", ")}`);
    say(`  growth of a step: ${scaling.slice(1).map((s) => `${s.what} ${s.times} (formula ${s.times_by_formula})`).join(", ")}`);
  }
}

const measures = {
  native,
  node: () => node(false),
  "node, turbo": () => node(true),
  chromium: () => browser(false),
  "chromium, turbo": () => browser(true),
};

await main(async () => {
  const emscripten = await setUpWeb();
  await setUpNative();
  await buildBench(emscripten);
  const results = {};
  for (const [place, measure] of Object.entries(measures)) results[place] = await measure();
  if (json) console.log(JSON.stringify(results, undefined, 2));
  else show(results);
});
