// Runs a function that the learner wrote, in a worker made for this one run. The code is the worker's own source, so
// that no page needs to allow eval; it sees nothing of the page, and it is ended when it takes too long.

import type { Matrix } from "../engine/types.js";

export interface SandboxTask {
  code: string;
  /** The function the code must define, and what it is called with. */
  name: string;
  args: readonly unknown[];
  /** The shape of a right answer. */
  rows: number;
  columns: number;
}

export const limitMs = 3000;

/** Many come from NumPy, whose code is no JavaScript and seldom says so itself. */
const javascriptOnly = "This field takes JavaScript, not Python; what NumPy gives can be pasted as numbers or dropped as a file.";

type Said = { rows: unknown } | { problem: string };

/** What the function returned, as numbers in rows; throws a sentence about anything else. */
export async function runFunction(task: SandboxTask): Promise<Matrix> {
  const said = await inWorker(harness(task));
  if ("problem" in said) throw new Error(said.problem);
  return matrixOf(said.rows, task);
}

/** The learner's code stays first, so that line numbers in errors are theirs. What is no number leaves the worker as
 * words, and of lists that are far too long only a sentence does. */
function harness({ code, name, args, rows, columns }: SandboxTask): string {
  return `${code}
;(() => {
  const isList = (x) => ArrayBuffer.isView(x) || Array.isArray(x);
  const inWords = (x) => {
    if (isList(x)) return "a list of " + x.length;
    if (typeof x === "function") return "a function";
    if (typeof x === "object" && x !== null) return "an object (" + Object.prototype.toString.call(x).slice(8, -1) + ")";
    return typeof x === "string" ? "the text " + JSON.stringify(x.slice(0, 40)) : String(x);
  };
  const cell = (x) => typeof x === "number" ? x : inWords(x);
  const row = (x) => isList(x) ? Array.from(x, cell) : cell(x);
  const problemOf = (given) => {
    if (given && typeof given.then === "function") return "returned a Promise, as every async function does. Take the async away and return the rows themselves.";
    if (!isList(given)) return given === undefined ? "returned nothing; does it end with return?" : "returned " + inWords(given) + ", not a list of rows.";
    const asked = "; asked for were ${rows} rows of ${columns}.";
    if (given.length > ${rows * columns}) return "returned a list of " + given.length.toLocaleString("en") + asked;
    const long = Array.from(given).findIndex((x) => isList(x) && x.length > ${Math.max(rows, columns)});
    return long < 0 ? undefined : "returned " + given[long].length.toLocaleString("en") + " numbers in row " + long + asked;
  };
  const found = typeof ${name} === "function" ? ${name} : undefined;
  if (!found) return postMessage({ problem: ${JSON.stringify(`The code defines no function named ${name}.`)} });
  try {
    const given = found(...${JSON.stringify(args)});
    const problem = problemOf(given);
    postMessage(problem ? { problem: "${name} " + problem } : { rows: Array.from(given, row) });
  } catch (error) {
    postMessage({ problem: "The function threw an error: " + (error && error.message || error) + "." });
  }
})();
`;
}

function inWorker(source: string): Promise<Said> {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = new Promise<Said>((resolve, reject) => {
    try {
      worker = new Worker(url);
    } catch {
      return reject(new Error("This page may not start a worker for your code; hand in a paste or a file instead."));
    }
    worker.onmessage = ({ data }: MessageEvent<Said>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      const place = event.lineno > 0 ? ` (line ${event.lineno})` : "";
      const message = event.message.replace(/^Uncaught /, "");
      const language = message.startsWith("SyntaxError") ? ` ${javascriptOnly}` : "";
      const sentence = message
        ? `The code does not run: ${message}${place}.${language}`
        : "The browser did not let a worker run your code here; hand in a paste or a file instead.";
      reject(new Error(sentence));
    };
    timer = setTimeout(() => {
      const reason = "Either a loop never ends, or it does far more than is asked for";
      reject(new Error(`The function was stopped after ${limitMs / 1000} seconds. ${reason}.`));
    }, limitMs);
  });
  return run.finally(() => {
    clearTimeout(timer);
    worker?.terminate();
    URL.revokeObjectURL(url);
  });
}

function matrixOf(given: unknown, { name, rows, columns }: SandboxTask): Matrix {
  const list = given as unknown[];
  // One long list of all numbers, row after row, is as good.
  const table = list.length === rows * columns && list.every((cell) => typeof cell === "number") ? chunks(list, columns) : list;
  if (table.length === 0) throw new Error(`${name} returned an empty list.`);
  const width = Array.isArray(table[0]) ? table[0].length : 0;
  const out: number[] = [];
  for (const [r, row] of table.entries()) {
    if (!Array.isArray(row)) throw new Error(`Row ${r} of what ${name} returned is ${String(row)}, not a list of numbers.`);
    if (row.length !== width) throw new Error(`Row ${r} has ${row.length} ${row.length === 1 ? "number" : "numbers"}, row 0 has ${width}.`);
    for (const [c, cell] of (row as unknown[]).entries()) {
      if (typeof cell !== "number" || !Number.isFinite(cell)) {
        throw new Error(`Row ${r}, column ${c} is ${String(cell)}; every cell must be a finite number.`);
      }
      out.push(cell);
    }
  }
  const transposed = table.length === columns && width === rows;
  if ((table.length !== rows || width !== columns) && !transposed) {
    const found = `${table.length} ${table.length === 1 ? "row" : "rows"} of ${width} ${width === 1 ? "number" : "numbers"}`;
    throw new Error(`${name} returned ${found}; asked for were ${rows} rows of ${columns}.`);
  }
  return { shape: [table.length, width], data: Float32Array.from(out) };
}

function chunks(cells: readonly unknown[], columns: number): unknown[][] {
  return Array.from({ length: cells.length / columns }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
}
