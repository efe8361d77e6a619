// Content stamps: a step is done again only when the content of what it reads has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./shell.mjs";

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (name !== "node_modules") yield* filesUnder(join(path, name));
  }
}

function digest(inputs, facts) {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const input of inputs) {
    for (const file of filesUnder(join(root, input))) {
      hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/**
 * Runs `work` unless its `outputs` exist and were made from the same `inputs` (files and folders)
 * and `facts` (anything else that matters, such as a compiler's version).
 */
export async function whenStale(name, { inputs, outputs, facts = [] }, work) {
  const file = join(root, "build", "stamps", name);
  const now = digest(inputs, facts);
  const fresh = existsSync(file) && readFileSync(file, "utf8") === now;
  if (fresh && outputs.every((output) => existsSync(join(root, output)))) return false;
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
  return true;
}
