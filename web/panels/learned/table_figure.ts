// A table of position rows and how alike they are, side by side.

import { html, nothing, type TemplateResult } from "lit";
import type { Heatmap } from "../../draw/heatmap.js";
import { divergingScale, largestOf } from "../../draw/scales.js";
import { formatValue } from "../../draw/ticks.js";
import type { Matrix } from "../../engine/types.js";

export type View = "both" | "table" | "similarity";

export interface TableFigure {
  rows: Heatmap;
  similarity: Heatmap;
}

export function figureOf(table: Matrix, similarity: Float32Array): TableFigure {
  const [rows = 0, cols = 0] = table.shape;
  return {
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
      values: similarity,
      scale: divergingScale(1),
      rowTitle: "position",
      colTitle: "position",
    },
  };
}

export interface Likeness {
  /** Mean cosine of rows side by side. */
  neighbours: number;
  /** Mean cosine of all that stand farther apart. */
  others: number;
  /** How much the first mean may lie above the second in a table of noise. */
  chance: number;
}

export function meanLikeness({ rows: table, similarity }: TableFigure): Likeness {
  const { rows, values } = similarity;
  let neighbours = 0;
  let others = 0;
  for (let row = 0; row < rows; ++row) {
    for (let other = 0; other < row; ++other) {
      const cosine = values[row * rows + other] ?? 0;
      if (row - other === 1) neighbours += cosine;
      else others += cosine;
    }
  }
  // Cosines of random rows scatter by one over the root of their width, a mean of so many by the root of their number less;
  // three times that is hardly ever exceeded.
  const chance = 3 / Math.sqrt(table.cols * (rows - 1));
  return { neighbours: neighbours / (rows - 1), others: others / (((rows - 1) * (rows - 2)) / 2), chance };
}

export function renderTable(figure: TableFigure, heading: string, view: View): TemplateResult {
  return html`<div class="pair ${view}">
    ${view === "similarity"
      ? nothing
      : html`<div>
          <h3>${heading}</h3>
          <poslab-matrix
            .data=${figure.rows}
            .aspect=${0}
            .height=${400}
            label="Learned position table, positions by columns."
            .describe=${(row: number, col: number, value: number) =>
              `Position ${row}, column ${col}: ${formatValue(value, 4)}`}
          ></poslab-matrix>
        </div>`}
    ${view === "table"
      ? nothing
      : html`<div>
          <h3>How alike two rows are</h3>
          <poslab-matrix
            .data=${figure.similarity}
            .aspect=${1}
            .maxHeight=${400}
            label="Cosine similarity of every learned row with every other."
            .describe=${(row: number, col: number, value: number) =>
              `Position ${row} and position ${col}: cosine ${formatValue(value, 3)}`}
          ></poslab-matrix>
        </div>`}
  </div>`;
}
