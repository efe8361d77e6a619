// Loads the wasm module once, in a page's worker, in a page or in Node, and turns what C++ throws into an Error with the
// core's own sentence. The only file that knows how the module is made.

import createPoslab from "../../build/wasm/poslab.mjs";
import { asCore } from "./bridge.js";
import type { Core } from "./types.js";

export interface LoadOptions {
  /** The bytes of poslab.wasm; without them the module fetches the file that lies beside it. */
  wasmBinary?: ArrayBuffer;
  /** Told once when the module stops for good; see `call`. */
  onTrap?: (error: Error) => void;
}

interface Loaded {
  core: Core;
  helpers: Helpers;
  onTrap: ((error: Error) => void) | undefined;
}

/** What the module offers beside the core's calls. */
interface Helpers {
  getExceptionMessage(thrown: unknown): [string, string];
  decrementExceptionRefcount?(thrown: unknown): void;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

let loaded: Loaded | undefined;
let trapped: Error | undefined;
let loading: Promise<Core> | undefined;

/** Loads the module; later calls give the same one. */
export function loadModule({ onTrap, ...options }: LoadOptions = {}): Promise<Core> {
  if (loading) return loading;
  const arriving = createPoslab(options).then(
    (module) => {
      loaded = { core: asCore(module), helpers: module as unknown as Helpers, onTrap };
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

function sentenceOf(helpers: Helpers, thrown: unknown): string | undefined {
  const Exception = (WebAssembly as { Exception?: new (...args: never[]) => unknown }).Exception;
  if (!Exception || !(thrown instanceof Exception)) return undefined;
  const [type, message] = helpers.getExceptionMessage(thrown);
  helpers.decrementExceptionRefcount?.(thrown);
  return message || type;
}

/**
 * Runs `work` with the core and rethrows what C++ throws as an Error with the core's sentence. After a trap, such as an
 * access out of bounds, nothing in the module's memory can be relied on: this and every later call throw.
 */
export function call<T>(work: (core: Core) => T): T {
  if (trapped) throw new Error(`The wasm module stopped: ${trapped.message}. Load it anew.`, { cause: trapped });
  if (!loaded) throw new Error("The wasm module is not loaded yet: await loadModule() first.");
  const { core, helpers, onTrap } = loaded;
  const stack = helpers.stackSave();
  try {
    return work(core);
  } catch (thrown) {
    // What leaves the module by an exception has not given its stack back; a few hundred refusals would use it up.
    helpers.stackRestore(stack);
    const error = asError(thrown);
    if (error instanceof WebAssembly.RuntimeError) {
      trapped = error;
      onTrap?.(error);
    }
    throw error;
  }
}

/** Anything thrown by the core, as an Error. */
export function asError(thrown: unknown): Error {
  const sentence = loaded && sentenceOf(loaded.helpers, thrown);
  if (sentence !== undefined) return new Error(sentence, { cause: thrown });
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
