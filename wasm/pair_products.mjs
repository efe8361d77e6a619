// Puts the products of a linked module in pairs: `node pair_products.mjs module.wasm`.
//
// The tile of the matrix product (core/kernels/matmul.cpp) is a row of independent multiply-adds. Linkers of WebAssembly
// move each product to its only sum, whatever the source says, and the V8 of Node 26 and Chromium 156 keeps that order:
// product, sum, product, sum. Two products and then their two sums are 3 % faster on an AMD EPYC, which spreads them more
// evenly over its two units for either. The operations, their operands and so every bit of the results stay.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { isProgram } from "./setup/shell.mjs";

// local.get b, local.get a, f32x4.mul, local.get sum, f32x4.add, local.set sum; locals of one byte.
const multiplyAdd = "\\x20[\\0-\\x7f]\\x20[\\0-\\x7f]\\xfd\\xe6\\x01\\x20([\\0-\\x7f])\\xfd\\xe4\\x01\\x21\\1";
const rows = new RegExp(`(?:${multiplyAdd}){2,}`, "gs");

/** What one multiply-add consists of. */
function parts(text) {
  return { product: text.slice(0, 7), b: text[1], a: text[3], sum: text[8], addition: text.slice(7) };
}

/** A row of multiply-adds with those by twos that share b. As it is if one of them needs another's result. */
function paired(row) {
  const left = row.match(/.{14}/gs).map(parts);
  const sums = new Set(left.map(({ sum }) => sum));
  if (sums.size < left.length || left.some(({ a, b }) => sums.has(a) || sums.has(b))) return row;
  let out = "";
  while (left.length > 0) {
    const first = left.shift();
    const at = left.findIndex(({ b }) => b === first.b);
    const [second] = at < 0 ? [] : left.splice(at, 1);
    // The sum of the second comes first, since its product is on top of the stack.
    out += second ? first.product + second.product + second.addition + first.addition : first.product + first.addition;
  }
  return out;
}

function* sections(bytes) {
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at++];
    let size = 0;
    for (let shift = 0, byte = 128; byte & 128; shift += 7) {
      byte = bytes[at++];
      size |= (byte & 127) << shift;
    }
    yield { id, from: at, to: at + size };
    at += size;
  }
}

/** The module with its products in pairs, of the same length, and how many rows of them were changed. */
export function pairProducts(bytes) {
  const module = Buffer.from(bytes);
  let changed = 0;
  const codeSection = 10;
  for (const { id, from, to } of sections(module)) {
    if (id !== codeSection) continue;
    const code = module.toString("latin1", from, to).replace(rows, (row) => {
      const better = paired(row);
      if (better !== row) ++changed;
      return better;
    });
    module.write(code, from, "latin1");
  }
  return { module, changed };
}

if (isProgram(import.meta.url)) {
  const [path] = process.argv.slice(2);
  const { module, changed } = pairProducts(readFileSync(path));
  if (changed > 0) writeFileSync(path, module);
  console.log(`${basename(path)}: ${changed} rows of products put in pairs.`);
}
