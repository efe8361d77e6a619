// Vite plugin: what the page loads only when it is needed (the wasm modules, the texts, the code editor), each as a classic
// script that hands its payload to the page. A script is the one kind of file that every place may load: a sandboxed iframe
// (whose fetches count as cross-origin), a page of another origin, a folder opened from disk.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "vite";
import { firstNames, mobyDick } from "./corpora.js";

const virtualId = "virtual:lab-assets";

type Make = () => string | Promise<string>;

export interface AssetPaths {
  wasm: string;
  turbo: string;
  editor: string;
}

/** Packed before it is written as letters: those would hide from the host's own compression what repeats. */
const packed = (file: string) => gzipSync(readFileSync(file), { level: 9 }).toString("base64");

/** Scripts by name; made when asked for, since the wasm modules may be rebuilt under a development server. */
function scripts({ wasm, turbo, editor }: AssetPaths): Record<string, Make> {
  const handing = (name: string, payload: () => string) => () =>
    `globalThis.poslabAssets[${JSON.stringify(name)}](${JSON.stringify(payload())});\n`;
  return {
    wasm: handing("wasm", () => packed(wasm)),
    turbo: handing("turbo", () => {
      checkGlue(wasm, turbo);
      return packed(turbo);
    }),
    "moby-dick": handing("moby-dick", mobyDick),
    "first-names": handing("first-names", firstNames),
    editor: () => bundle(editor),
  };
}

/** The page's worker runs the bytes of either module with the glue of the first, so both must be the same but for the
 * file that they name. */
function checkGlue(...paths: string[]): void {
  const glues = paths.map((path) => {
    const name = basename(path);
    return readFileSync(path.replace(/wasm$/, "mjs"), "utf8").replaceAll(name, "");
  });
  if (new Set(glues).size > 1) throw new Error(`${paths.join(" and ")} need different JavaScript around them.`);
}

/** A module and all it imports as one classic script. */
async function bundle(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: { input: entry, output: { format: "iife", codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(made) ? made : [made]).flatMap((each) => ("output" in each ? each.output : []));
  const chunk = outputs.find((each) => each.type === "chunk");
  if (!chunk) throw new Error(`${entry} could not be bundled.`);
  return chunk.code;
}

export function labAssets(files: AssetPaths): Plugin {
  const assets = scripts(files);
  let serving = false;
  return {
    name: "lab-assets",
    configResolved(config) {
      serving = config.command === "serve";
    },
    resolveId(id) {
      return id === virtualId ? `\0${virtualId}` : undefined;
    },
    async load(id) {
      // It would weigh on every visit. A development server has one pipeline for the page and its workers.
      if (!serving && id.endsWith("/poslab.mjs")) this.error("The page's own script imports poslab.mjs, which only its worker needs.");
      if (id !== `\0${virtualId}`) return undefined;
      const paths: Record<string, string> = {};
      for (const [name, make] of Object.entries(assets)) {
        if (serving) {
          paths[name] = `lab-assets/${name}.js`;
          continue;
        }
        const source = await make();
        const hash = createHash("sha256").update(source).digest("hex").slice(0, 10);
        paths[name] = `assets/${name}-${hash}.js`;
        this.emitFile({ type: "asset", fileName: paths[name], source });
      }
      return `export default ${JSON.stringify(paths)};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = /\/lab-assets\/([a-z-]+)\.js/.exec(request.url ?? "")?.[1];
        const make = name === undefined ? undefined : assets[name];
        if (name === undefined || !make) return next();
        response.setHeader("Content-Type", "text/javascript; charset=utf-8");
        Promise.resolve(make()).then((source) => response.end(source), next);
      });
    },
  };
}

/** For the worker's bundle: the module gets its bytes from the page, so its own copy and its Node parts stay out. */
export function browserGlue(): Plugin {
  const left: [RegExp, string][] = [
    [/new URL\("poslab\.wasm",\s*import\.meta\.url\)\.href/, '"poslab.wasm"'],
    [/await import\("module"\)/, "{}"],
  ];
  return {
    name: "browser-glue",
    transform(code, id) {
      if (!id.endsWith("/poslab.mjs")) return undefined;
      for (const [pattern, replacement] of left) {
        if (!pattern.test(code)) this.error(`poslab.mjs no longer holds ${pattern}.`);
        code = code.replace(pattern, replacement);
      }
      return { code, map: null };
    },
  };
}
