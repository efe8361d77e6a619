// Panel `sinusoid`: the table of sines and cosines, how alike its rows are, and two proofs by number: products of rows
// depend on distances only, and going k places on is one fixed turn.

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
type Proofs = AnswerOf<LabQuestions, "sinusoidal_proofs">;

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
      .proofs {
        display: grid;
        gap: 1rem 2rem;
        grid-template-columns: minmax(0, 1fr);
        margin-top: 1.25rem;
      }
      @container (min-width: 720px) {
        .proofs {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }
      }
      .claims {
        display: grid;
        gap: 0.75rem;
        align-content: start;
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
  declare shift: number;
  declare layout: SinusoidalLayout;
  @state() private table: Table | undefined;
  @state() private failure: string | undefined;
  @state() private proofs: Proofs | undefined;
  /** Cosines of one position with a near and a far one. */
  @state() private cosines: { near: number; far: number } | undefined;
  #asked = "";
  #proofsAsked = "";
  // Kept between renderings, so that a figure is redrawn only when its data changed.
  #heatmaps: { table: Heatmap; similarity: Heatmap } | undefined;
  #turn: Heatmap | undefined;

  constructor() {
    super();
    this.useFallbacks("sinusoid");
  }

  protected override willUpdate(): void {
    void this.#compute();
    void this.#prove();
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
      // A short table has no far position; the comparison then looks at a longer one.
      const rows = Math.max(n, compared.far + 1);
      const long = rows === n ? table : await lab.ask({ question: "sinusoidal", n: rows, d, base, layout, first: 0 });
      if (asked !== this.#asked) return;
      const cosine = (other: number) => long.similarity[compared.here * rows + other] as number;
      this.cosines = { near: cosine(compared.near), far: cosine(compared.far) };
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  async #prove(): Promise<void> {
    const { n, d, base, shift } = this;
    const asked = JSON.stringify([n, d, base, shift]);
    if (asked === this.#proofsAsked) return;
    this.#proofsAsked = asked;
    this.proofs = undefined;
    try {
      const proofs = await lab.ask({ question: "sinusoidal_proofs", n, d, k: shift, base });
      if (asked !== this.#proofsAsked) return;
      const turn = proofs.shift_matrix;
      this.#turn = turn && {
        rows: d,
        cols: d,
        values: turn.data,
        scale: divergingScale(1),
        rowTitle: "column of PE(p + k)",
        colTitle: "column of PE(p)",
      };
      this.proofs = proofs;
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">
          ${this.renderSlider("n", { slideTo: 256 })}
          ${this.renderSlider("d", { slideTo: 256 })}
          ${this.renderSlider("base", { logarithmic: true })}
          <fieldset>
            <legend>Columns</legend>
            ${this.renderRadio("layout", "interleaved", "sine, cosine by turns")}
            ${this.renderRadio("layout", "concatenated", "all sines, then all cosines")}
          </fieldset>
        </div>
        <div>${this.renderComplaints()} ${this.#failed()} ${this.#figures()}</div>
      </div>
      <figcaption>
        Notice how the left columns change from row to row while the right ones hardly move: together they name a
        position much as the digits of a clock name a time. ${this.#comparison()}
      </figcaption>
      ${this.#proven()}
    </figure>`;
  }

  #proven() {
    const { proofs, shift, d } = this;
    const even = d % 2 === 0;
    return html`<div class="proofs">
      <div class="claims">
        <poslab-proof .proof=${proofs?.diagonals}>
          <math
            ><mi>PE</mi><mo>·</mo><msup><mi>PE</mi><mi mathvariant="normal">T</mi></msup></math
          >
          is constant along its diagonals: the product of two rows depends on how far apart they are, not on where.
          ${even ? nothing : html`With an odd width the last sine has no cosine, and the claim breaks.`}
        </poslab-proof>
        ${even
          ? html`<poslab-proof .proof=${proofs?.shift}>
              <math
                ><mi>PE</mi><mo>(</mo><mi>p</mi><mo>+</mo><mi>k</mi><mo>)</mo><mo>=</mo><msub><mi>R</mi><mi>k</mi></msub
                ><mi>PE</mi><mo>(</mo><mi>p</mi><mo>)</mo></math
              >
              with one and the same matrix for every p: going ${shift} places on is a fixed turn of each pair.
            </poslab-proof>`
          : html`<p class="note">
              <math><msub><mi>R</mi><mi>k</mi></msub></math> turns pairs of sine and cosine, so it needs an even width.
            </p>`}
        ${this.renderSlider("shift", { slideTo: 128 })}
      </div>
      ${even && this.#turn
        ? html`<div>
            <h3>
              The turn <math><msub><mi>R</mi><mi>k</mi></msub></math> for k = ${shift}
            </h3>
            <poslab-matrix
              .data=${this.#turn}
              .aspect=${1}
              .maxHeight=${340}
              label="The matrix that turns each pair of columns."
              .describe=${(row: number, col: number, value: number) =>
                `From column ${col} to column ${row}: ${value.toFixed(6)}`}
            ></poslab-matrix>
            <p class="note">
              Notice the two-by-two blocks: fast pairs turn far, slow ones hardly, and no pair needs to know p.
            </p>
          </div>`
        : nothing}
    </div>`;
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
    if (!this.cosines) return nothing;
    const { here, near, far } = compared;
    return html`Position ${here} is almost its neighbour ${near} (cosine ${formatValue(this.cosines.near, 3)}) and less
    like ${far} (${formatValue(this.cosines.far, 3)}); the stripes of the second figure run along its diagonals, since only
    the distance counts.`;
  }
}
