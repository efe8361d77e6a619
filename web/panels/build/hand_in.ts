// Turns what a learner hands in into a matrix: pasted text, or a file of text or of NumPy's own kind.

import type { Matrix } from "../../engine/types.js";
import { lab } from "../../state/host.js";

const mostBytes = 64 * 1024 * 1024;

export async function matrixOfText(text: string): Promise<Matrix> {
  if (text.trim() === "") throw new Error("There is nothing to check yet: paste a matrix, open a file, or write a function.");
  return lab.ask({ question: "parse_matrix", text });
}

export async function matrixOfFile(file: File): Promise<Matrix> {
  if (file.size > mostBytes) {
    throw new Error(`${file.name} has ${Math.round(file.size / 1048576)} MB; a file of up to 64 MB is read. Hand in fewer rows.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (...wanted: number[]) => wanted.every((byte, i) => bytes[i] === byte);
  if (begins(0x93, 0x4e, 0x55, 0x4d)) return squeezed(await lab.ask({ question: "read_npy", bytes }), file.name);
  if (begins(0x50, 0x4b)) {
    throw new Error(`${file.name} is an archive of several arrays (.npz); save one array with np.save("pe.npy", pe).`);
  }
  return matrixOfText(new TextDecoder().decode(bytes));
}

/** A batch of one is as good as none. */
function squeezed({ shape, data }: Matrix, name: string): Matrix {
  const kept = [...shape];
  while (kept.length > 2 && kept[0] === 1) kept.shift();
  if (kept.length === 2) return { shape: kept, data };
  const advice =
    kept.length > 2
      ? "hand in one table, for instance pe[0]"
      : "a table has two axes; reshape it to (positions, width) first";
  throw new Error(`${name} holds an array of shape (${shape.join(", ")}); ${advice}.`);
}
