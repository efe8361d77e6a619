// Words on numbered seats that the reader reorders: by dragging, or with the arrow keys on a word. It only knows places; what
// the words mean is its owner's business.

import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

export interface Word {
  /** Stays with the word wherever it stands. */
  id: number;
  text: string;
  /** A line under the word. */
  note: string;
}

export class WordRow extends LitElement {
  static override styles = css`
    :host {
      display: block;
      min-width: 0;
    }
    ol {
      list-style: none;
      margin: 0;
      padding: 0;
      display: flex;
      flex-wrap: wrap;
      gap: 0.6rem;
    }
    li {
      min-width: 0;
      text-align: center;
    }
    button {
      display: grid;
      gap: 0.1rem;
      min-width: 5.5rem;
      max-width: 100%;
      min-height: 3.4rem;
      padding: 0.45rem 0.8rem;
      border: 1px solid var(--rule);
      border-radius: 8px 8px 3px 3px;
      background: var(--raised);
      color: inherit;
      font: inherit;
      cursor: grab;
      touch-action: none;
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
    .held {
      border-color: var(--accent);
      box-shadow: 0 0 0 1px var(--accent);
      cursor: grabbing;
    }
    button:focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: 2px;
    }
    .seat {
      display: block;
      margin-top: 0.15rem;
      color: var(--soft);
      font-size: 0.8125rem;
    }
    .spoken {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  `;

  @property({ attribute: false }) words: readonly Word[] = [];
  @property() label = "";
  @state() private held: number | undefined;
  @state() private said = "";

  override render() {
    return html`<ol aria-label=${this.label}>
        ${repeat(
          this.words,
          ({ id }) => id,
          ({ id, text, note }, place) =>
            html`<li>
              <button
                type="button"
                class=${id === this.held ? "held" : ""}
                aria-label="${text}, seat ${place}. ${note}. Arrow keys move it."
                @keydown=${(event: KeyboardEvent) => this.#key(event, place)}
                @pointerdown=${(event: PointerEvent) => this.#take(event, id)}
                @pointermove=${(event: PointerEvent) => this.#drag(event)}
                @pointerup=${() => this.#release()}
                @pointercancel=${() => this.#release()}
              >
                <b>${text}</b><small>${note}</small>
              </button>
              <span class="seat" aria-hidden="true">seat ${place}</span>
            </li>`,
        )}
      </ol>
      <p class="spoken" role="status">${this.said || nothing}</p>`;
  }

  #key(event: KeyboardEvent, from: number): void {
    const last = this.words.length - 1;
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
    const button = event.currentTarget as HTMLElement;
    this.#move(from, Math.min(Math.max(to, 0), last));
    // Reordering takes the focus away from what moved; the owner hands the new order down a frame later.
    requestAnimationFrame(() => requestAnimationFrame(() => button.focus()));
  }

  #take(event: PointerEvent, id: number): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.held = id;
  }

  #drag(event: PointerEvent): void {
    if (this.held === undefined) return;
    const from = this.words.findIndex(({ id }) => id === this.held);
    const boxes = [...this.renderRoot.querySelectorAll("button")].map((item) => item.getBoundingClientRect());
    const to = boxes.findIndex(
      ({ left, right, top, bottom }) =>
        event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom,
    );
    const target = boxes[to];
    if (!target || to === from) return;
    // Past the middle only, or words of different widths would change places to and fro.
    const middle = (target.left + target.right) / 2;
    const sameRow = Math.abs(target.top - (boxes[from]?.top ?? 0)) < 4;
    if (!sameRow || (to > from ? event.clientX > middle : event.clientX < middle)) this.#move(from, to);
  }

  #release(): void {
    this.held = undefined;
  }

  #move(from: number, to: number): void {
    const word = this.words[from];
    if (!word || to === from) return;
    const ids = this.words.map(({ id }) => id);
    ids.splice(from, 1);
    ids.splice(to, 0, word.id);
    this.said = `${word.text}: now on seat ${to}.`;
    this.dispatchEvent(new CustomEvent<number[]>("reorder", { detail: ids }));
  }
}
