// Writes lib/: the engine bundled into one module, its types, and the WebAssembly module beside it.
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root, run } from "./shell.mjs";
import { packageProgram } from "./steps.mjs";

const lib = join(root, "lib");
const wasm = join(root, "build", "wasm");

export async function writeLibrary() {
  rmSync(lib, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: lib,
      minify: false,
      target: "es2022",
      lib: { entry: join(root, "web/engine/index.ts"), formats: ["es"], fileName: "index" },
      rolldownOptions: {
        // Stays a file of its own: it finds poslab.wasm by its own address.
        external: /poslab\.mjs$/,
        output: { paths: (id) => (id.endsWith("poslab.mjs") ? "./poslab.mjs" : id) },
      },
    },
  });
  for (const name of ["poslab.mjs", "poslab.d.mts", "poslab.wasm"]) {
    copyFileSync(join(wasm, name), join(lib, name));
  }
  const types = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--outDir", "lib"];
  await run(process.execPath, [packageProgram("typescript", "tsc"), "-p", "tsconfig.lib.json", ...types], {
    cause: "the package's types could not be written.",
  });
}
