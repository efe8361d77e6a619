// Panel `sinusoid`: the table of sines and cosines, and how alike its rows are.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import type { Heatmap } from "../draw/heatmap.js";
import { divergingScale } from "../draw/scales.js";
import { formatValue } from "../draw/ticks.js";
import type { AnswerOf, LabQuestions } from "../engine/protocol.js";
import type { SinusoidalLayout } from "../engine/types.js";
import { lab } from "../state/host.js";
import { declarationsOf, Panel } from "./panel.js";
import { base, controls } from "./styles.js";

type Table = AnswerOf<LabQuestions, "sinusoidal">;

/** A position, and the two that the sentence below compares it with. */
const compared = { here: 10, near: 11, far: 60 };

export class SinusoidPanel extends Panel {
  static override properties = declarationsOf("sinusoid");
  static override styles = [
    base,
    controls,
    css`
      .pair {
        display: grid;
        gap: 1.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      @container (min-width: 900px) {
        .pair {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }
      }
      h3 {
        margin: 0 0 0.4rem;
        font-size: inherit;
        font-weight: 600;
      }
    `,
  ];

  override readonly panel = "sinusoid";
  declare n: number;
  declare d: number;
  declare base: number;
  declare layout: SinusoidalLayout;
  @state() private table: Table | undefined;
  @state() private failure: string | undefined;
  #asked = "";
  // Kept between renderings, so that a figure is redrawn only when its data changed.
  #heatmaps: { table: Heatmap; similarity: Heatmap } | undefined;

  constructor() {
    super();
    this.useFallbacks("sinusoid");
  }

  protected override willUpdate(): void {
    void this.#compute();
  }

  async #compute(): Promise<void> {
    const { n, d, base, layout } = this;
    const asked = JSON.stringify([n, d, base, layout]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const table = await lab.ask({ question: "sinusoidal", n, d, base, layout, first: 0 });
      if (asked !== this.#asked) return;
      this.#heatmaps = {
        table: {
          rows: n,
          cols: d,
          values: table.data,
          scale: divergingScale(1),
          rowTitle: "position p",
          colTitle: "column of the row",
        },
        similarity: {
          rows: n,
          cols: n,
          values: table.similarity,
          scale: divergingScale(1),
          rowTitle: "position",
          colTitle: "position",
        },
      };
      this.table = table;
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">
          ${this.#number("n", "Positions n", "1")} ${this.#number("d", "Width d", "1")}
          ${this.#number("base", "Base", "any")}
          <fieldset>
            <legend>Columns</legend>
            ${this.#layoutChoice("interleaved", "sine, cosine by turns")}
            ${this.#layoutChoice("concatenated", "all sines, then all cosines")}
          </fieldset>
        </div>
        <div>${this.renderComplaints()} ${this.#failed()} ${this.#figures()}</div>
      </div>
      <figcaption>
        Notice how the left columns change from row to row while the right ones hardly move: together they name a
        position much as the digits of a clock name a time. ${this.#comparison()}
      </figcaption>
    </figure>`;
  }

  #number(name: "n" | "d" | "base", title: string, step: string) {
    return html`<label
      ><span class="label">${title}</span>
      <input
        type="number"
        name=${name}
        step=${step}
        .value=${String(this[name])}
        aria-invalid=${this.complains(name)}
        @change=${(event: Event) => this.change(name, (event.target as HTMLInputElement).value)}
      />
    </label>`;
  }

  #layoutChoice(value: SinusoidalLayout, title: string) {
    return html`<label class="choice"
      ><input
        type="radio"
        name="layout"
        value=${value}
        .checked=${this.layout === value}
        @change=${() => this.change("layout", value)}
      />${title}</label
    >`;
  }

  #failed() {
    if (this.failure === undefined) return nothing;
    return html`<p class="warning" role="alert">
      ${this.failure}
      <button type="button" @click=${() => this.#again()}>Try again</button>
    </p>`;
  }

  #again(): void {
    this.#asked = "";
    this.failure = undefined;
    this.requestUpdate();
  }

  #figures() {
    const table = this.table;
    if (!table || !this.#heatmaps) return html`<div class="empty"><p>The table appears here.</p></div>`;
    return html`<div class="pair">
      <div>
        <h3>The table: one row for each position</h3>
        <poslab-matrix
          .data=${this.#heatmaps.table}
          .aspect=${0}
          .height=${430}
          label="Sinusoidal table, positions by columns."
          .describe=${(row: number, col: number, value: number) =>
            `Position ${row}, column ${col} (${this.#wave(col)}): ${value.toFixed(6)}`}
        ></poslab-matrix>
      </div>
      <div>
        <h3>How alike two rows are</h3>
        <poslab-matrix
          .data=${this.#heatmaps.similarity}
          .aspect=${1}
          .maxHeight=${430}
          label="Cosine similarity of every position with every other."
          .describe=${(row: number, col: number, value: number) =>
            `Position ${row} and position ${col}: cosine ${formatValue(value, 3)}`}
        ></poslab-matrix>
      </div>
    </div>`;
  }

  /** Which wave a column holds, with the wavelength that the core says. */
  #wave(col: number): string {
    const { table, d } = this;
    const sines = Math.ceil(d / 2);
    const interleaved = this.layout === "interleaved";
    const sine = interleaved ? col % 2 === 0 : col < sines;
    const pair = interleaved ? Math.floor(col / 2) : sine ? col : col - sines;
    const length = table?.wavelengths[pair];
    return length === undefined
      ? sine ? "sine" : "cosine"
      : `${sine ? "sine" : "cosine"} of wavelength ${formatValue(length, length < 100 ? 1 : 0)}`;
  }

  #comparison() {
    const similarity = this.table?.similarity;
    const n = this.#heatmaps?.similarity.rows ?? 0;
    const { here, near, far } = compared;
    if (!similarity || n <= far) return nothing;
    const cosine = (other: number) => formatValue(similarity[here * n + other] as number, 3);
    return html`Position ${here} is almost its neighbour ${near} (cosine ${cosine(near)}) and less like ${far}
    (${cosine(far)}); the stripes of the second figure run along its diagonals, since only the distance counts.`;
  }
}
