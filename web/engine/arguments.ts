// Argument checks that the core cannot make: an option that nobody knows, a value of the wrong type. Ranges and
// combinations are the core's business, it says them in its own sentences.

/** How a value looks in an error sentence. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "function") return "a function";
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return `a list of ${(value as { length: number }).length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

type Kind = "number" | "integer" | "string" | "boolean" | "function" | "signal";

/** What an option may be, in words: `["integer", "positive"]` would be the core's business, this is only the type. */
export type Shape = Record<string, Kind>;

const wording: Record<Kind, string> = {
  number: "a finite number",
  integer: "a whole number",
  string: "a string",
  boolean: "true or false",
  function: "a function",
  signal: "an AbortSignal",
};

function fits(kind: Kind, value: unknown): boolean {
  if (kind === "number") return typeof value === "number" && Number.isFinite(value);
  if (kind === "integer") return Number.isSafeInteger(value);
  // One of another window is no instance of this one's class.
  if (kind === "signal") return typeof (value as Partial<AbortSignal> | null)?.aborted === "boolean";
  return typeof value === kind;
}

/** Throws when `value` is not of `kind`, naming the argument, the value and what is allowed. */
export function expect(name: string, value: unknown, kind: Kind): void {
  if (!fits(kind, value)) throw new Error(`${name} is ${shown(value)}; it must be ${wording[kind]}.`);
}

/** Checks an options object against the options that exist: unknown names and wrong types are reported. */
export function expectOptions(where: string, options: unknown, shape: Shape): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new Error(`${where} takes an object of options, got ${shown(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = shape[name];
    if (kind === undefined) {
      const known = Object.keys(shape).join(", ");
      throw new Error(`${where} has no option ${JSON.stringify(name)} (it is ${shown(value)}); it knows ${known}.`);
    }
    if (value !== undefined) expect(name, value, kind);
  }
}

/** A copy of `options` without the entries that are undefined, so that they do not hide a default. */
export function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Numbers from an array or typed array as 32-bit floats. */
export function floats(name: string, values: ArrayLike<number>): Float32Array {
  if (!(Array.isArray(values) || ArrayBuffer.isView(values))) {
    throw new Error(`${name} is ${shown(values)}; it must be a list of numbers.`);
  }
  const data = Float32Array.from(values);
  const wrong = data.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw new Error(`${name}[${wrong}] is ${shown(values[wrong])}; it must be a finite number.`);
  return data;
}
