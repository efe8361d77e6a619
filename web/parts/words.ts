// Words on numbered seats that the reader reorders. It only knows places; what the words mean is its owner's business.

import { css, html } from "lit";
import { Reorderable, reorderableStyles } from "./reorderable.js";

export interface Word {
  /** Stays with the word wherever it stands. */
  id: number;
  text: string;
  /** A line under the word. */
  note: string;
}

export class WordRow extends Reorderable<Word, number> {
  static override styles = [
    reorderableStyles,
    css`
      ol {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem;
      }
      li {
        text-align: center;
      }
      .handle {
        display: grid;
        gap: 0.1rem;
        min-width: 5.5rem;
        max-width: 100%;
        min-height: 3.4rem;
        padding: 0.45rem 0.8rem;
        border: 1px solid var(--rule);
        border-radius: 8px 8px 3px 3px;
        overflow-wrap: anywhere;
      }
      b {
        font-weight: 600;
        font-size: 1.1em;
      }
      small {
        color: var(--soft);
        min-height: 1.4em;
      }
      .held .handle {
        border-color: var(--accent);
        box-shadow: 0 0 0 1px var(--accent);
      }
      .seat {
        display: block;
        margin-top: 0.15rem;
        color: var(--soft);
        font-size: 0.8125rem;
      }
    `,
  ];

  protected override idOf({ id }: Word): number {
    return id;
  }

  protected override sentence({ text }: Word, place: number): string {
    return `${text}: now on seat ${place}.`;
  }

  protected override renderItem({ id, text, note }: Word, place: number) {
    return html`<li class=${id === this.held ? "held" : ""}>
      <button type="button" class="handle" aria-label="${text}, seat ${place}. ${note}. Arrow keys move it.">
        <b>${text}</b><small>${note}</small>
      </button>
      <span class="seat" aria-hidden="true">seat ${place}</span>
    </li>`;
  }
}
