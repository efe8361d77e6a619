// Workers and module bytes for the engine. The worker's code travels inside the page's script and starts from a Blob,
// since a page of another or of no origin may not start a worker from a file.

import { Lab } from "../engine/lab.js";
import type { Host } from "../engine/worker_handle.js";
import LabWorker from "../engine/worker.js?worker&inline";
import { loadAsset } from "./assets.js";

let bytes: Promise<ArrayBuffer> | undefined;

function decode(base64: string): ArrayBuffer {
  const binary = atob(base64);
  const decoded = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) decoded[i] = binary.charCodeAt(i);
  return decoded.buffer;
}

export const host: Host = {
  createWorker: () => new LabWorker(),
  wasm() {
    bytes ??= loadAsset("wasm").then(decode);
    bytes.catch(() => (bytes = undefined));
    return bytes;
  },
};

/** The one lab worker of the page. */
export const lab = new Lab(host);
