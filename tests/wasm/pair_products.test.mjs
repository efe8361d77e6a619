import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pairProducts } from "../../wasm/pair_products.mjs";

const section = (id, bytes) => [id, bytes.length, ...bytes];
const load = (local) => [0x41, 0, 0xfd, 0x00, 0, 16 * local, 0x21, local];
const store = (local) => [0x41, 0, 0x20, local, 0xfd, 0x0b, 0, 16 * local];
const product = (b, a) => [0x20, b, 0x20, a, 0xfd, 0xe6, 0x01];
const addTo = (sum) => [0x20, sum, 0xfd, 0xe4, 0x01, 0x21, sum];
const multiplyAdd = (b, a, sum) => [...product(b, a), ...addTo(sum)];
const locals = [0, 1, 2, 3, 4, 5, 6];

/** A module whose f reads seven vectors from its memory m, does `body` with them and writes them back. */
function moduleOf(body, data = []) {
  const code = [1, locals.length, 0x7b, ...locals.flatMap(load), ...body, ...locals.flatMap(store), 0x0b];
  // Their size takes two bytes: long enough for every body here.
  const twoBytes = (n) => [(n & 127) | 128, n >> 7];
  const functions = [1, ...twoBytes(code.length), ...code];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0]),
    ...[10, ...twoBytes(functions.length), ...functions],
    ...section(11, [1, 0, 0x41, 0x80, 2, 0x0b, data.length, ...data]),
  ]);
}

async function results(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  const numbers = new Float32Array(instance.exports.m.buffer, 0, 4 * locals.length);
  numbers.forEach((_, i) => (numbers[i] = Math.fround(Math.sin(i + 1) * 3)));
  instance.exports.f();
  return [...numbers];
}

test("products that share b are put in pairs and give the same bits", async () => {
  // Two columns (b in 0 and 1) by two rows (a in 2 and 3); the first row first, as compilers leave it.
  const body = [...multiplyAdd(0, 2, 4), ...multiplyAdd(1, 2, 5), ...multiplyAdd(0, 3, 6)];
  const before = moduleOf(body);
  const { module, changed } = pairProducts(before);
  assert.equal(changed, 1);
  const pair = [...product(0, 2), ...product(0, 3), ...addTo(6), ...addTo(4), ...multiplyAdd(1, 2, 5)];
  assert.deepEqual([...module], [...moduleOf(pair)]);
  const numbers = await results(before);
  assert.notEqual(numbers[4 * 4], Math.fround(Math.sin(17) * 3));
  assert.deepEqual(await results(module), numbers);
  assert.equal(pairProducts(module).changed, 0);
});

test("a product that needs the sum before it stays behind it", async () => {
  for (const [what, body] of [
    ["as b", [...multiplyAdd(0, 2, 4), ...multiplyAdd(4, 3, 5)]],
    ["as a", [...multiplyAdd(0, 2, 4), ...multiplyAdd(0, 4, 5)]],
    ["to add to", [...multiplyAdd(0, 2, 4), ...multiplyAdd(0, 3, 4)]],
  ]) {
    const before = moduleOf(body);
    const { module, changed } = pairProducts(before);
    assert.equal(changed, 0, what);
    assert.deepEqual([...module], [...before], what);
  }
});

test("what shares no b, and what is no code, is left as it is", () => {
  const body = [...multiplyAdd(0, 2, 4), ...multiplyAdd(1, 3, 5)];
  const data = [...multiplyAdd(0, 2, 4), ...multiplyAdd(0, 3, 5)];
  const before = moduleOf(body, data);
  assert.ok(WebAssembly.validate(before));
  assert.deepEqual([...pairProducts(before).module], [...before]);
});

// Another compiler may write the kernel in words that are not looked for: a module as good, but slower in some engines.
const skip = process.env.CI ? false : "checked in continuous integration (CI set), with its Emscripten";
test("the products of the module that is built come in pairs", { skip }, () => {
  const built = readFileSync(new URL("../../build/wasm/poslab.wasm", import.meta.url)).toString("latin1");
  const product = "\\x20.\\x20.\\xfd\\xe6\\x01";
  const addition = (n) => `\\x20(.)\\xfd\\xe4\\x01\\x21\\${n}`;
  const pairs = built.match(new RegExp(product + product + addition(1) + addition(2), "gs")) ?? [];
  // Four a step: the loop that leaves after its loads has 32, once with A by rows and once by pairs.
  assert.ok(pairs.length >= 256, `${pairs.length} pairs`);
});
