// What the exercises share: saying that one was passed, opening folded answers for print, and a look.

import { css } from "lit";
import type { ExerciseName, Passed } from "../state/progress.js";
import { Panel } from "./panel.js";

export const exerciseStyles = css`
  :host(:not([awake])) {
    min-height: 22rem;
  }
  p {
    margin: 0 0 0.6rem;
    max-width: 68ch;
  }
  textarea {
    display: block;
    resize: vertical;
    min-height: 7rem;
  }
  details {
    border: 1px solid var(--rule);
    border-radius: 4px;
    padding: 0.5rem 0.9rem;
    margin-block: 0.75rem;
  }
  summary {
    cursor: pointer;
    font-weight: 600;
  }
  details[open] summary {
    margin-bottom: 0.6rem;
  }
  .hints {
    margin: 0.6rem 0;
    padding-inline-start: 1.3rem;
  }
  .passed,
  .wrong {
    padding: 0.55rem 0.8rem;
    border-inline-start: 3px solid var(--verdict);
    background: color-mix(in srgb, var(--verdict) 9%, var(--paper));
    overflow-wrap: anywhere;
    max-width: none;
    margin-block: 0.75rem;
  }
  .passed {
    --verdict: var(--poslab-holds, light-dark(#00664b, #56cfa6));
  }
  .wrong {
    --verdict: var(--poslab-fails, light-dark(#b00020, #ff8f8f));
  }
  math {
    font-size: 1.05em;
  }
  .scroll {
    overflow-x: auto;
    max-width: 100%;
  }
  @media print {
    .files,
    details:not(.answer) {
      display: none;
    }
    details.answer {
      border: 0;
      padding: 0;
    }
  }
`;

export abstract class ExercisePanel extends Panel {
  #opened: HTMLDetailsElement[] = [];
  readonly #beforePrint = () => {
    const answers = this.renderRoot.querySelectorAll<HTMLDetailsElement>("details.answer");
    this.#opened = [...answers].filter(({ open }) => !open);
    for (const answer of this.#opened) answer.open = true;
  };
  readonly #afterPrint = () => {
    for (const answer of this.#opened) answer.open = false;
    this.#opened = [];
  };

  override connectedCallback(): void {
    super.connectedCallback();
    globalThis.addEventListener("beforeprint", this.#beforePrint);
    globalThis.addEventListener("afterprint", this.#afterPrint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    globalThis.removeEventListener("beforeprint", this.#beforePrint);
    globalThis.removeEventListener("afterprint", this.#afterPrint);
  }

  /** Tells the checklist, and whatever page this stands on. */
  protected pass(exercise: ExerciseName): void {
    const detail: Passed = { exercise };
    this.dispatchEvent(new CustomEvent("poslab-passed", { detail, bubbles: true, composed: true }));
  }
}
