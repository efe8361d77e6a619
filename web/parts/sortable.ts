// A list of steps that the reader puts in order. It only knows places: the content of each item comes from its owner.

import { css, html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { Reorderable, reorderableStyles } from "./reorderable.js";

export interface SortableItem {
  name: string;
  /** In words, for the handle's label. */
  label: string;
  content: TemplateResult;
}

export class SortableList extends Reorderable<SortableItem, string> {
  static override styles = [
    reorderableStyles,
    css`
      ol {
        display: grid;
        gap: 0.4rem;
      }
      li {
        display: grid;
        grid-template-columns: 2.6rem minmax(0, 1fr);
        border: 1px solid var(--rule);
        border-radius: 4px;
        background: var(--paper);
      }
      li.held {
        border-color: var(--accent);
        box-shadow: 0 0 0 1px var(--accent);
      }
      li.marked {
        border-color: var(--mark);
        border-inline-start-width: 4px;
      }
      .handle {
        border: 0;
        border-inline-end: 1px solid var(--rule);
        border-radius: 3px 0 0 3px;
        color: var(--soft);
        padding: 0;
      }
      .content {
        padding: 0.5rem 0.8rem;
        min-width: 0;
        overflow-x: auto;
        align-self: center;
      }
      @media print {
        li {
          break-inside: avoid;
        }
        .handle {
          visibility: hidden;
        }
      }
    `,
  ];

  /** The item to mark as wrong, by name. */
  @property() marked: string | undefined;

  protected override idOf({ name }: SortableItem): string {
    return name;
  }

  protected override sentence({ label }: SortableItem, place: number): string {
    return `${label}: now step ${place + 1}.`;
  }

  protected override renderItem({ name, label, content }: SortableItem, place: number) {
    return html`<li
      data-name=${name}
      class="${name === this.held ? "held" : ""} ${name === this.marked ? "marked" : ""}"
    >
      <button
        class="handle"
        type="button"
        aria-label="${label}. Step ${place + 1} of ${this.items.length}; arrow keys move it."
      >
        <span aria-hidden="true">${place + 1} ↕</span>
      </button>
      <div class="content">${content}</div>
    </li>`;
  }
}
