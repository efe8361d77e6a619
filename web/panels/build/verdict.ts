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
  .verdict sup {
    line-height: 0;
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

/** Why right numbers do not yet show that the learner can build them. */
export interface Doubt {
  title: string;
  sentence: string;
}

const fewest = { rows: 8, columns: 4 };

/** What a table leaves open that is right as far as it goes; undefined when it leaves nothing open. */
export function doubtOfTable({ verdict, n, d, alternatives }: Grade): Doubt | undefined {
  if (verdict !== "correct") return undefined;
  if (n < fewest.rows || d < fewest.columns) {
    return {
      title: "These few numbers fit, and do not prove it",
      sentence: `Hand in at least ${fewest.rows} rows and ${fewest.columns} columns, and the checklist ticks it.`,
    };
  }
  return alternatives.length === 0 ? undefined : ambiguous;
}

export function doubtOfTurned({ verdict, alternatives }: Grade, rows: string): Doubt | undefined {
  if (verdict !== "correct") return undefined;
  if (rows === "value") {
    return {
      title: "Correct, and nothing to do",
      sentence: "Values are never turned, so this shows no turning yet. The checklist ticks turned queries or keys.",
    };
  }
  return alternatives.length === 0 ? undefined : ambiguous;
}

const ambiguous: Doubt = {
  title: "These numbers fit, and do not prove it",
  sentence: "Something else gives the same numbers here. Ask for another base, for instance 10000, and the checklist ticks it.",
};

/** Sets exponents and signs as such: base^(2i/d), 6e-08, -0.5. */
function typeset(sentence: string): (string | TemplateResult)[] {
  const numbers = sentence.replace(/\d+(\.\d+)?e[-+]\d+/g, (number) => formatDeviation(Number(number))).replace(/(?<=\s)-(?=\d)/g, "−");
  return numbers.split(/\^\(([^)]*)\)/).map((part, i) => (i % 2 === 1 ? html`<sup>${part}</sup>` : part));
}

export function renderVerdict(grade: Grade, source: string, doubt: Doubt | undefined): TemplateResult {
  const good = grade.verdict === "correct" || grade.verdict === "harmless";
  const named = grade.mistakes.map(({ title }) => title).join(" and ");
  return html`<div class="verdict ${good ? "passed" : "wrong"}" data-verdict=${grade.verdict}>
    <h3>${doubt?.title ?? titles[grade.verdict] ?? grade.verdict}${named === "" ? "" : `: ${named}`}</h3>
    <p>${source}: ${grade.n} ${grade.n === 1 ? "position" : "positions"}, width ${grade.d}. ${typeset(grade.sentence)}</p>
    ${doubt ? html`<p class="doubt">${doubt.sentence}</p>` : nothing}
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
      ({ name, title, cure }) => html`<p data-mistake=${name}><strong>What to change</strong> (${title}): ${typeset(cure)}</p>`,
    )}
  </div>`;
}
