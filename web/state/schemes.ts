// The position schemes as the page shows them: one colour each, the same everywhere (Okabe and Ito's colours, which
// colour-blind readers tell apart). Names are the core's.

import type { Positions } from "../engine/types.js";

export interface Scheme {
  name: Positions;
  title: string;
  colour: string;
}

export const schemes: readonly Scheme[] = [
  { name: "none", title: "none", colour: "#d55e00" },
  { name: "learned", title: "learned", colour: "#0072b2" },
  { name: "sinusoidal", title: "sinusoidal", colour: "#e69f00" },
  { name: "rope", title: "RoPE", colour: "#009e73" },
  { name: "alibi", title: "ALiBi", colour: "#cc79a7" },
];

/** Runs that differ in their output layer and not in their scheme, in two further colours of the palette. */
export const outputs = [
  { name: "tied", title: "tied", colour: "#56b4e9" },
  { name: "untied", title: "untied", colour: "#808080" },
] as const;

export function schemeOf(name: string): Scheme {
  const scheme = schemes.find((each) => each.name === name);
  if (!scheme) throw new Error(`No position scheme is called ${JSON.stringify(name)}.`);
  return scheme;
}
