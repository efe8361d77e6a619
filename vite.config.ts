import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { labAssets, browserGlue } from "./web/build/lab_assets.js";
import { staticPages } from "./web/build/static_pages.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const script = "poslab.js";

export default defineConfig({
  root: here("web"),
  base: "./",
  publicDir: false,
  plugins: [
    labAssets({
      wasm: here("build/wasm/poslab.wasm"),
      turbo: here("build/wasm/poslab_turbo.wasm"),
      editor: here("web/editor/asset.ts"),
    }),
    staticPages({ root: here("web"), script, pages: ["index.html", "embed.html"], files: ["styles/page.css"] }),
  ],
  worker: { format: "iife", plugins: () => [browserGlue()] },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: here("web/main.ts"),
      output: { format: "iife", entryFileNames: script },
    },
  },
});
