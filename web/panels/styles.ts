// The look shared by all panels: colours, controls, read-outs. Each colour is a variable that a host page may override
// (--poslab-ink, --poslab-paper, …); light and dark follow the page's own colour scheme.

import { css, unsafeCSS } from "lit";
import { outputs, schemes } from "../state/schemes.js";
import { printStyles } from "./print.js";

/** Each scheme's colour, for whatever carries its name. As rules and not as style attributes, which a strict
 * Content-Security-Policy forbids. */
const schemeColours = unsafeCSS(
  [...schemes, ...outputs].map(({ name, colour }) => `[data-scheme="${name}"] { --chip: ${colour}; }`).join("\n"),
);

export const base = css`
  :host {
    --ink: var(--poslab-ink, CanvasText);
    --paper: var(--poslab-paper, Canvas);
    --soft: var(--poslab-soft, color-mix(in srgb, CanvasText 68%, Canvas));
    --rule: var(--poslab-rule, color-mix(in srgb, CanvasText 18%, Canvas));
    --raised: var(--poslab-raised, color-mix(in srgb, CanvasText 5%, Canvas));
    --accent: var(--poslab-accent, light-dark(#8a2438, #ef9aa6));
    --on-accent: var(--poslab-on-accent, light-dark(#ffffff, #2a0d13));
    --warn: var(--poslab-warn, light-dark(#8f3b00, #ffb27d));
    --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    display: block;
    container-type: inline-size;
    color: var(--ink);
    background: var(--paper);
    font: 400 1rem/1.45 var(--poslab-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif);
    font-size: 0.9375rem;
    font-variant-numeric: tabular-nums;
    text-align: left;
  }
  :host(:not([awake])) {
    min-height: 36rem;
    border-block: 1px solid var(--rule);
  }
  :host([hidden]) {
    display: none;
  }
  :host(:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  figure {
    margin: 0;
    border-block: 1px solid var(--rule);
    padding-block: 1rem;
  }
  figcaption,
  .note {
    color: var(--soft);
    margin-block: 0.75rem 0;
    max-width: 68ch;
  }
  .layout {
    display: grid;
    gap: 0.75rem 2rem;
    grid-template-columns: minmax(0, 1fr);
  }
  @container (min-width: 720px) {
    .layout {
      grid-template-columns: 13.5rem minmax(0, 1fr);
    }
  }
  .controls {
    display: flex;
    flex-flow: row wrap;
    gap: 0.75rem 1rem;
    align-content: start;
  }
  @container (min-width: 720px) {
    .controls {
      flex-direction: column;
      flex-wrap: nowrap;
    }
  }
  /* Controls that are locked together stand like all others. */
  .controls > .settings {
    display: contents;
  }
  .controls > *,
  .settings > * {
    min-width: 0;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  ${printStyles}
  h3 {
    margin: 1rem 0 0.4rem;
    font-size: inherit;
    font-weight: 600;
  }
  legend,
  .label {
    display: block;
    padding: 0;
    margin-bottom: 0.2rem;
    color: var(--soft);
    font-size: 0.8125rem;
  }
  /* What the reader is asked is read before it is answered. */
  .question {
    color: inherit;
    font-size: inherit;
    margin-bottom: 0.4rem;
  }
`;

/** Said to screen readers only. */
export const spokenStyles = css`
  .spoken {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`;

/** Claims that are checked by number, side by side where there is room. */
export const proofStyles = css`
  .proofs {
    display: grid;
    gap: 0.75rem;
    margin: 1rem 0;
  }
  @container (min-width: 900px) {
    .proofs {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
  }
`;

export const controls = css`
  ${schemeColours}
  input,
  select,
  textarea,
  button {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  input:not([type="checkbox"], [type="radio"], [type="file"]),
  select,
  textarea {
    background: var(--paper);
    border: 1px solid var(--rule);
    border-radius: 4px;
    padding: 0.35rem 0.5rem;
    min-height: 2.25rem;
    width: 100%;
  }
  input[type="number"] {
    width: 7.5rem;
  }
  input:not([type="checkbox"], [type="radio"], [type="file"])[type="range"] {
    accent-color: var(--accent);
    padding: 0;
    border: 0;
    background: none;
    min-width: 0;
  }
  .slider {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 5.6rem 2.25rem;
    gap: 0 0.4rem;
    align-items: center;
    width: 100%;
    max-width: 22rem;
  }
  .slider .label {
    grid-column: 1 / -1;
  }
  .slider input[type="number"] {
    width: 100%;
  }
  .slider button {
    padding: 0;
    min-height: 2.25rem;
  }
  .line {
    width: 100%;
  }
  .label.under {
    margin: 0.2rem 0 0;
  }
  /* Nobody can use it now, which must show at a glance. */
  :is(input, select, textarea):disabled {
    opacity: 0.6;
    cursor: not-allowed;
  }
  :is(input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea):disabled {
    background: var(--raised);
    border: 1px dashed var(--soft);
  }
  label:has(> :is(input, select, textarea):disabled) {
    color: var(--soft);
  }
  input[aria-invalid="true"],
  textarea[aria-invalid="true"] {
    border-color: var(--warn);
  }
  input[type="checkbox"],
  input[type="radio"] {
    accent-color: var(--accent);
    inline-size: 1.05rem;
    block-size: 1.05rem;
    margin: 0;
    flex: none;
  }
  label.choice {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-height: 1.9rem;
  }
  button,
  .file > span {
    border: 1px solid var(--rule);
    border-radius: 4px;
    background: var(--paper);
    padding: 0.4rem 0.9rem;
    min-height: 2.4rem;
    cursor: pointer;
  }
  button:hover:not(:disabled),
  .file:hover > input:enabled + span {
    border-color: var(--soft);
  }
  button:disabled,
  .file > input:disabled + span {
    opacity: 0.45;
    cursor: default;
  }
  /* The field for a file lies unseen over something that looks like every other button. */
  .file {
    position: relative;
    display: inline-block;
    max-width: 100%;
  }
  .file > span {
    display: block;
  }
  .file > input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    opacity: 0;
    cursor: pointer;
  }
  .file > input:focus-visible + span {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
    padding-inline: 1.5rem;
  }
  button.primary:hover:not(:disabled) {
    filter: brightness(1.1);
  }
  :is(input, select, textarea, button, canvas, summary, [tabindex]):focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .chip {
    flex: none;
    display: inline-block;
    inline-size: 0.8rem;
    block-size: 0.8rem;
    border-radius: 3px;
    background: var(--chip);
  }
  .warning {
    margin: 0;
    padding: 0.5rem 0.75rem;
    border-inline-start: 3px solid var(--warn);
    background: var(--raised);
    overflow-wrap: anywhere;
  }
  .warning + .warning {
    margin-top: 0.5rem;
  }
  .complaints {
    margin-block-end: 0.75rem;
  }
  .empty {
    display: grid;
    gap: 0.75rem;
    justify-items: start;
    align-content: center;
    min-height: 12rem;
    padding: 1.5rem;
    background: var(--raised);
    border-radius: 6px;
    color: var(--soft);
  }
  .empty p {
    margin: 0;
    max-width: 46ch;
  }
  .quiet {
    color: var(--soft);
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    text-align: right;
    font-weight: 400;
    padding: 0.35rem 0 0.35rem 1rem;
    border-bottom: 1px solid var(--rule);
    vertical-align: baseline;
  }
  th:first-child,
  td:first-child {
    text-align: left;
    padding-left: 0;
  }
  thead th {
    color: var(--soft);
    font-size: 0.8125rem;
  }
`;
