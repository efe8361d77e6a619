// `npm test`: all suites, one after the other, whatever fails, and one closing line over all.
// --lint adds the lint checks, --asan the core's tests under the sanitizers; a word selects suites by name.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, start } from "./shell.mjs";
import { main, say, seconds, Stop, wordsGiven } from "./say.mjs";
import { ensureChromium, findEngines } from "./programs.mjs";
import { relaxedSimdFlags } from "./relaxed_simd.mjs";
import { sources } from "./sources.mjs";
import { lint } from "./lint.mjs";
import * as steps from "./steps.mjs";

const results = join(root, "build", "results");
const count = (value) => Number(value ?? 0);

/** Catch2's own console output to show, its XML report to count. */
async function catch2(name, command, args = []) {
  const report = join(results, `${name}.xml`);
  const reporters = ["-r", "console::colour-mode=none", "-r", `xml::out=${report}`];
  const { code, output } = await start(command, [...args, ...reporters]);
  const xml = existsSync(report) ? readFileSync(report, "utf8") : "";
  const cases = xml.match(/<OverallResultsCases successes="(\d+)" failures="(\d+)" expectedFailures="(\d+)"(?: skips="(\d+)")?/);
  const [, passed, failed, expected, skipped] = (cases ?? []).map(count);
  return { code, output, passed: passed + expected || 0, failed: count(failed), skipped: count(skipped) };
}

async function native(preset) {
  await steps.setUpNative();
  await steps.buildNative(preset);
  return catch2(preset, join(root, "build", preset, "tests", "poslab_tests"));
}

async function wasmCore() {
  await steps.buildWasmTests(await steps.setUpWeb(), "poslab_tests");
  return catch2("wasm", process.execPath, [join(root, "build/wasm/tests/poslab_tests.cjs")]);
}

async function wasmTurbo() {
  await steps.buildWasmTests(await steps.setUpWeb(), "poslab_turbo_tests");
  const program = join(root, "build/wasm/tests/poslab_turbo_tests.cjs");
  // Turbo rounds a product and its sum together, so it has other bits on purpose.
  const args = [...(await relaxedSimdFlags()), program, "~[same-bits]"];
  return catch2("turbo", process.execPath, args);
}

/** Runs the *.test.mjs of a folder with Node's own test runner. */
async function nodeTests(folder, env) {
  const files = sources([folder], /\.test\.mjs$/);
  const { code, output } = await start(process.execPath, ["--test", "--test-reporter=spec", ...files], { env });
  const read = (word) => count(output.match(new RegExp(`^\\S+ ${word} (\\d+)$`, "m"))?.[1]);
  return { code, output, passed: read("pass"), failed: read("fail"), skipped: read("skipped") + read("todo") };
}

async function nodeApi() {
  await steps.buildWasm(await steps.setUpWeb());
  await steps.buildLibrary();
  return nodeTests("tests/wasm");
}

async function engines() {
  await steps.buildWasm(await steps.setUpWeb());
  await steps.buildSite();
  const env = {};
  for (const { program, variable, missing } of Object.values(await findEngines())) {
    if (program) env[variable] = program;
    else say(missing);
  }
  return nodeTests("tests/engines", env);
}

async function jsonReport(file, args, env) {
  const { code, output } = await start(process.execPath, args, { env });
  return { code, output, report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {} };
}

async function webUnits() {
  await steps.ensurePackages();
  const file = join(results, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const args = [steps.packageProgram("vitest"), "run", "--config", "vitest.config.mjs", ...reporters];
  const { code, output, report } = await jsonReport(file, args, { NO_COLOR: "1" });
  const { numPassedTests, numFailedTests, numPendingTests } = report;
  return { code, output, passed: count(numPassedTests), failed: count(numFailedTests), skipped: count(numPendingTests) };
}

async function browser() {
  await steps.buildWasm(await steps.setUpWeb());
  await steps.buildSite();
  const chromium = await ensureChromium();
  const file = join(results, "playwright.json");
  const args = [steps.packageProgram("@playwright/test", "playwright"), "test", "--reporter=list,json"];
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, POSLAB_CHROMIUM: chromium, FORCE_COLOR: "0" };
  const { code, output, report } = await jsonReport(file, args, env);
  const { expected, unexpected, flaky, skipped } = report.stats ?? {};
  return { code, output, passed: count(expected), failed: count(unexpected) + count(flaky), skipped: count(skipped) };
}

const suites = {
  lint: { title: "lint: form, types, architecture", run: async () => ({ code: 0, ...(await lint()) }), only: "--lint" },
  native: { title: "core, native", run: () => native("native") },
  scalar: { title: "core, native with scalar vectors", run: () => native("native-scalar") },
  asan: { title: "core, native under the sanitizers", run: () => native("asan"), only: "--asan" },
  wasm: { title: "core, WebAssembly in Node", run: wasmCore },
  turbo: { title: "core, WebAssembly in turbo in Node", run: wasmTurbo },
  node: { title: "package, in Node", run: nodeApi },
  web: { title: "page, units", run: webUnits },
  browser: { title: "page, in headless Chromium", run: browser },
  engines: { title: "same bits, turbo and page, in Chromium, Firefox and WebKit", run: engines },
};

/** A crash in minified code prints the whole file as one line: nobody wants to read that. */
const shorten = (text) => text.trimEnd().replace(/^.{600,}$/gm, (line) => `${line.slice(0, 300)} …`);

async function runSuite({ title, run }) {
  const began = performance.now();
  let result;
  try {
    result = await run();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const output = `Cannot go on: ${error.message}\nWhat helps:   ${error.command}`;
    result = { code: 1, output, passed: 0, failed: 0, skipped: 0 };
  }
  // A suite that ended badly, or ran nothing, without naming a failed test has failed as a whole.
  const { code, output, passed, skipped } = result;
  const failed = result.failed || (code !== 0 || passed + skipped === 0 ? 1 : 0);
  if (failed > 0) console.error(shorten(output));
  const also = skipped > 0 ? `, ${skipped} skipped` : "";
  say(`${failed > 0 ? "✗" : "✓"} ${title}: ${passed} passed, ${failed} failed${also} (${seconds(began)})`);
  return { passed, failed, skipped };
}

await main(async () => {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const words = wordsGiven([...Object.keys(suites), "--lint", "--asan"]);
  const names = words.filter((word) => !word.startsWith("--"));
  const chosen = Object.entries(suites).filter(([name, { only }]) =>
    names.length > 0 ? names.includes(name) : !only || words.includes(only),
  );
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [, suite] of chosen) {
    const result = await runSuite(suite);
    for (const key of Object.keys(total)) total[key] += result[key];
  }
  const also = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
  say(`${total.passed} passed, ${total.failed} failed${also}`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});
