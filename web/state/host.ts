// Workers and module bytes for the engine. The worker's code travels inside the page's script and starts from a Blob,
// since a page of another or of no origin may not start a worker from a file.

import { Lab } from "../engine/lab.js";
import type { Host } from "../engine/worker_handle.js";
import LabWorker from "../engine/worker.js?worker&inline";
import { loadAsset } from "./assets.js";

export const host: Host = {
  createWorker: () => new LabWorker(),
  wasm: () => loadAsset("wasm"),
};

/** The one lab worker of the page. */
export const lab = new Lab(host);
