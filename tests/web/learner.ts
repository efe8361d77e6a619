// A learner's attempts at the exercise `build`, right and wrong, and the formats they may be handed in.

/** One cell of a sinusoidal table; self-contained, since its text is also run in the page. */
export type Cell = (p: number, c: number, n: number, d: number, base: number) => number;

/** Attempts by the mistake that the grader must name; "" is right. */
export const tables: Record<string, Cell> = {
  "": (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** ((2 * Math.floor(c / 2)) / d)),
  cosine_exponent: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** (c / d)),
  sines_then_cosines: (p, c, _n, d, base) => (c < d / 2 ? Math.sin(p / base ** ((2 * c) / d)) : Math.cos(p / base ** ((2 * (c - d / 2)) / d))),
  cosines_then_sines: (p, c, _n, d, base) => (c < d / 2 ? Math.cos(p / base ** ((2 * c) / d)) : Math.sin(p / base ** ((2 * (c - d / 2)) / d))),
  timescales_minus_one: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** (Math.floor(c / 2) / (d / 2 - 1))),
  sin_cos_swapped: (p, c, _n, d, base) => (c % 2 ? Math.sin : Math.cos)(p / base ** ((2 * Math.floor(c / 2)) / d)),
  sines_only: (p, c, _n, d, base) => Math.sin(p / base ** ((2 * Math.floor(c / 2)) / d)),
  cosines_only: (p, c, _n, d, base) => Math.cos(p / base ** ((2 * Math.floor(c / 2)) / d)),
  column_as_pair: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** ((2 * c) / d)),
  exponent_halved: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** (Math.floor(c / 2) / d)),
  exponent_doubled: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** ((4 * Math.floor(c / 2)) / d)),
  exponent_sign: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p * base ** ((2 * Math.floor(c / 2)) / d)),
  positions_from_1: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)((p + 1) / base ** ((2 * Math.floor(c / 2)) / d)),
  other_base: (p, c, _n, d) => (c % 2 ? Math.cos : Math.sin)(p / 500 ** ((2 * Math.floor(c / 2)) / d)),
  degrees: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)((p / base ** ((2 * Math.floor(c / 2)) / d)) * (Math.PI / 180)),
  repeated_along_batch: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(Math.floor(p / 10) / base ** ((2 * Math.floor(c / 2)) / d)),
  same_angle: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** Math.floor((2 * Math.floor(c / 2)) / d)),
  integer_division: (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p * base ** Math.floor((-2 * Math.floor(c / 2)) / d)),
  float16: (p, c, _n, d, base) => {
    const x = (c % 2 ? Math.cos : Math.sin)(p / base ** ((2 * Math.floor(c / 2)) / d));
    const spacing = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x) || 1)), -14) - 10);
    return Math.round(x / spacing) * spacing;
  },
  few_decimals: (p, c, _n, d, base) => Math.round(100 * (c % 2 ? Math.cos : Math.sin)(p / base ** ((2 * Math.floor(c / 2)) / d))) / 100,
};

/** For an odd width: the table of one column more, cut. */
export const oddTable: Cell = (p, c, _n, d, base) => (c % 2 ? Math.cos : Math.sin)(p / base ** ((2 * Math.floor(c / 2)) / (d + 1)));

export type Rows = number[][];

export const tableOf = (cell: Cell, n: number, d: number, base = 10000): Rows =>
  Array.from({ length: n }, (_, p) => Array.from({ length: d }, (_, c) => cell(p, c, n, d, base)));

export const transposed = (rows: Rows): Rows => (rows[0] ?? []).map((_, c) => rows.map((row) => row[c] as number));

export const tableCode = (cell: Cell, transpose = false): string => `function positions(n, d, base) {
  const cell = ${String(cell)};
  const rows = Array.from({ length: n }, (_, p) => Array.from({ length: d }, (_, c) => cell(p, c, n, d, base)));
  return ${transpose ? "rows[0].map((_, c) => rows.map((row) => row[c]))" : "rows"};
}`;

export interface Turn {
  swaps?: "half" | "adjacent";
  angles?: "half" | "adjacent";
  sign?: number;
  shift?: number;
  position?: number;
  width?: number;
  base?: number;
}

/** One vector x at position p, turned as the options say; self-contained too. */
export function turn(x: number[], p: number, base: number, o: Turn): number[] {
  const width = o.width ?? x.length;
  const position = (o.position ?? p) + (o.shift ?? 0);
  return x.map((value, c) => {
    if (c >= width) return value;
    const half = width / 2;
    const i = o.angles === "adjacent" ? Math.floor(c / 2) : c % half;
    const angle = ((o.sign ?? 1) * position) / (o.base ?? base) ** ((2 * i) / width);
    const first = o.swaps === "adjacent" ? c % 2 === 0 : c < half;
    const step = o.swaps === "adjacent" ? 1 : half;
    const other = x[first ? c + step : c - step] as number;
    return value * Math.cos(angle) + (first ? -1 : 1) * other * Math.sin(angle);
  });
}

/** Attempts at half-split RoPE by the mistake that must be named; "" is right. */
export const turns: Record<string, Turn> = {
  "": {},
  pairing_other: { swaps: "adjacent", angles: "adjacent" },
  pairing_mixed: { swaps: "half", angles: "adjacent" },
  wrong_sign: { sign: -1 },
  not_turned: { position: 0 },
  position_constant: { position: 3 },
  partial_width: { width: 4 },
  positions_from_1: { shift: 1 },
  other_base: { base: 500 },
};

export const turnCode = (options: Turn): string => `function rope(X, base) {
  ${String(turn)}
  return X.map((x, p) => turn(x, p, base, ${JSON.stringify(options)}));
}`;

export const csv = (rows: Rows): string => rows.map((row) => row.join(",")).join("\n");
export const json = (rows: Rows): string => JSON.stringify(rows);
export const numpy = (rows: Rows): string =>
  `array([${rows.map((row) => `[${row.map((x) => x.toExponential(8)).join(", ")}]`).join(",\n       ")}])`;
/** As print() writes it: brackets and blanks. */
export const printed = (rows: Rows): string => `[${rows.map((row) => `[ ${row.map((x) => x.toFixed(8)).join("  ")}]`).join("\n ")}]`;

/** A .npy file of format version 1. */
export function npy(rows: Rows, dtype: "<f4" | "<f8", fortran: boolean, shape = [rows.length, rows[0]?.length ?? 0]): Buffer {
  const order = (fortran ? transposed(rows) : rows).flat();
  const dict = `{'descr': '${dtype}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape.join(", ")},), }`;
  const header = dict.padEnd(Math.ceil((10 + dict.length + 1) / 64) * 64 - 11) + "\n";
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  const data = dtype === "<f4" ? new Float32Array(order) : new Float64Array(order);
  return Buffer.concat([start, Buffer.from(header, "latin1"), Buffer.from(data.buffer)]);
}
