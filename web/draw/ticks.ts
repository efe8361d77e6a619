// Where an axis gets its numbers, and how numbers are written.

/** The smallest of 1, 2, 5, 10, 20, … that puts ticks at least `apart` pixels from each other. */
export function tickStep(pixelsPerUnit: number, apart: number): number {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      if (factor * power * pixelsPerUnit >= apart) return factor * power;
    }
  }
}

/** Indices 0 … count-1 that get a tick, given the size of a cell and the index's own number. */
export function tickIndices(count: number, cell: number, apart: number, first = 0): number[] {
  const step = tickStep(cell, apart);
  const ticks: number[] = [];
  for (let i = 0; i < count; ++i) if ((first + i) % step === 0) ticks.push(i);
  return ticks;
}

/** A measured value in a read-out: as many digits as a reader can use. */
export function formatValue(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && size < 0.5 * 10 ** -digits) return value.toPrecision(2).replace(/^-/, "−");
  // toFixed may leave "-0.00"; a minus sign is wider than a hyphen and aligns with the digits.
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
}

/** A deviation: 0, or two digits and a power of ten where it is small. */
export function formatDeviation(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 0.01) return formatValue(value, Math.abs(value) >= 100 ? 0 : 3);
  const [digits = "", power = ""] = value.toExponential(1).split("e");
  const raised = [...power.replace("+", "")].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("");
  // Unbreakable, so that no line ends within a number.
  return `${digits.replace("-", "−")}\u00a0×\u00a010${raised}`;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Seconds as a reader says them. */
export function formatDuration(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A token as a sign one can see. */
export function visibleToken(token: string): string {
  if (token === "\n") return "↵";
  if (token === " ") return "␣";
  if (token === "\t") return "⇥";
  return token;
}

/** A token as a screen reader should say it. */
export function spokenToken(token: string): string {
  if (token === "\n") return "line break";
  if (token === " ") return "space";
  if (token === "\t") return "tab";
  return `'${token}'`;
}
