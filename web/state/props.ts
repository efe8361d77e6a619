// The ONE list of everything a reader can set, by panel. It makes the panels' attributes, the page's address (address.ts)
// and the sentences about values that are not allowed.

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
  /** What its control is called on screen. */
  title: string;
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
  { panel: "sinusoid", name: "n", title: "Positions n", kind: "integer", fallback: 100, least: 2, most: 512 },
  { panel: "sinusoid", name: "d", title: "Width d", kind: "integer", fallback: 64, least: 1, most: 512 },
  { panel: "sinusoid", name: "base", title: "Base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  {
    panel: "sinusoid",
    name: "layout",
    title: "Columns",
    kind: "choice",
    fallback: "interleaved",
    allowed: ["interleaved", "concatenated"],
  },
  { panel: "sinusoid", name: "shift", title: "Places to go on, k", kind: "integer", fallback: 7, least: 0, most: 512 },
  { panel: "embed", name: "phrase", title: "Your sentence", kind: "text", fallback: "dog bites man", most: 64 },
  { panel: "embed", name: "vectors", title: "Positions of the model", kind: "choice", fallback: "", allowed: anyRun },
  {
    panel: "embed",
    name: "model",
    title: "Vectors",
    kind: "choice",
    fallback: "trained",
    allowed: ["trained", "fresh"],
  },
  {
    panel: "embed",
    name: "tensor",
    title: "Box of the drawing",
    kind: "choice",
    fallback: "add",
    allowed: ["ids", "token", "places", "position", "add", "input"],
  },
  { panel: "embed", name: "neighbour", title: "Nearest to", kind: "text", fallback: "", most: 2 },
  {
    panel: "mistakes",
    name: "bug_seed",
    title: "Seed of tokens, weights and order",
    kind: "integer",
    fallback: 0,
    least: 0,
    most: 999,
  },
  { panel: "shuffle", name: "sentence", title: "Sentence", kind: "text", fallback: "dog bites man", most: 48 },
  { panel: "shuffle", name: "word_order", title: "Order of the words", kind: "text", fallback: "", most: 60 },
  { panel: "shuffle", name: "shuffled", title: "Positions", kind: "choice", fallback: "none", allowed: schemeNames },
  { panel: "shuffle", name: "mask", title: "Causal mask", kind: "choice", fallback: "off", allowed: ["off", "on"] },
  { panel: "shuffle", name: "layers", title: "Layers", kind: "integer", fallback: 2, least: 1, most: 4 },
  {
    panel: "shuffle",
    name: "weights",
    title: "Weights",
    kind: "choice",
    fallback: "random",
    allowed: ["random", "trained"],
  },
  { panel: "clock", name: "p", title: "Position p", kind: "integer", fallback: 10, least: 0, most: 4096 },
  { panel: "clock", name: "pairs", title: "Pairs of columns", kind: "integer", fallback: 8, least: 1, most: 32 },
  { panel: "clock", name: "clock_base", title: "Base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  {
    panel: "clock",
    name: "context",
    title: "Length of the context",
    kind: "integer",
    fallback: 64,
    least: 2,
    most: 2048,
  },
  { panel: "clock", name: "further", title: "Steps further k", kind: "integer", fallback: 5, least: 0, most: 512 },
  { panel: "rope", name: "query", title: "Query q", kind: "text", fallback: "1, 2, 3, 4", most: 400 },
  { panel: "rope", name: "key", title: "Key k", kind: "text", fallback: "2, 1, -1, 0.5", most: 400 },
  { panel: "rope", name: "query_at", title: "Position of q", kind: "integer", fallback: 7, least: 0, most: 4096 },
  { panel: "rope", name: "key_at", title: "Position of k", kind: "integer", fallback: 3, least: 0, most: 4096 },
  { panel: "rope", name: "both", title: "Shift both by", kind: "integer", fallback: 0, least: 0, most: 4096 },
  { panel: "rope", name: "rope_base", title: "Base", kind: "number", fallback: 10000, least: 1.01, most: 1e7 },
  {
    panel: "rope",
    name: "pairing",
    title: "Pairs",
    kind: "choice",
    fallback: "adjacent",
    allowed: ["adjacent", "half"],
  },
  { panel: "rope", name: "heads", title: "Heads with ALiBi", kind: "integer", fallback: 4, least: 1, most: 16 },
  { panel: "rope", name: "bias_head", title: "Head to look at", kind: "integer", fallback: 0, least: 0, most: 15 },
  {
    panel: "tying",
    name: "output",
    title: "Output layer",
    kind: "choice",
    fallback: "tied",
    allowed: ["tied", "untied"],
  },
  // At first as many as Moby-Dick has different characters, which the trainings below it are made for.
  { panel: "tying", name: "vocab", title: "Vocabulary V", kind: "integer", fallback: 83, least: 2, most: 8192 },
  { panel: "tying", name: "rows", title: "Positions T", kind: "integer", fallback: 32, least: 1, most: 1024 },
  { panel: "tying", name: "width", title: "Width C", kind: "integer", fallback: 32, least: 1, most: 256 },
  { panel: "tying", name: "blocks", title: "Blocks L", kind: "integer", fallback: 2, least: 1, most: 8 },
  {
    panel: "tying",
    name: "tying_steps",
    title: "Steps of training",
    kind: "integer",
    fallback: 300,
    least: 1,
    most: 3000,
  },
  {
    panel: "race",
    name: "schemes",
    title: "Positions",
    kind: "choices",
    fallback: ["learned", "none"],
    allowed: schemeNames,
    most: 4,
  },
  {
    panel: "race",
    name: "size",
    title: "Size of the model",
    kind: "choice",
    fallback: "lab",
    allowed: ["tiny", "lab", "nano"],
  },
  { panel: "race", name: "steps", title: "Steps", kind: "integer", fallback: 1500, least: 1, most: 20000 },
  { panel: "race", name: "seed", title: "Seed", kind: "integer", fallback: 0, least: 0, most: 4294967295 },
  { panel: "race", name: "turbo", title: "Turbo", kind: "choice", fallback: "off", allowed: ["off", "on"] },
  {
    panel: "race",
    name: "corpus",
    title: "Text to learn from",
    kind: "choice",
    fallback: "moby-dick",
    allowed: ["moby-dick", "first-names", "own"],
  },
  {
    panel: "race",
    name: "workers",
    title: "Workers for each run",
    kind: "choice",
    fallback: "auto",
    allowed: ["auto", "1", "2", "3", "4"],
  },
  { panel: "attention", name: "run", title: "Trained with positions", kind: "choice", fallback: "", allowed: anyRun },
  { panel: "attention", name: "layer", title: "Layer", kind: "integer", fallback: 0, least: 0, most: 31 },
  { panel: "attention", name: "head", title: "Head", kind: "integer", fallback: 0, least: 0, most: 31 },
  { panel: "attention", name: "text", title: "Text to look at", kind: "text", fallback: "Call me Ishmael.", most: 200 },
  {
    panel: "learned",
    name: "view",
    title: "Figures shown",
    kind: "choice",
    fallback: "both",
    allowed: ["both", "table", "similarity"],
  },
  {
    panel: "learned",
    name: "short",
    title: "Longest text, in characters",
    kind: "integer",
    fallback: 20,
    least: 1,
    most: 64,
  },
  {
    panel: "derive",
    name: "numbers",
    title: "Random numbers, set",
    kind: "integer",
    fallback: 1,
    least: 1,
    most: 4294967295,
  },
  {
    panel: "build",
    name: "task",
    title: "What you build",
    kind: "choice",
    fallback: "sinusoidal",
    allowed: ["sinusoidal", "rope"],
  },
  {
    panel: "build",
    name: "build_n",
    title: "Rows for the function",
    kind: "integer",
    fallback: 50,
    least: 2,
    most: 512,
  },
  {
    panel: "build",
    name: "build_d",
    title: "Width for the function",
    kind: "integer",
    fallback: 16,
    least: 2,
    most: 256,
  },
  {
    panel: "build",
    name: "build_base",
    title: "Base that is asked for",
    kind: "number",
    fallback: 10000,
    least: 1.01,
    most: 1e7,
  },
  {
    panel: "build",
    name: "build_pairing",
    title: "Pairs",
    kind: "choice",
    fallback: "half",
    allowed: ["half", "adjacent"],
  },
  {
    panel: "build",
    name: "build_rows",
    title: "The rows are",
    kind: "choice",
    fallback: "query",
    allowed: ["query", "value"],
  },
  {
    panel: "break",
    name: "break_size",
    title: "Size of both models",
    kind: "choice",
    fallback: "tiny",
    allowed: ["tiny", "lab"],
  },
  { panel: "break", name: "break_steps", title: "Steps", kind: "integer", fallback: 600, least: 1, most: 20000 },
];

export function propsOf(panel: PanelName): readonly Prop[] {
  return PROPS.filter((prop) => prop.panel === panel);
}

export class PropError extends Error {}

/** What a control of a panel is called on screen. */
export function titleOf(panel: PanelName, name: string): string {
  return PROPS.find((prop) => prop.panel === panel && prop.name === name)?.title ?? name;
}

const longestEcho = 40;

/** Not more of a text than a sentence can hold. */
export function cut(text: string): string {
  const characters = [...text];
  return characters.length > longestEcho ? `${characters.slice(0, longestEcho).join("")}…` : text;
}

/** What somebody wrote, as a sentence repeats it: numbers as they are, all else quoted and not too long. */
export function echo(text: string): string {
  if (text.trim() === "") return "empty";
  return Number.isFinite(Number(text)) ? cut(text) : JSON.stringify(cut(text));
}

function wrong(prop: Prop, text: string, allowed: string): PropError {
  const kept = textOf(prop, prop.fallback);
  const instead = kept === "" ? "It is left empty." : `${kept} is used instead.`;
  return new PropError(`“${prop.title}” is ${echo(text)}; ${allowed}. ${instead}`);
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
