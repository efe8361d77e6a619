// Panel `clock`: each pair of a sinusoidal row is the hand of a clock, each clock at its own speed.

import { css, html, svg } from "lit";
import { state } from "lit/decorators.js";
import { formatCount, formatValue } from "../draw/ticks.js";
import type { AnswerOf, LabQuestions } from "../engine/protocol.js";
import type { Proof } from "../engine/lesson_types.js";
import { Answer } from "../state/answer.js";
import { lab } from "../state/host.js";
import { renderProblem } from "./fields.js";
import { declarationsOf, Panel } from "./panel.js";
import { base, controls } from "./styles.js";

type Hands = AnswerOf<LabQuestions, "clock">;

interface Shown {
  p: number;
  k: number;
  context: number;
  now: Hands;
  later: Hands;
  shift: Proof | undefined;
}

/** A length or a number of turns with the digits that a reader can use. */
const figure = (value: number) => (value >= 1000 ? formatCount(value) : formatValue(value, value >= 10 ? 1 : 2));

export class ClockPanel extends Panel {
  static override properties = declarationsOf("clock");
  static override styles = [
    base,
    controls,
    css`
      .dial {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr));
        gap: 0.75rem 0.5rem;
        cursor: grab;
        border-radius: 4px;
        padding: 4px;
      }
      .dial.held {
        cursor: grabbing;
      }
      .clock {
        text-align: center;
        font-size: 0.8125rem;
        min-width: 0;
      }
      .clock svg {
        display: block;
        width: 100%;
        max-width: 8rem;
        margin: 0 auto;
        touch-action: pan-x pan-y pinch-zoom;
        overflow: visible;
      }
      /* A finger turns the hand where it holds it, and scrolls the page elsewhere. */
      .grip {
        stroke: transparent;
        stroke-width: 0.5;
        touch-action: none;
      }
      .face {
        fill: var(--raised);
        stroke: var(--rule);
        stroke-width: 0.03;
      }
      .chosen .face {
        stroke: var(--accent);
        stroke-width: 0.06;
      }
      .tick {
        stroke: var(--soft);
        stroke-width: 0.03;
      }
      .hand {
        stroke: var(--accent);
        stroke-width: 0.09;
        stroke-linecap: round;
      }
      .later {
        stroke: var(--soft);
        stroke-width: 0.05;
        stroke-dasharray: 0.08 0.1;
      }
      .pin {
        fill: var(--accent);
      }
      output {
        display: block;
        min-height: 2.9em;
        margin: 0.6rem 0;
      }
      details {
        margin-top: 1rem;
      }
      summary {
        cursor: pointer;
        min-height: 1.9rem;
      }
    `,
  ];

  override readonly panel = "clock";
  declare p: number;
  declare pairs: number;
  declare clock_base: number;
  declare context: number;
  declare further: number;
  @state() private chosen = 0;
  @state() private held: { pair: number; angle: number; p: number } | undefined;
  @state() private spoken = false;
  readonly #answer = new Answer<Shown>(this);

  constructor() {
    super();
    this.useFallbacks("clock");
  }

