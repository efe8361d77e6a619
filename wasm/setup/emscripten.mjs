// Finds an Emscripten that is new enough, or brings one: from apt, or Debian's newer packages
// unpacked inside the project. The choice is written to .toolchain/emscripten.{json,cmake};
// wasm/toolchain.cmake reads the latter.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atLeast, capture, root, toolchain, which } from "./shell.mjs";
import * as apt from "./apt.mjs";
import { say, seconds, Stop } from "./say.mjs";

// The first release with everything the build asks for; `pinned` is what the project is tested with.
const oldest = "3.1.58";
const pinned = "3.1.69";
const llvm = "19";
const record = join(toolchain, "emscripten.json");

/** Reads version and root folder from an emcc, or undefined when it cannot be used. */
function inspect(emcc) {
  const version = capture(emcc, ["--version"])?.match(/\d+\.\d+\.\d+/)?.[0];
  const folder = capture(emcc.replace(/emcc(\.\w+)?$/, "em-config$1"), ["EMSCRIPTEN_ROOT"]);
  if (!version || !folder) return undefined;
  // Debian's package finds its acorn under Debian's Node alone.
  const acorn = ["--input-type=module", "-e", "import 'acorn'"];
  const links = capture(process.execPath, acorn, { cwd: join(folder, "tools") }) !== undefined;
  return links ? { version, root: folder, node: process.execPath } : undefined;
}

function keep(found) {
  mkdirSync(toolchain, { recursive: true });
  writeFileSync(record, `${JSON.stringify(found, null, 2)}\n`);
  const path = found.root.replaceAll("\\", "/");
  writeFileSync(join(toolchain, "emscripten.cmake"), `set(POSLAB_EMSCRIPTEN_ROOT "${path}")\n`);
  return found;
}

function remembered() {
  if (!existsSync(record)) return undefined;
  const found = JSON.parse(readFileSync(record, "utf8"));
  return existsSync(join(found.root, "emcc.py")) && found.node === process.execPath ? found : undefined;
}

function installed() {
  const sdk = process.env.EMSDK && join(process.env.EMSDK, "upstream", "emscripten");
  for (const emcc of [which("emcc"), sdk && which("emcc", [sdk])].filter(Boolean)) {
    const found = inspect(emcc);
    if (found && atLeast(found.version, oldest)) {
      say(`Using Emscripten ${found.version} from ${found.root}.`);
      return found;
    }
    say(`${emcc} is left alone: ${found ? `${found.version} is older than ${oldest}` : "it does not work with this Node"}.`);
  }
  return undefined;
}

/** Newer binaryen wants a newer libc than the system's: start it through the unpacked loader. */
function wrapBinaryen(unpacked, home) {
  const architecture = readdirSync(join(unpacked, "usr/lib")).find((name) => name.endsWith("-linux-gnu"));
  const library = join(unpacked, "usr/lib", architecture);
  const loader = readdirSync(library).find((name) => name.startsWith("ld-linux"));
  mkdirSync(join(home, "bin"), { recursive: true });
  for (const tool of readdirSync(join(unpacked, "usr/bin")).filter((name) => name.startsWith("wasm"))) {
    const wrapper = join(home, "bin", tool);
    const program = join(unpacked, "usr/bin", tool);
    const line = `exec "${join(library, loader)}" --library-path "${library}" "${program}" "$@"`;
    writeFileSync(wrapper, `#!/bin/sh\n${line}\n`);
    chmodSync(wrapper, 0o755);
  }
}

function configure(folder, binaryen) {
  const settings = {
    LLVM_ROOT: `/usr/lib/llvm-${llvm}/bin`,
    BINARYEN_ROOT: binaryen,
    NODE_JS: process.execPath,
    CACHE: join(folder, "cache"),
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  writeFileSync(join(folder, ".emscripten"), lines.join(""));
  // Ends the reach of this project's own package.json, which would make modules of its scripts.
  writeFileSync(join(folder, "package.json"), "{}\n");
}

async function unpackPrivately() {
  const began = performance.now();
  const unpacked = join(toolchain, "root");
  const folder = join(unpacked, "usr/share/emscripten");
  const binaryen = join(toolchain, "binaryen");
  if (!existsSync(join(folder, "emcc.py"))) {
    say(`Unpacking Emscripten ${pinned} into .toolchain (a download of about 250 MB); no system file is replaced.`);
    const draft = join(toolchain, "root.draft");
    rmSync(draft, { recursive: true, force: true });
    // The system libraries come prebuilt; the link-time-optimised and position-independent
    // variants are three quarters of the package and never linked here.
    const variants = ["lto", "lto-pic", "pic"].map((name) => `*/sysroot/lib/wasm32-emscripten/${name}`);
    await apt.unpackPackages(
      ["emscripten", "binaryen", "libc6", "libstdc++6", "libgcc-s1"],
      draft,
      [...variants, "./usr/share/emscripten/test", "./usr/share/doc"],
    );
    rmSync(unpacked, { recursive: true, force: true });
    renameSync(draft, unpacked);
  }
  if (!existsSync(`/usr/lib/llvm-${llvm}/bin/clang`) || !existsSync(`/usr/lib/llvm-${llvm}/bin/wasm-ld`)) {
    await apt.install([`clang-${llvm}`, `lld-${llvm}`, `llvm-${llvm}`]);
  }
  if (!which("python3")) await apt.install(["python3"]);
  wrapBinaryen(unpacked, binaryen);
  configure(folder, binaryen);
  const found = inspect(join(folder, "emcc"));
  if (!found) {
    throw new Stop(
      `the unpacked Emscripten in ${unpacked} does not start.`,
      "run `rm -r .toolchain` and the same command again.",
    );
  }
  say(`Emscripten ${found.version} is ready (${seconds(began)}).`);
  return found;
}

/** Resolves to {version, root, node} of the Emscripten to build with. */
export async function ensureEmscripten() {
  const known = remembered();
  if (known) return known;
  const found = installed();
  if (found) return keep(found);
  say(`Looking for Emscripten ${oldest} or newer.`);
  const offered = await apt.candidate("emscripten");
  if (offered && atLeast(offered, oldest)) {
    await apt.install(["emscripten"]);
    const fromApt = installed();
    if (fromApt) return keep(fromApt);
  }
  if (await apt.canUnpackNewer()) return keep(await unpackPrivately());
  throw new Stop(
    `Emscripten ${oldest} or newer is needed and none was found on PATH or in $EMSDK.`,
    `install emsdk: \`git clone https://github.com/emscripten-core/emsdk && cd emsdk && ./emsdk install ${pinned} ` +
      `&& ./emsdk activate ${pinned} && . ./emsdk_env.sh\` (macOS: \`brew install emscripten\`), then run the same command again.`,
  );
}

/** The environment for running it: an EM_CONFIG of another Emscripten must not leak in. */
export function emscriptenEnv(found) {
  const own = join(found.root, ".emscripten");
  return found.root.startsWith(root) ? { EM_CONFIG: own } : {};
}
