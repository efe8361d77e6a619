// Panel `learned`: the table of trained positions as it grows, and how alike its rows become.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import type { Heatmap } from "../draw/heatmap.js";
import { divergingScale, largestOf } from "../draw/scales.js";
import { formatCount, formatValue } from "../draw/ticks.js";
import type { Run } from "../engine/run.js";
import type { PositionTable } from "../engine/protocol.js";
import { declarationsOf } from "./panel.js";
import { RunPanel, runStyles } from "./run_panel.js";
import { base, controls } from "./styles.js";

export class LearnedPanel extends RunPanel {
  static override properties = declarationsOf("learned");
  static override styles = [
    base,
    controls,
    runStyles,
    css`
      .pair {
        display: grid;
        gap: 1.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      @container (min-width: 900px) {
        .pair.both {
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

  override readonly panel = "learned";
  declare view: "both" | "table" | "similarity";
  protected override readonly smallScheme = "learned";
  @state() private shown: { table: PositionTable; rows: Heatmap; similarity: Heatmap } | undefined;

  constructor() {
    super();
    this.useFallbacks("learned");
  }

  protected override get chosen(): string {
    return "learned";
  }

  protected override accepts(run: Run): boolean {
    return run.positions === "learned";
  }

  protected override async inspect(run: Run): Promise<void> {
    const table = await run.ask({ question: "position_table" });
    if (!table) return;
    const [rows = 0, cols = 0] = table.shape;
    this.shown = {
      table,
      rows: {
        rows,
        cols,
        values: table.data,
        scale: divergingScale(largestOf(table.data)),
        rowTitle: "position",
        colTitle: "column of the row",
      },
      similarity: {
        rows,
        cols: rows,
        values: table.similarity,
        scale: divergingScale(1),
        rowTitle: "position",
        colTitle: "position",
      },
    };
  }

  override render() {
    return html`<figure>
      ${this.renderComplaints()}
      ${this.shown && this.current ? this.#figures(this.shown) : this.renderNoRun("No model with learned positions has been trained yet on this page.")}
      <figcaption>
        The table begins as noise. Notice how training makes neighbouring rows alike, so that the band along the diagonal
        widens: the model finds out by itself that places close together are related.
        ${this.shown ? this.#end(this.shown.table) : nothing}
      </figcaption>
    </figure>`;
  }

  #end(table: PositionTable) {
    const [rows = 0] = table.shape;
    return html`It has rows for positions 0 to ${rows - 1} and none for ${rows}: there the model's context ends.`;
  }

  #figures({ table, rows, similarity }: NonNullable<LearnedPanel["shown"]>) {
    return html`${this.renderStatus()} ${this.renderFailure()}
      <div class="pair ${this.view}" data-step=${table.step}>
        ${this.view === "similarity"
          ? nothing
          : html`<div>
              <h3>The table after ${formatCount(table.step)} steps</h3>
              <poslab-matrix
                .data=${rows}
                .aspect=${0}
                .height=${400}
                label="Learned position table, positions by columns."
                .describe=${(row: number, col: number, value: number) =>
                  `Position ${row}, column ${col}: ${formatValue(value, 4)}`}
              ></poslab-matrix>
            </div>`}
        ${this.view === "table"
          ? nothing
          : html`<div>
              <h3>How alike two rows are</h3>
              <poslab-matrix
                .data=${similarity}
                .aspect=${1}
                .maxHeight=${400}
                label="Cosine similarity of every learned row with every other."
                .describe=${(row: number, col: number, value: number) =>
                  `Position ${row} and position ${col}: cosine ${formatValue(value, 3)}`}
              ></poslab-matrix>
            </div>`}
      </div>`;
  }
}
