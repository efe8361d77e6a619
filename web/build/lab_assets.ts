// Vite plugin: what the page loads only when it is needed (the wasm module, the texts), each as a small classic script
// that hands its payload to the page. A script is the one kind of file that every place may load: a sandboxed iframe
// (whose fetches count as cross-origin), a page of another origin, a folder opened from disk.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { firstNames, mobyDick } from "./corpora.js";

const virtualId = "virtual:lab-assets";

/** Payloads by name; made when asked for, since the wasm module may be rebuilt under a development server. */
function payloads(wasmPath: string): Record<string, () => string> {
  return {
    wasm: () => readFileSync(wasmPath).toString("base64"),
    "moby-dick": mobyDick,
    "first-names": firstNames,
  };
}

function scriptOf(name: string, payload: string): string {
  return `globalThis.poslabAssets[${JSON.stringify(name)}](${JSON.stringify(payload)});\n`;
}

export function labAssets(wasmPath: string): Plugin {
  const assets = payloads(wasmPath);
  let serving = false;
  return {
    name: "lab-assets",
    configResolved(config) {
      serving = config.command === "serve";
    },
    resolveId(id) {
      return id === virtualId ? `\0${virtualId}` : undefined;
    },
    load(id) {
      if (id !== `\0${virtualId}`) return undefined;
      const paths: Record<string, string> = {};
      for (const [name, make] of Object.entries(assets)) {
        if (serving) {
          paths[name] = `lab-assets/${name}.js`;
          continue;
        }
        const source = scriptOf(name, make());
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
        response.end(scriptOf(name, make()));
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
