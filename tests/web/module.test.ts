// What a call does when the module traps, with the real module.

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { call, loadModule } from "../../web/engine/module.js";

/** A module whose only function, f, is `unreachable`. */
const trap = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0],
  ...[10, 5, 1, 3, 0, 0, 11],
);

test("after a refusal the module goes on, after a trap every call says that it stopped", async () => {
  const traps: Error[] = [];
  const bytes = await readFile(new URL("../../build/wasm/poslab.wasm", import.meta.url));
  await loadModule({ wasmBinary: new Uint8Array(bytes).buffer, onTrap: (error) => traps.push(error) });
  expect(() => call((core) => core.alibi_slopes(0))).toThrow("n_head is 0; it must be");
  expect(call((core) => core.alibi_slopes(8).length)).toBe(8);
  expect(traps).toEqual([]);
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(trap)).exports;
  expect(() => call(f as () => void)).toThrow("unreachable");
  expect(traps.map(({ message }) => message)).toEqual(["unreachable"]);
  expect(() => call((core) => core.alibi_slopes(8))).toThrow("The wasm module stopped: unreachable. Load it anew.");
  expect(traps).toHaveLength(1);
});
