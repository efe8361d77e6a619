// Loads what the page needs only later (the wasm modules, the texts, the code editor). Each is a script that calls back
// with its payload: unlike fetch, that works in a sandboxed iframe, across origins and from disk. See
// build/lab_assets.ts.

import paths from "virtual:lab-assets";
import type { createEditor } from "../editor/editor.js";

interface Payloads {
  wasm: string;
  turbo: string;
  "moby-dick": string;
  "first-names": string;
  editor: { createEditor: typeof createEditor };
}
export type AssetName = keyof Payloads;

declare global {
  var poslabAssets: { [K in AssetName]?: (payload: Payloads[K]) => void } | undefined;
}

// The address of this script while it runs for the first time; the development server's modules have none.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
const base = script || document.baseURI;

const arriving = new Map<AssetName, Promise<unknown>>();

/** The payload; a failed load is said and may be tried again. */
export function loadAsset<K extends AssetName>(name: K): Promise<Payloads[K]> {
  let promise = arriving.get(name) as Promise<Payloads[K]> | undefined;
  if (!promise) {
    promise = load(name);
    promise.catch(() => arriving.delete(name));
    arriving.set(name, promise);
  }
  return promise;
}

function load<K extends AssetName>(name: K): Promise<Payloads[K]> {
  const url = new URL(paths[name], base).href;
  return new Promise((resolve, reject) => {
    const callbacks: { [N in K]?: (payload: Payloads[N]) => void } = (globalThis.poslabAssets ??= {});
    const element = document.createElement("script");
    callbacks[name] = (payload) => {
      resolve(payload);
      element.remove();
    };
    element.async = true;
    element.src = url;
    element.onerror = () => {
      element.remove();
      reject(new Error(`${url} could not be loaded. Check the connection and try again.`));
    };
    document.head.append(element);
  });
}
