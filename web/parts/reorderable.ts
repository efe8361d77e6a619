// A list that the reader puts in order, by dragging an item's handle or with the arrow keys on it. What an item looks
// like and what it means is up to the part that builds on this.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { spokenStyles } from "../panels/styles.js";

export const reorderableStyles = [
  spokenStyles,
  css`
    :host {
      display: block;
      min-width: 0;
    }
    ol {
      list-style: none;
      margin: 0;
      padding: 0;
    }
    li {
      min-width: 0;
    }
    .handle {
      color: inherit;
      background: var(--raised);
      font: inherit;
      cursor: grab;
      touch-action: none;
    }
    .handle:focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: 2px;
    }
    .held .handle {
      cursor: grabbing;
    }
  `,
];

const isBetween = (x: number, low: number, high: number) => x >= low && x <= high;

/** Each item is an `li` with a button of class `handle`. */
export abstract class Reorderable<Item, Id extends string | number> extends LitElement {
  @property({ attribute: false }) items: readonly Item[] = [];
  @property() label = "";
  @state() protected held: Id | undefined;
  @state() private said = "";

  /** Stays with the item wherever it stands. */
  protected abstract idOf(item: Item): Id;
  protected abstract renderItem(item: Item, place: number): TemplateResult;
  /** What a screen reader says of an item that was moved. */
  protected abstract sentence(item: Item, place: number): string;

  override render() {
    return html`<ol
        aria-label=${this.label}
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
        @pointerdown=${(event: PointerEvent) => this.#take(event)}
        @pointermove=${(event: PointerEvent) => this.#drag(event)}
        @pointerup=${() => this.#release()}
        @pointercancel=${() => this.#release()}
      >
        ${repeat(
          this.items,
          (item) => this.idOf(item),
          (item, place) => this.renderItem(item, place),
        )}
      </ol>
      <p class="spoken" role="status">${this.said || nothing}</p>`;
  }

  get #places(): Element[] {
    return [...this.renderRoot.querySelectorAll("li")];
  }

  /** The handle that an event came from, and the place of its item. */
  #grip(event: Event): { handle: HTMLElement; from: number } | undefined {
    const handle = (event.target as Element).closest<HTMLElement>(".handle");
    const item = handle?.closest("li");
    return handle && item ? { handle, from: this.#places.indexOf(item) } : undefined;
  }

  #key(event: KeyboardEvent): void {
    const grip = this.#grip(event);
    if (!grip) return;
    const { handle, from } = grip;
    const last = this.items.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      Home: 0,
      End: last,
    };
    const to = targets[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#move(from, Math.min(Math.max(to, 0), last));
    // Reordering takes the focus away from what moved.
    void this.updateComplete.then(() => handle.focus());
  }

  #take(event: PointerEvent): void {
    const grip = event.button === 0 ? this.#grip(event) : undefined;
    const item = grip && this.items[grip.from];
    if (!grip || item === undefined) return;
    grip.handle.setPointerCapture(event.pointerId);
    this.held = this.idOf(item);
  }

  #drag(event: PointerEvent): void {
    if (this.held === undefined) return;
    const from = this.items.findIndex((item) => this.idOf(item) === this.held);
    const boxes = this.#places.map((place) => place.getBoundingClientRect());
    const list = this.renderRoot.querySelector("ol")?.getBoundingClientRect();
    const own = boxes[from];
    if (!list || !own) return;
    // Beside the list counts as at its edge.
    const x = Math.min(Math.max(event.clientX, list.left), list.right);
    const y = Math.min(Math.max(event.clientY, list.top), list.bottom);
    const to = boxes.findIndex((box) => isBetween(x, box.left, box.right) && isBetween(y, box.top, box.bottom));
    const target = boxes[to];
    if (!target || to === from) return;
    // Past the middle only, or items of different sizes would change places to and fro.
    const sameRow = Math.abs(target.top - own.top) < 4;
    const [at, middle] = sameRow ? [x, (target.left + target.right) / 2] : [y, (target.top + target.bottom) / 2];
    if (to > from ? at > middle : at < middle) this.#move(from, to);
  }

  #release(): void {
    this.held = undefined;
  }

  #move(from: number, to: number): void {
    const item = this.items[from];
    if (item === undefined || to === from) return;
    // Here at once, since the next key may come before the owner has answered.
    const items = [...this.items];
    items.splice(from, 1);
    items.splice(to, 0, item);
    this.items = items;
    this.said = this.sentence(item, to);
    this.dispatchEvent(new CustomEvent<Id[]>("reorder", { detail: items.map((each) => this.idOf(each)) }));
  }
}
