// The page's address as a list of settings: read by name, with a sentence about each name that nobody knows or that is
// set twice, and written again with one setting changed.

import { cut, echo, PROPS, textOf, type PanelName, type Prop, type PropValue } from "./props.js";

export interface Address {
  /** Texts by name, unchecked; the panels check their own. */
  values: Map<string, string>;
  /** Sentences about names that nobody knows, and about those set twice. */
  complaints: string[];
}

/** What mail programs and search engines add to addresses. */
const foreign = /^(utm_|fbclid$|gclid$|mc_)/;

/** Of a link that is broken through and through, so many sentences are enough to see it. */
const maxComplaints = 5;

/** Splits a query string into known names and sentences about the others. Only the names of `panels` are proposed. */
export function readAddress(
  query: string,
  alsoKnown: readonly string[] = [],
  panels: readonly PanelName[] = [],
): Address {
  const values = new Map<string, string>();
  const complaints: string[] = [];
  let unsaid = 0;
  const near = PROPS.filter(({ panel }) => panels.length === 0 || panels.includes(panel)).map(({ name }) => name);
  const complain = (sentence: () => string) => {
    if (complaints.length === maxComplaints) unsaid += 1;
    else complaints.push(sentence());
  };
  for (const [name, text] of new URLSearchParams(query)) {
    const sooner = values.get(name);
    if (sooner !== undefined) {
      if (sooner === text) continue;
      complain(() => `The address sets ${name} to ${echo(sooner)} and again to ${echo(text)}; the first counts.`);
    } else if (PROPS.some((prop) => prop.name === name) || alsoKnown.includes(name)) values.set(name, text);
    else if (!foreign.test(name)) {
      complain(() => {
        const sets = `The address sets ${JSON.stringify(cut(name))} to ${echo(text)}, but nothing has that name`;
        return `${sets}${advice(name, [...near, ...alsoKnown], panels.length === 1)}`;
      });
    }
  }
  if (unsaid > 0) {
    const more = unsaid === 1 ? "one more name that nothing has or that is" : `${unsaid} more names that nothing has or that are`;
    complaints.push(`The address sets ${more} set already.`);
  }
  return { values, complaints };
}

/** Says which name was probably meant or, for one panel alone, all there are. */
function advice(name: string, known: readonly string[], all: boolean): string {
  const bound = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .filter((each) => Math.abs(each.length - name.length) <= bound)
    .map((each) => ({ each, far: editDistance(name.toLowerCase(), each) }));
  ranked.sort((a, b) => a.far - b.far);
  const [best] = ranked;
  if (best && best.far <= bound) return `; ${best.each} is the nearest that is known.`;
  return all && known.length > 0 ? `; known here are ${known.join(", ")}.` : ".";
}

/** How many letters must be put in, left out, changed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    const at = (up: number, j: number) => rows[i - up]?.[j] ?? 0;
    for (let j = 1; j <= b.length; ++j) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [at(1, j) + 1, (row[j - 1] ?? 0) + 1, at(1, j - 1) + same];
      row.push(Math.min(...ways, swapped ? at(2, j - 2) + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
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
