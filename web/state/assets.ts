// Loads what the page needs only later (the wasm module, the texts). Each is a small script that calls back with its
// payload: unlike fetch, that works in a sandboxed iframe, across origins and from disk. See build/lab_assets.ts.

import paths from "virtual:lab-assets";

export type AssetName = "wasm" | "moby-dick" | "first-names";

declare global {
  var poslabAssets: Record<string, (payload: string) => void> | undefined;
}

// The address of this script while it runs for the first time; the development server's modules have none.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
const base = script || document.baseURI;

const arriving = new Map<AssetName, Promise<string>>();

/** The payload as text; a failed load is said and may be tried again. */
export function loadAsset(name: AssetName): Promise<string> {
  let promise = arriving.get(name);
  if (!promise) {
    promise = load(name);
    promise.catch(() => arriving.delete(name));
    arriving.set(name, promise);
  }
  return promise;
}

function load(name: AssetName): Promise<string> {
  const url = new URL(paths[name], base).href;
  return new Promise((resolve, reject) => {
    const callbacks = (globalThis.poslabAssets ??= {});
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
