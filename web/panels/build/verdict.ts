// What the grader found, in words, with the learner's matrix drawn. Pure templates.

import { css, html, nothing, type TemplateResult } from "lit";
import { divergingScale, largestOf } from "../../draw/scales.js";
import type { Heatmap } from "../../draw/heatmap.js";
import { formatDeviation, formatValue } from "../../draw/ticks.js";
import type { Grade } from "../../engine/lesson_types.js";
import type { Matrix } from "../../engine/types.js";

export const verdictStyles = css`
  dl {
    margin: 0.4rem 0 0.6rem;
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.2rem 1rem;
  }
  dt {
    color: var(--soft);
  }
  dd {
    margin: 0;
  }
  .verdict h3 {
    margin-top: 0;
  }
`;

const titles: Record<string, string> = {
  correct: "Correct",
  harmless: "Different, and harmless",
  mistaken: "Not yet",
  unknown: "Not yet, and no mistake that is known here",
};

export function heatmapOf({ shape, data }: Matrix): Heatmap {
  const [rows = 0, cols = 0] = shape;
  return { rows, cols, values: data, scale: divergingScale(largestOf(data)), rowTitle: "row", colTitle: "column" };
}

export function renderVerdict(grade: Grade, source: string): TemplateResult {
  const good = grade.verdict === "correct" || grade.verdict === "harmless";
  const named = grade.mistakes.map(({ title }) => title).join(" and ");
  return html`<div class="verdict ${good ? "passed" : "wrong"}" data-verdict=${grade.verdict}>
    <h3>${titles[grade.verdict] ?? grade.verdict}${named === "" ? "" : `: ${named}`}</h3>
    <p>${source}: ${grade.n} positions, width ${grade.d}. ${grade.sentence}</p>
    ${grade.has_wrong_cell
      ? html`<dl>
          <dt>First cell that differs</dt>
          <dd>row ${grade.row}, column ${grade.column}, counted from 0</dd>
          <dt>Yours, and the core’s</dt>
          <dd>${formatValue(grade.given, 6)}, ${formatValue(grade.expected, 6)}</dd>
          <dt>Largest difference</dt>
          <dd>${formatDeviation(grade.largest)}; up to ${formatDeviation(grade.tolerance)} counts as equal</dd>
          ${grade.mistakes.some(({ name }) => name === "other_base")
            ? html`<dt>Base of your waves</dt>
                <dd>about ${Number(grade.base.toPrecision(5))}</dd>`
            : nothing}
        </dl>`
      : nothing}
    ${grade.mistakes.map(
      ({ name, title, cure }) => html`<p data-mistake=${name}><strong>What to change</strong> (${title}): ${cure}</p>`,
    )}
  </div>`;
}
