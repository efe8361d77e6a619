// The page's script: registers the elements and ties them to the address. The same script serves index.html, which holds
// the article, and embed.html, which shows the one panel that its address names. On any other page it only registers the
// elements: that page's address is its own business.

import "./elements/poslab-attention.js";
import "./elements/poslab-break.js";
import "./elements/poslab-build.js";
import "./elements/poslab-checklist.js";
import "./elements/poslab-clock.js";
import "./elements/poslab-derive.js";
import "./elements/poslab-embed.js";
import "./elements/poslab-explain.js";
import "./elements/poslab-learned.js";
import "./elements/poslab-mistakes.js";
import "./elements/poslab-race.js";
import "./elements/poslab-rope.js";
import "./elements/poslab-shuffle.js";
import "./elements/poslab-sinusoid.js";
import "./elements/poslab-tying.js";
import { followAddress, panelNames, showComplaints, tagOf } from "./state/page.js";
import { echo } from "./state/props.js";

/** Tells the page around this one how high the panel is, now and whenever that changes. To any origin, for it says
 * nothing else. */
function tellHeight(panel: Element): void {
  if (parent === window) return;
  const observer = new ResizeObserver(() => {
    parent.postMessage({ position_lab: { height: Math.ceil(panel.getBoundingClientRect().bottom + scrollY) } }, "*");
  });
  observer.observe(panel);
}

const aimMs = 5000;
/** What a reader does who wants to be elsewhere, or has arrived. */
const readerMoves = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Keeps the place that the address names at the top while panels above it grow to their size, which they do only when
 * they come near: until the reader moves, or for some seconds. */
function aim(article: Element): void {
  const target = document.querySelector(":target");
  if (!target) return;
  const scroll = () => target.scrollIntoView({ behavior: "instant" });
  const observer = new ResizeObserver(scroll);
  const end = new AbortController();
  end.signal.addEventListener("abort", () => observer.disconnect());
  for (const type of readerMoves) addEventListener(type, () => end.abort(), { signal: end.signal, passive: true });
  setTimeout(() => end.abort(), aimMs);
  observer.observe(article);
}

/** Links inside the page lead to where they say; going back or reloading stays the browser's. */
function followLinks(article: Element): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type === "navigate") addEventListener("load", () => aim(article));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : undefined;
    // After the browser has scrolled.
    if (link && !event.defaultPrevented) setTimeout(() => aim(article));
  });
}

const frame = document.querySelector("main#embed");
const article = document.querySelector("#lab");
if (frame) {
  const asked = new URLSearchParams(location.search).get("panel");
  const panel = panelNames.find((name) => name === asked);
  const complaints: string[] = [];
  if (!panel) {
    const given = asked === null ? "The address names no panel" : `panel is ${echo(asked)}`;
    complaints.push(`${given}; it must be one of ${panelNames.join(", ")}. ${panelNames[0]} is shown instead.`);
  }
  frame.append(document.createElement(tagOf(panel ?? "sinusoid")));
  showComplaints([...complaints, ...followAddress(document, ["panel"])], frame);
  tellHeight(frame);
} else if (article) {
  showComplaints(followAddress(document), article);
  followLinks(article);
  // As a teacher needs it; relative where the page was opened from a disk.
  const address = article.querySelector("[data-address]");
  if (address && location.protocol !== "file:") address.textContent = new URL("embed.html", location.href).href;
}
