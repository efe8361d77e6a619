// The ONE list of everything a reader can set, by panel. It makes the panels' attributes, the page's address and the
// sentences about values that are not allowed.

import { schemes } from "./schemes.js";

export type PanelName =
  | "sinusoid"
  | "embed"
  | "mistakes"
  | "race"
  | "attention"
  | "learned"
  | "shuffle"
  | "clock"
  | "rope"
  | "tying"
  | "explain"
  | "derive"
  | "build"
  | "break"
  | "checklist";

interface Common {
  panel: PanelName;
  name: string;
}
export interface NumberProp extends Common {
  kind: "integer" | "number";
  fallback: number;
  least: number;
  most: number;
}
interface ChoiceProp extends Common {
  kind: "choice";
  fallback: string;
  allowed: readonly string[];
}
interface ChoicesProp extends Common {
  kind: "choices";
  fallback: readonly string[];
  allowed: readonly string[];
  most: number;
}
interface TextProp extends Common {
  kind: "text";
  fallback: string;
  most: number;
}
export type Prop = NumberProp | ChoiceProp | ChoicesProp | TextProp;
export type PropValue = number | string | readonly string[];

const schemeNames = schemes.map(({ name }) => name);
const anyRun = ["", ...schemeNames];

export const PROPS: readonly Prop[] = [
  { panel: "sinusoid", name: "n", kind: "integer", fallback: 100, least: 2, most: 512 },
  { panel: "sinusoid", name: "d", kind: "integer", fallback: 64, least: 1, most: 512 },
  { panel: "sinusoid", name: "base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  {
    panel: "sinusoid",
    name: "layout",
    kind: "choice",
    fallback: "interleaved",
    allowed: ["interleaved", "concatenated"],
  },
  { panel: "sinusoid", name: "shift", kind: "integer", fallback: 7, least: 0, most: 512 },
  { panel: "embed", name: "phrase", kind: "text", fallback: "dog bites man", most: 64 },
  { panel: "embed", name: "vectors", kind: "choice", fallback: "", allowed: anyRun },
  { panel: "embed", name: "model", kind: "choice", fallback: "trained", allowed: ["trained", "fresh"] },
  {
    panel: "embed",
    name: "tensor",
    kind: "choice",
    fallback: "add",
    allowed: ["ids", "token", "places", "position", "add", "input"],
  },
  { panel: "embed", name: "neighbour", kind: "text", fallback: "", most: 2 },
  { panel: "mistakes", name: "bug_seed", kind: "integer", fallback: 0, least: 0, most: 999 },
  { panel: "shuffle", name: "sentence", kind: "text", fallback: "dog bites man", most: 48 },
  { panel: "shuffle", name: "word_order", kind: "text", fallback: "", most: 60 },
  { panel: "shuffle", name: "shuffled", kind: "choice", fallback: "none", allowed: schemeNames },
  { panel: "shuffle", name: "mask", kind: "choice", fallback: "off", allowed: ["off", "on"] },
  { panel: "shuffle", name: "layers", kind: "integer", fallback: 2, least: 1, most: 4 },
  { panel: "shuffle", name: "weights", kind: "choice", fallback: "random", allowed: ["random", "trained"] },
  { panel: "clock", name: "p", kind: "integer", fallback: 10, least: 0, most: 4096 },
  { panel: "clock", name: "pairs", kind: "integer", fallback: 8, least: 1, most: 32 },
  { panel: "clock", name: "clock_base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  { panel: "clock", name: "context", kind: "integer", fallback: 64, least: 2, most: 2048 },
  { panel: "clock", name: "further", kind: "integer", fallback: 5, least: 0, most: 512 },
  { panel: "rope", name: "query", kind: "text", fallback: "1, 2, 3, 4", most: 400 },
  { panel: "rope", name: "key", kind: "text", fallback: "2, 1, -1, 0.5", most: 400 },
  { panel: "rope", name: "query_at", kind: "integer", fallback: 7, least: 0, most: 4096 },
  { panel: "rope", name: "key_at", kind: "integer", fallback: 3, least: 0, most: 4096 },
  { panel: "rope", name: "both", kind: "integer", fallback: 0, least: 0, most: 4096 },
  { panel: "rope", name: "rope_base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  { panel: "rope", name: "pairing", kind: "choice", fallback: "adjacent", allowed: ["adjacent", "half"] },
  { panel: "rope", name: "heads", kind: "integer", fallback: 4, least: 1, most: 16 },
  { panel: "rope", name: "bias_head", kind: "integer", fallback: 0, least: 0, most: 15 },
  { panel: "tying", name: "output", kind: "choice", fallback: "tied", allowed: ["tied", "untied"] },
  { panel: "tying", name: "vocab", kind: "integer", fallback: 65, least: 2, most: 8192 },
  { panel: "tying", name: "rows", kind: "integer", fallback: 32, least: 1, most: 1024 },
  { panel: "tying", name: "width", kind: "integer", fallback: 32, least: 1, most: 256 },
  { panel: "tying", name: "blocks", kind: "integer", fallback: 2, least: 1, most: 8 },
  { panel: "tying", name: "tying_steps", kind: "integer", fallback: 300, least: 1, most: 3000 },
  { panel: "race", name: "schemes", kind: "choices", fallback: ["learned", "none"], allowed: schemeNames, most: 4 },
  { panel: "race", name: "size", kind: "choice", fallback: "lab", allowed: ["tiny", "lab", "nano"] },
  { panel: "race", name: "steps", kind: "integer", fallback: 1500, least: 1, most: 20000 },
  { panel: "race", name: "seed", kind: "integer", fallback: 0, least: 0, most: 4294967295 },
  {
    panel: "race",
    name: "corpus",
    kind: "choice",
    fallback: "moby-dick",
    allowed: ["moby-dick", "first-names", "own"],
  },
  { panel: "attention", name: "run", kind: "choice", fallback: "", allowed: anyRun },
  { panel: "attention", name: "layer", kind: "integer", fallback: 0, least: 0, most: 31 },
  { panel: "attention", name: "head", kind: "integer", fallback: 0, least: 0, most: 31 },
  { panel: "attention", name: "text", kind: "text", fallback: "Call me Ishmael.", most: 200 },
  { panel: "learned", name: "view", kind: "choice", fallback: "both", allowed: ["both", "table", "similarity"] },
  { panel: "learned", name: "short", kind: "integer", fallback: 20, least: 1, most: 64 },
  { panel: "derive", name: "numbers", kind: "integer", fallback: 1, least: 1, most: 4294967295 },
  { panel: "build", name: "task", kind: "choice", fallback: "sinusoidal", allowed: ["sinusoidal", "rope"] },
  { panel: "build", name: "build_n", kind: "integer", fallback: 50, least: 2, most: 512 },
  { panel: "build", name: "build_d", kind: "integer", fallback: 16, least: 2, most: 256 },
  { panel: "build", name: "build_base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  { panel: "build", name: "build_pairing", kind: "choice", fallback: "half", allowed: ["half", "adjacent"] },
  { panel: "build", name: "build_rows", kind: "choice", fallback: "query", allowed: ["query", "value"] },
  { panel: "break", name: "break_size", kind: "choice", fallback: "tiny", allowed: ["tiny", "lab"] },
  { panel: "break", name: "break_steps", kind: "integer", fallback: 600, least: 1, most: 20000 },
];

export function propsOf(panel: PanelName): readonly Prop[] {
  return PROPS.filter((prop) => prop.panel === panel);
}

export class PropError extends Error {}

function wrong(prop: Prop, text: string, allowed: string): PropError {
  const kept = textOf(prop, prop.fallback);
  const instead = kept === "" ? "It is left empty." : `${kept} is used instead.`;
  return new PropError(`${prop.name} is ${JSON.stringify(text)}, but ${allowed}. ${instead}`);
}

/** The value a text stands for; throws a PropError with the text and what is allowed. */
export function parseProp(prop: Prop, text: string): PropValue {
  switch (prop.kind) {
    case "integer":
    case "number": {
      const value = text.trim() === "" ? Number.NaN : Number(text);
      const whole = prop.kind === "integer" ? "whole " : "";
      const inside = value >= prop.least && value <= prop.most;
      if (!inside || (prop.kind === "integer" && !Number.isInteger(value))) {
        throw wrong(prop, text, `it must be a ${whole}number from ${prop.least} to ${prop.most}`);
      }
      return value;
    }
    case "choice":
      if (!prop.allowed.includes(text)) {
        throw wrong(prop, text, `it must be one of ${prop.allowed.filter(Boolean).join(", ")}`);
      }
      return text;
    case "choices": {
      const values = [...new Set(text.split(",").map((part) => part.trim()))];
      const fits = values.length <= prop.most && values.every((value) => prop.allowed.includes(value));
      if (!fits) throw wrong(prop, text, `it must be one to ${prop.most} of ${prop.allowed.join(", ")}`);
      return values;
    }
    case "text":
      if (text.length > prop.most) throw wrong(prop, text, `it may have ${prop.most} characters at most`);
      return text;
  }
}

/** The text that stands for a value, as in an attribute or the address. */
export function textOf(prop: Prop, value: PropValue): string {
  return prop.kind === "choices" ? (value as readonly string[]).join(",") : String(value);
}

export interface Address {
  /** Texts by name, unchecked; the panels check their own. */
  values: Map<string, string>;
  /** Sentences about names that nobody knows. */
  complaints: string[];
}

/** What mail programs and search engines add to addresses. */
const foreign = /^(utm_|fbclid$|gclid$|mc_)/;

/** Splits a query string into known names and sentences about unknown ones. */
export function readAddress(query: string, alsoKnown: readonly string[] = []): Address {
  const values = new Map<string, string>();
  const complaints: string[] = [];
  for (const [name, text] of new URLSearchParams(query)) {
    if (PROPS.some((prop) => prop.name === name) || alsoKnown.includes(name)) values.set(name, text);
    else if (!foreign.test(name)) {
      const known = PROPS.map((prop) => prop.name).join(", ");
      complaints.push(`The address sets ${JSON.stringify(name)} to ${JSON.stringify(text)}, but nothing has that name; known are ${known}.`);
    }
  }
  return { values, complaints };
}

/** The query string with one value set, or left out when it is the usual one. */
export function writeAddress(query: string, prop: Prop, value: PropValue): string {
  const params = new URLSearchParams(query);
  const text = textOf(prop, value);
  if (text === textOf(prop, prop.fallback)) params.delete(prop.name);
  else params.set(prop.name, text);
  const written = params.toString().replaceAll("%2C", ",");
  return written === "" ? "" : `?${written}`;
}
