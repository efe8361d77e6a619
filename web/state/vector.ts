// A vector as a reader types it, to be turned pair by pair.

import { echo } from "./props.js";

/** Numbers between commas, semicolons or blanks; throws a sentence that names what is no number. */
export function parseVector(name: string, text: string): Float32Array {
  const parts = text.replaceAll("−", "-").trim().split(/\s*[,;]\s*|\s+/);
  if (parts.every((part) => part === "")) throw new Error(`The ${name} is empty; write numbers with commas between them, such as 1, 2, 3, 4.`);
  const gap = parts.indexOf("");
  if (gap >= 0) {
    throw new Error(`The ${name} is ${echo(text)}: place ${gap + 1} of ${parts.length} is empty. Write a number there or take a comma away.`);
  }
  if (parts.length % 2 === 1) {
    throw new Error(`The ${name} has ${parts.length} numbers, but they are turned in pairs: write one more or one less.`);
  }
  return Float32Array.from(parts, (part) => {
    const value = Number(part);
    if (!Number.isFinite(value) || !Number.isFinite(Math.fround(value))) {
      throw new Error(`The ${name} holds ${JSON.stringify(part)}, which is not a number that fits; the last good one stays in the figure.`);
    }
    return value;
  });
}
