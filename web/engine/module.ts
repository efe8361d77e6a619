// Loads the wasm module once, in a page's worker, in a page or in Node, and turns what C++ throws into an Error with the
// core's own sentence. The only file that knows how the module is made.

import createPoslab from "../../build/wasm/poslab.mjs";
import { asCore } from "./bridge.js";
import type { Core } from "./types.js";

export interface LoadOptions {
  /** The bytes of poslab.wasm; without them the module fetches the file that lies beside it. */
  wasmBinary?: ArrayBuffer;
}

interface Loaded {
  core: Core;
  message: (thrown: unknown) => string | undefined;
}

let loaded: Loaded | undefined;
let loading: Promise<Core> | undefined;

/** Loads the module; later calls give the same one. */
export function loadModule(options: LoadOptions = {}): Promise<Core> {
  if (loading) return loading;
  const arriving = createPoslab(options).then(
    (module) => {
      loaded = { core: asCore(module), message: (thrown) => sentenceOf(module, thrown) };
      return loaded.core;
    },
    (cause: unknown) => {
      loading = undefined;
      throw new Error(`The wasm module could not be loaded: ${String(cause)}`, { cause });
    },
  );
  loading = arriving;
  return arriving;
}

/** The loaded core. */
export function core(): Core {
  if (!loaded) throw new Error("The wasm module is not loaded yet: await loadModule() first.");
  return loaded.core;
}

interface ExceptionHelpers {
  getExceptionMessage(thrown: unknown): [string, string];
  decrementExceptionRefcount?(thrown: unknown): void;
}

function sentenceOf(module: unknown, thrown: unknown): string | undefined {
  const Exception = (WebAssembly as { Exception?: new (...args: never[]) => unknown }).Exception;
  if (!Exception || !(thrown instanceof Exception)) return undefined;
  const helpers = module as ExceptionHelpers;
  const [type, message] = helpers.getExceptionMessage(thrown);
  helpers.decrementExceptionRefcount?.(thrown);
  return message || type;
}

/** Runs `work` with the core and rethrows what C++ throws as an Error with the core's sentence. */
export function call<T>(work: (core: Core) => T): T {
  const module = core();
  try {
    return work(module);
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** Anything thrown by the core, as an Error. */
export function asError(thrown: unknown): Error {
  const sentence = loaded?.message(thrown);
  if (sentence !== undefined) return new Error(sentence, { cause: thrown });
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
