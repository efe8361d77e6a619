// Turns what a learner hands in into a matrix: pasted text, or a file of text or of NumPy's own kind.

import type { Matrix } from "../../engine/types.js";
import { lab } from "../../state/host.js";
import { isNpy } from "../../state/tables.js";

const mostBytes = 64 * 1024 * 1024;

export async function matrixOfText(text: string): Promise<Matrix> {
  if (text.trim() === "") throw new Error("There is nothing to check yet: paste a matrix, open a file, or write a function.");
  // Signs that no text has, or that stand for bytes which were no text.
  if (/[\0\ufffd]/.test(text)) throw new Error("That is no text but the bytes of some other file. Choose or drop the file itself.");
  return lab.ask({ question: "parse_matrix", text });
}

/** Files that somebody may drop by mistake, by the bytes they begin with. */
const otherKinds: { begins: readonly number[]; what: string }[] = [
  { begins: [0x50, 0x4b], what: 'an archive, as .npz and .xlsx files are; save one array with np.save("pe.npy", pe)' },
  { begins: [0x89, 0x50, 0x4e, 0x47], what: "a picture (PNG)" },
  { begins: [0xff, 0xd8, 0xff], what: "a picture (JPEG)" },
  { begins: [0x47, 0x49, 0x46, 0x38], what: "a picture (GIF)" },
  { begins: [0x25, 0x50, 0x44, 0x46], what: "a PDF" },
];

export async function matrixOfFile(file: File): Promise<Matrix> {
  if (file.size > mostBytes) {
    throw new Error(`${file.name} has ${Math.round(file.size / 1048576)} MB; a file of up to 64 MB is read. Hand in fewer rows.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (wanted: readonly number[]) => wanted.every((byte, i) => bytes[i] === byte);
  const advice = "Hand in the numbers themselves: a .npy file, CSV, JSON or a print-out";
  const other = otherKinds.find((kind) => begins(kind.begins));
  if (other) throw new Error(`${file.name} is ${other.what}. ${advice}.`);
  if (isNpy(file.name, bytes)) return squeezed(await lab.ask({ question: "read_npy", bytes }), file.name);
  let text: string;
  try {
    // Some programs write text as UTF-16, and mark it so.
    const encoding = begins([0xff, 0xfe]) ? "utf-16le" : begins([0xfe, 0xff]) ? "utf-16be" : "utf-8";
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes("\0")) throw new Error("a zero");
  } catch {
    throw new Error(`${file.name} is neither text nor a .npy file. ${advice}.`);
  }
  return matrixOfText(text);
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
