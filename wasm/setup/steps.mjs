// The steps that the commands share, each one idle when its result is already there.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, windows } from "./shell.mjs";
import { ensureEmscripten, emscriptenEnv } from "./emscripten.mjs";
import { ensureCatch2, ensureXtensor } from "./libraries.mjs";
import { ensurePrograms } from "./programs.mjs";
import { sources } from "./sources.mjs";
import { whenStale } from "./stamp.mjs";
import { say, seconds } from "./say.mjs";

const jobs = ["--parallel", "2"];
// A newer compiler's new warning must not stop a newcomer; in continuous integration all count.
const strict = `-DCMAKE_COMPILE_WARNING_AS_ERROR=${process.env.CI ? "ON" : "OFF"}`;

function npm(args, options) {
  // npm tells the scripts it runs where it lies; without it, npm is taken from PATH.
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) return run(process.execPath, [cli, ...args], options);
  return run(windows ? "npm.cmd" : "npm", args, options);
}

/** Compares what is installed with the lock file, package by package. */
function packagesAreCurrent() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  const have = read(installed);
  return Object.entries(read(join(root, "package-lock.json"))).every(
    ([path, { version, optional, devOptional }]) =>
      path === "" || optional || devOptional || have[path]?.version === version,
  );
}

export async function ensurePackages() {
  if (packagesAreCurrent()) return;
  const began = performance.now();
  say("Installing the npm packages.");
  await npm(["ci", "--no-audit", "--no-fund"], {
    cause: "npm could not install the packages of package-lock.json.",
    help: "check the network and run `npm ci`, then the same command again.",
  });
  say(`The npm packages are installed (${seconds(began)}).`);
}

/** Runs a program of an installed npm package, through its JavaScript file. */
export function packageProgram(name, program = name) {
  const folder = join(root, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[program]);
}

/** Everything that building for the web needs; no native compiler among it. */
export async function setUpWeb() {
  await ensurePackages();
  await ensurePrograms("cmake", "ninja");
  const emscripten = await ensureEmscripten();
  await ensureXtensor();
  return emscripten;
}

/** Everything that the native build and its tests need. */
export async function setUpNative() {
  await ensurePrograms("cmake", "ninja", "c++");
  await ensureXtensor();
  await ensureCatch2();
}

const coreInputs = ["core", "CMakeLists.txt", "CMakePresets.json"];
const testInputs = ["tests/core", "tests/fixtures", "tests/CMakeLists.txt"];
const bridgeInputs = [
  ...coreInputs,
  ...sources(["wasm"], /^[^/]+\.(cpp|h|mjs)$/),
  "wasm/CMakeLists.txt",
  "wasm/toolchain.cmake",
];

async function cmakeWasm(emscripten, targets, tests) {
  const env = emscriptenEnv(emscripten);
  const cause = `the WebAssembly targets ${targets.join(", ")} could not be built.`;
  // Another Emscripten than last time: object files and cached paths of the old one are useless.
  await whenStale("emscripten", { inputs: [], outputs: ["build/wasm"], facts: emscripten }, () =>
    rmSync(join(root, "build", "wasm"), { recursive: true, force: true }),
  );
  await run("cmake", ["--preset", "wasm", `-DPOSLAB_TESTS=${tests ? "ON" : "OFF"}`, strict], { env, cause });
  await run("cmake", ["--build", "--preset", "wasm", "--target", ...targets, ...jobs], { env, cause });
}

/** core + bridge → build/wasm/poslab.{mjs,wasm,d.mts} and the faster poslab_turbo.{mjs,wasm} */
export async function buildWasm(emscripten) {
  const names = ["poslab.mjs", "poslab.wasm", "poslab.d.mts", "poslab_turbo.mjs", "poslab_turbo.wasm"];
  const outputs = names.map((name) => `build/wasm/${name}`);
  await whenStale("wasm", { inputs: bridgeInputs, outputs, facts: [emscripten, strict] }, async () => {
    const began = performance.now();
    say("Compiling the core to WebAssembly, which takes some minutes.");
    await cmakeWasm(emscripten, ["poslab_wasm", "poslab_turbo_wasm"], false);
    say(`The WebAssembly modules are built (${seconds(began)}).`);
  });
}

/** core + tests/core → build/wasm/tests/TARGET.cjs, to be run with Node; TARGET is poslab_tests or poslab_turbo_tests */
export async function buildWasmTests(emscripten, target) {
  await ensureCatch2();
  const inputs = [...bridgeInputs, ...testInputs];
  const outputs = [`build/wasm/tests/${target}.cjs`];
  await whenStale(`wasm-${target}`, { inputs, outputs, facts: [emscripten, strict] }, async () => {
    say(`Compiling the core's tests to WebAssembly (${target}), which takes some minutes.`);
    await cmakeWasm(emscripten, [target], true);
  });
}

/** core + tests/core → build/PRESET/tests/poslab_tests */
export async function buildNative(preset) {
  const inputs = [...coreInputs, ...testInputs];
  const outputs = [`build/${preset}/tests/poslab_tests`];
  await whenStale(`native-${preset}`, { inputs, outputs, facts: [strict] }, async () => {
    say(`Compiling the core and its tests (${preset}), which takes some minutes.`);
    const cause = `the preset ${preset} could not be built.`;
    await run("cmake", ["--preset", preset, strict], { cause });
    await run("cmake", ["--build", "--preset", preset, ...jobs], { cause });
  });
}

/** core + tests/bench → build/native/tests/poslab_bench and build/wasm/tests/poslab_{,turbo_}bench.{mjs,wasm} */
export async function buildBench(emscripten) {
  const cause = "the benchmark could not be built.";
  await run("cmake", ["--preset", "native"], { cause });
  await run("cmake", ["--build", "--preset", "native", "--target", "poslab_bench", ...jobs], { cause });
  await cmakeWasm(emscripten, ["poslab_bench", "poslab_turbo_bench"], true);
}

const webInputs = ["web", "vite.config.ts", "package-lock.json", "tsconfig.json"];
const moduleInputs = ["mjs", "wasm"].flatMap((ending) => [`build/wasm/poslab.${ending}`, `build/wasm/poslab_turbo.${ending}`]);

/** web → dist/, the static site */
export async function buildSite() {
  const inputs = [...webInputs, ...moduleInputs];
  await whenStale("site", { inputs, outputs: ["dist/index.html", "dist/embed.html"] }, async () => {
    const began = performance.now();
    say("Building the page.");
    await run(process.execPath, [packageProgram("vite"), "build", "--logLevel", "warn"], {
      cause: "the page could not be built.",
    });
    say(`The page is built (${seconds(began)}).`);
  });
}

/** web/engine → lib/, the package that Node and browser modules import */
export async function buildLibrary() {
  const inputs = [...webInputs, ...moduleInputs, "wasm/setup/library.mjs"];
  const outputs = ["index.js", "index.d.ts", "poslab.mjs", "poslab.wasm"].map((name) => `lib/${name}`);
  await whenStale("library", { inputs, outputs }, async () => {
    say("Building the package in lib/.");
    const { writeLibrary } = await import("./library.mjs");
    await writeLibrary();
  });
}

/** Builds what eslint and tsc read: the types that the bridge and the package export. */
export async function buildTypes() {
  await buildWasm(await setUpWeb());
  await buildLibrary();
}
