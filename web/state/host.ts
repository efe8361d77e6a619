// Workers and module bytes for the engine. The worker's code travels inside the page's script and starts from a Blob,
// since a page of another or of no origin may not start a worker from a file.

import { Lab } from "../engine/lab.js";
import { HelperPool } from "../engine/helper_pool.js";
import type { RunHost } from "../engine/run.js";
import LabWorker from "../engine/worker.js?worker&inline";
import { loadAsset } from "./assets.js";

export const host: RunHost = {
  createWorker: () => new LabWorker(),
  wasm: () => loadAsset("wasm"),
  helpers: new HelperPool(navigator.hardwareConcurrency || 1),
};

/** The one lab worker of the page. */
export const lab = new Lab(host);
