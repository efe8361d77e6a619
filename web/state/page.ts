// Ties the panels of a page to its address: what the address says goes into them as attributes, what the reader changes
// goes back into the address.

import type { PropChange } from "../panels/panel.js";
import { readAddress, writeAddress } from "./address.js";
import { PROPS, propsOf, type PanelName } from "./props.js";

export const panelNames: readonly PanelName[] = [
  "sinusoid",
  "shuffle",
  "clock",
  "rope",
  "tying",
  "race",
  "attention",
  "learned",
  "embed",
  "mistakes",
  "explain",
  "derive",
  "build",
  "break",
  "checklist",
];

export function tagOf(panel: PanelName): string {
  return `poslab-${panel}`;
}

/** Applies the address to the panels below `root` and follows their changes. Returns sentences about unknown names. */
export function followAddress(root: Document, alsoKnown: readonly string[] = []): string[] {
  const present = panelNames.filter((panel) => root.querySelector(tagOf(panel)));
  const { values, complaints } = readAddress(location.search, alsoKnown, present);
  for (const panel of panelNames) {
    for (const element of root.querySelectorAll(tagOf(panel))) {
      for (const { name } of propsOf(panel)) {
        const text = values.get(name);
        if (text !== undefined) element.setAttribute(name, text);
      }
    }
  }
  root.addEventListener("poslab-change", (event) => {
    const { panel, name, value } = (event as CustomEvent<PropChange>).detail;
    const prop = PROPS.find((each) => each.panel === panel && each.name === name);
    if (prop) replaceAddress(writeAddress(location.search, prop, value));
  });
  return complaints;
}

function replaceAddress(query: string): void {
  try {
    history.replaceState(null, "", `${location.pathname}${query}${location.hash}`);
  } catch {
    // A sandboxed frame may not change its address; the panel works without.
  }
}

/** Shows sentences about the address at the top of the page. */
export function showComplaints(sentences: readonly string[], before: Element): void {
  if (sentences.length === 0) return;
  const box = document.createElement("div");
  box.className = "complaints";
  box.setAttribute("role", "status");
  for (const sentence of sentences) {
    const line = document.createElement("p");
    line.textContent = sentence;
    box.append(line);
  }
  before.before(box);
}
