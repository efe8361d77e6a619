// A variant's report: what was measured, the first wrong cell, both matrices, symptom and cure.

import { html, type TemplateResult } from "lit";
import { divergingScale, largestOf } from "../../draw/scales.js";
import { formatDeviation, formatValue } from "../../draw/ticks.js";
import type { BugReport } from "../../engine/lesson_types.js";
import type { Matrix } from "../../engine/types.js";

export function renderReport(report: BugReport): TemplateResult {
  const { expected, given } = report;
  const largest = Math.max(largestOf(expected.data), largestOf(given.data));
  return html`<p class="measured">
      <strong>Measured.</strong> ${report.property} Written the right way the code gives
      ${formatDeviation(report.right)}, in this variant ${formatDeviation(report.variant)}. More than
      ${formatDeviation(report.threshold)} counts as faulty, and this is ${report.faulty ? "more" : "not more"}.
    </p>
    <p class="cell">${cellSentence(report)}</p>
    <div class="matrices">
      ${renderMatrix(expected, largest, "The right way", report.matrix)}
      ${renderMatrix(given, largest, "This variant", report.matrix)}
    </div>
    <p><strong>Symptom.</strong> ${report.symptom}</p>
    <p><strong>Cure.</strong> ${report.cure}</p>`;
}

export function cellSentence(report: BugReport): string {
  const { row, column, expected, given, matrix, has_wrong_cell, largest } = report;
  if (!has_wrong_cell) return `No cell of the ${matrix} differs by more than 0.0001.`;
  const columns = expected.shape[1] ?? 1;
  const value = ({ data }: Matrix) => formatValue(data[row * columns + column] as number, 4);
  const cell = `row ${row}, column ${column} of the ${matrix}`;
  return `First cell that differs: ${cell}, ${value(given)} instead of ${value(expected)}; the largest difference is ${formatDeviation(largest)}.`;
}

function renderMatrix(matrix: Matrix, largest: number, heading: string, what: string): TemplateResult {
  const [rows = 0, cols = 0] = matrix.shape;
  const data = {
    rows,
    cols,
    values: matrix.data,
    scale: divergingScale(largest),
    rowTitle: "row",
    colTitle: "column",
  };
  return html`<div>
    <h4>${heading}</h4>
    <poslab-matrix
      .data=${data}
      .aspect=${0}
      .height=${200}
      label="${heading}: ${what}."
      .describe=${(row: number, col: number, value: number) => `Row ${row}, column ${col}: ${formatValue(value, 4)}`}
    ></poslab-matrix>
  </div>`;
}
