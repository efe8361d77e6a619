// Vite plugin: the pages as static files around one classic script. Browsers fetch module scripts by the rules of
// cross-origin requests, so in a sandboxed iframe, or from disk, they would need special headers; classic ones do not.
// The development server serves the same pages with the module script they name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const moduleTag = '<script type="module" src="./main.ts"></script>';

/** `pages` and `files` are paths below `root`; the pages must hold the module script's tag. */
export function staticPages(options: { root: string; script: string; pages: string[]; files: string[] }): Plugin {
  const { root, script, pages, files } = options;
  return {
    name: "static-pages",
    apply: "build",
    generateBundle() {
      for (const fileName of pages) {
        const html = readFileSync(join(root, fileName), "utf8");
        if (!html.includes(moduleTag)) this.error(`${fileName} lacks the tag ${moduleTag}`);
        const source = html.replace(moduleTag, `<script defer src="./${script}"></script>`);
        this.emitFile({ type: "asset", fileName, source });
      }
      for (const fileName of files) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(join(root, fileName), "utf8") });
      }
    },
  };
}
