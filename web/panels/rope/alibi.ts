// ALiBi beside RoPE: distance again, but as a penalty on the score. Pure template.

import { html, type TemplateResult } from "lit";
import { divergingScale } from "../../draw/scales.js";
import type { Heatmap } from "../../draw/heatmap.js";
import { formatValue } from "../../draw/ticks.js";
import type { AnswerOf, LabQuestions } from "../../engine/protocol.js";

export type AlibiRows = AnswerOf<LabQuestions, "alibi_rows">;

/** Positions of the figure. */
export const alibiPositions = 24;

const claims: Record<string, string> = {
  alibi_slope: "In every head each step away takes the head’s slope off the score.",
  alibi_relative: "A row is the row above it moved on by one: the penalty depends on the distance only.",
  alibi_own_position: "A token’s own position costs nothing.",
};

/** The penalties of one head, nothing where looking is not allowed. */
export function alibiMap({ bias }: AlibiRows, head: number): Heatmap {
  const [, n = 0] = bias.shape;
  const values = bias.data.subarray(head * n * n, (head + 1) * n * n);
  return {
    rows: n,
    cols: n,
    values,
    scale: divergingScale(Math.max(...Array.from(values, (value) => (Number.isFinite(value) ? Math.abs(value) : 0)))),
    masked: (row, col) => col > row,
    rowTitle: "looks",
    colTitle: "is looked at",
  };
}

export function renderAlibi(rows: AlibiRows, map: Heatmap, head: number): TemplateResult {
  const slope = formatValue(rows.slopes[head] ?? 0, 6);
  return html`<p>
      Head ${head} takes ${slope} off for each step of distance. Its penalties, for ${alibiPositions} positions:
    </p>
    <poslab-matrix
      .data=${map}
      .aspect=${1}
      .maxHeight=${360}
      label="ALiBi penalties of head ${head}, slope ${slope}: from 0 on the diagonal to ${formatValue(map.scale.low, 3)} at the greatest distance."
      .describe=${(row: number, col: number, value: number) =>
        col > row
          ? `Position ${row} may not look at ${col}: it comes later`
          : `Position ${row} looks at ${col}: ${formatValue(value, 4)} on the score`}
    ></poslab-matrix>
    <div class="proofs">
      ${rows.proofs.map(
        (proof) => html`<poslab-proof .proof=${proof}>${claims[proof.claim] ?? proof.claim}</poslab-proof>`,
      )}
    </div>`;
}