  protected override willUpdate(): void {
    const { p, pairs, clock_base: base, context, further: k } = this;
    this.#answer.ask([p, pairs, base, context, k], async () => {
      const d = 2 * pairs;
      const [now, later, proofs] = await Promise.all([
        lab.ask({ question: "clock", position: p, d, base, context }),
        lab.ask({ question: "clock", position: p + k, d, base, context }),
        lab.ask({ question: "sinusoidal_proofs", n: context, d, k, base }),
      ]);
      return { p, k, context, now, later, shift: proofs.shift };
    });
  }

  override render() {
    const shown = this.#answer.value;
    return html`<figure>
      <div class="layout">
        <div class="controls">
          ${this.renderSlider("p", { slideTo: Math.max(this.context, this.p) })}
          ${this.renderSlider("further", { slideTo: 64 })} ${this.renderSlider("pairs")}
          ${this.renderSlider("clock_base", { logarithmic: true })}
          ${this.renderSlider("context")}
        </div>
        <div>
          ${this.renderComplaints()} ${renderProblem(this.#answer.failure)}
          ${shown ? this.#figure(shown) : html`<div class="empty"><p>The clocks appear here.</p></div>`}
        </div>
      </div>
      <figcaption>${this.#notice(shown)}</figcaption>
    </figure>`;
  }

  #notice(shown: Shown | undefined) {
    const start = "Notice that all hands turn as the position grows, each at its own speed.";
    if (!shown) return start;
    const { wavelengths, within } = shown.now;
    const last = wavelengths.length - 1;
    if (last === 0) return `${start} One hand alone reads the same again after ${figure(wavelengths[0] ?? 0)} positions.`;
    return `${start} The first goes round in ${figure(wavelengths[0] ?? 0)} positions, ${figure(within[0] ?? 0)} times
      within ${shown.context}; the last needs ${figure(wavelengths[last] ?? 0)} and makes
      ${figure(within[last] ?? 0)} of a turn: fast hands tell neighbours apart, slow ones distant places.`;
  }

  #figure(shown: Shown) {
    const { p, k, context, now, later, shift } = shown;
    const count = now.wavelengths.length;
    const chosen = Math.min(this.chosen, count - 1);
    return html`<div
        class="dial ${this.held ? "held" : ""}"
        tabindex="0"
        role="slider"
        aria-label="Clocks of all pairs. Left and right arrow keys turn the position, up and down choose a pair."
        aria-valuemin="0"
        aria-valuemax=${Math.max(context, p)}
        aria-valuenow=${p}
        aria-valuetext="Position ${p}. ${this.#reading(shown, chosen)}"
        @keydown=${(event: KeyboardEvent) => this.#key(event, count)}
        @pointermove=${(event: PointerEvent) => this.#turn(event, now.wavelengths)}
        @pointerup=${() => this.#release()}
        @pointercancel=${() => this.#release()}
      >
        ${Array.from({ length: count }, (_, pair) => this.#clock(pair, pair === chosen, now, later, p))}
      </div>
      <output aria-live=${this.spoken ? "polite" : "off"}>${this.#reading(shown, chosen)}</output>
      <poslab-proof .proof=${shift}>
        ${k} steps further is the same turn from everywhere, so one fixed matrix makes it:
        <math
          ><mrow
            ><mi>PE</mi><mo>(</mo><mi>p</mi><mo>+</mo><mn>${k}</mn><mo>)</mo><mo>=</mo><msub><mi>R</mi><mn>${k}</mn></msub
            ><mi>PE</mi><mo>(</mo><mi>p</mi><mo>)</mo></mrow
          ></math
        >. The dashed hands show position ${p + k}.
      </poslab-proof>
      <details>
        <summary>All numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Pair</th>
              <th scope="col">Wavelength</th>
              <th scope="col">Turns by ${p}</th>
              <th scope="col">Turns within ${context}</th>
            </tr>
          </thead>
          <tbody>
            ${Array.from(
              now.wavelengths,
              (length, pair) =>
                html`<tr>
                  <th scope="row">${pair}</th>
                  <td>${figure(length)}</td>
                  <td>${formatValue(now.turned[pair] ?? 0, 3)}</td>
                  <td>${formatValue(now.within[pair] ?? 0, 3)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>`;
  }

  #reading({ p, now }: Shown, pair: number): string {
    const value = (column: number) => formatValue(now.hands[column] ?? 0, 6);
    return `Pair ${pair} at position ${p}: sine ${value(2 * pair)}, cosine ${value(2 * pair + 1)}; wavelength ${figure(
      now.wavelengths[pair] ?? 0,
    )}, ${formatValue(now.turned[pair] ?? 0, 3)} turns so far.`;
  }

  /** The hand's tip is at (sine, cosine): up at position 0, then clockwise. */
  #clock(pair: number, chosen: boolean, now: Hands, later: Hands, p: number) {
    const tip = (hands: Hands) => [0.82 * (hands.hands[2 * pair] ?? 0), -0.82 * (hands.hands[2 * pair + 1] ?? 0)];
    const [x, y] = tip(now);
    const [laterX, laterY] = tip(later);
    return html`<div class="clock ${chosen ? "chosen" : ""}" data-pair=${pair}>
      <svg
        viewBox="-1.05 -1.05 2.1 2.1"
        aria-hidden="true"
        @pointerenter=${() => this.#look(pair)}
        @pointerdown=${(event: PointerEvent) => this.#take(event, pair, p)}
      >
        <circle class="face" r="1" />
        ${[0, 1, 2, 3].map((quarter) => svg`<line class="tick" y1="-0.98" y2="-0.86" transform="rotate(${90 * quarter})" />`)}
        <line class="later" x2=${laterX} y2=${laterY} />
        <line class="hand" x2=${x} y2=${y} />
        <circle class="pin" r="0.08" />
        <line class="grip" x2=${x} y2=${y} />
      </svg>
      pair ${pair}<br />round in ${figure(now.wavelengths[pair] ?? 0)}
    </div>`;
  }

  #look(pair: number): void {
    if (this.held) return;
    this.spoken = false;
    this.chosen = pair;
  }

  #take(event: PointerEvent, pair: number, p: number): void {
    if (event.button !== 0) return;
    const dial = (event.currentTarget as Element).closest<HTMLElement>(".dial");
    dial?.setPointerCapture(event.pointerId);
    this.chosen = pair;
    this.held = { pair, angle: angleAt(event, event.currentTarget as Element), p };
  }

  /** Follows the pointer round the face: so many turns of this hand are so many of its wavelengths. */
  #turn(event: PointerEvent, wavelengths: Float64Array): void {
    const { held } = this;
    const face = held && this.renderRoot.querySelector(`[data-pair="${held.pair}"] svg`);
    if (!held || !face) return;
    const angle = angleAt(event, face);
    // The short way round from where the pointer was.
    const turned = angle - held.angle - Math.round(angle - held.angle);
    held.angle = angle;
    held.p = Math.min(Math.max(held.p + turned * (wavelengths[held.pair] ?? 0), 0), this.context);
    this.change("p", String(Math.round(held.p)));
  }

  #release(): void {
    this.held = undefined;
  }

  #key(event: KeyboardEvent, count: number): void {
    const turns: Record<string, number> = {
      ArrowLeft: this.p - 1,
      ArrowRight: this.p + 1,
      PageUp: this.p + 10,
      PageDown: this.p - 10,
      Home: 0,
      End: this.context,
    };
    const choices: Record<string, number> = { ArrowUp: this.chosen - 1, ArrowDown: this.chosen + 1 };
    const p = turns[event.key];
    const pair = choices[event.key];
    if (p === undefined && pair === undefined) return;
    event.preventDefault();
    this.spoken = true;
    if (p !== undefined) this.change("p", String(Math.min(Math.max(p, 0), 4096)));
    if (pair !== undefined) this.chosen = Math.min(Math.max(pair, 0), count - 1);
  }
}

/** Where the pointer is around the middle of a face, in turns, clockwise from the top. */
function angleAt(event: PointerEvent, face: Element): number {
  const { left, right, top, bottom } = face.getBoundingClientRect();
  return Math.atan2(event.clientX - (left + right) / 2, (top + bottom) / 2 - event.clientY) / (2 * Math.PI);
}
