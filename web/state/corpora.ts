// The texts a race can train on. The page's own ones are loaded when a training first asks for them.

import { loadAsset } from "./assets.js";

export type CorpusName = "moby-dick" | "first-names" | "own";

export const corpora: Record<CorpusName, { title: string; note: string }> = {
  "moby-dick": { title: "Moby-Dick", note: "The novel by Herman Melville, with its line breaks." },
  "first-names": { title: "First names", note: "English first names, one a line." },
  own: { title: "Your own text", note: "Paste a text or drop a file. It stays on this computer." },
};

/** The text of a corpus; `own` is what the reader gave. */
export function corpusText(name: CorpusName, own: string): Promise<string> {
  return name === "own" ? Promise.resolve(own) : loadAsset(name);
}
