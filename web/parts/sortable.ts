// A list that the reader puts in order, by dragging or with the arrow keys on an item's handle. It only knows positions:
// the content of each item comes from its owner.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

export interface SortableItem {
  name: string;
  /** In words, for the handle's label. */
  label: string;
  content: TemplateResult;
}

export class SortableList extends LitElement {
  static override styles = css`
    :host {
      display: block;
      min-width: 0;
    }
    ol {
      list-style: none;
      margin: 0;
      padding: 0;
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
      background: var(--raised);
      color: var(--soft);
      font: inherit;
      cursor: grab;
      touch-action: none;
      padding: 0;
    }
    .held .handle {
      cursor: grabbing;
    }
    .handle:focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: 2px;
    }
    .content {
      padding: 0.5rem 0.8rem;
      min-width: 0;
      overflow-x: auto;
      align-self: center;
    }
    .spoken {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    @media print {
      li {
        break-inside: avoid;
      }
      .handle {
        visibility: hidden;
      }
    }
  `;

  @property({ attribute: false }) items: readonly SortableItem[] = [];
  /** The item to mark as wrong, by name. */
  @property() marked: string | undefined;
  @property() label = "";
  @state() private held: string | undefined;
  @state() private said = "";

  override render() {
    return html`<ol aria-label=${this.label}>
        ${repeat(
          this.items,
          ({ name }) => name,
          ({ name, label, content }, i) =>
            html`<li
              data-name=${name}
              class="${name === this.held ? "held" : ""} ${name === this.marked ? "marked" : ""}"
            >
              <button
                class="handle"
                type="button"
                aria-label="${label}. Step ${i + 1} of ${this.items.length}; arrow keys move it."
                @keydown=${(event: KeyboardEvent) => this.#key(event, name)}
                @pointerdown=${(event: PointerEvent) => this.#take(event, name)}
                @pointermove=${(event: PointerEvent) => this.#drag(event)}
                @pointerup=${() => this.#release()}
                @pointercancel=${() => this.#release()}
              >
                <span aria-hidden="true">${i + 1} ↕</span>
              </button>
              <div class="content">${content}</div>
            </li>`,
        )}
      </ol>
      <p class="spoken" role="status">${this.said || nothing}</p>`;
  }

  #key(event: KeyboardEvent, name: string): void {
    const from = this.items.findIndex((item) => item.name === name);
    const last = this.items.length - 1;
    const steps: Record<string, number> = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: last };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    this.#move(from, Math.min(Math.max(to, 0), last));
    // Reordering the list takes the focus away from what moved.
    void this.updateComplete.then(() => handle.focus());
  }

  #take(event: PointerEvent, name: string): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.held = name;
  }

  #drag(event: PointerEvent): void {
    if (this.held === undefined) return;
    const from = this.items.findIndex(({ name }) => name === this.held);
    const boxes = [...this.renderRoot.querySelectorAll("li")].map((item) => item.getBoundingClientRect());
    // Past the middle of a neighbour, the two change places.
    const next = boxes[from + 1];
    const previous = boxes[from - 1];
    if (next && event.clientY > (next.top + next.bottom) / 2) this.#move(from, from + 1);
    else if (previous && event.clientY < (previous.top + previous.bottom) / 2) this.#move(from, from - 1);
  }

  #release(): void {
    this.held = undefined;
  }

  #move(from: number, to: number): void {
    const item = this.items[from];
    if (!item || to === from) return;
    // Here at once, since the next key may come before the owner has answered.
    const items = [...this.items];
    items.splice(from, 1);
    items.splice(to, 0, item);
    this.items = items;
    const names = items.map(({ name }) => name);
    this.said = `${item.label}: now step ${to + 1}.`;
    this.dispatchEvent(new CustomEvent<string[]>("reorder", { detail: names }));
  }
}
