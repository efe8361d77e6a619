// Turbo: the core compiled so that a product and a sum may be rounded together. That is faster where the CPU can do it,
// and the last digits then depend on the machine, so it is never on unless a reader asks for it.

import { relaxedSimd } from "wasm-feature-detect";
import type { RunHost } from "../engine/run.js";
import { loadAsset } from "./assets.js";
import { host } from "./host.js";

/** Whether this browser has the instructions that turbo needs. */
export const turboSupported: Promise<boolean> = relaxedSimd();

/** As `host`, with the module that has them. */
export const turboHost: RunHost = { ...host, wasm: () => loadAsset("turbo") };
