// What the exercise `break` says after the runs: the prediction beside the measurement, and why the model without
// positions does not fail altogether. Pure templates.

import { css, html, nothing, type TemplateResult } from "lit";
import { formatCount, formatDeviation, formatValue } from "../../draw/ticks.js";
import type { PermutationStage } from "../../engine/lesson_types.js";
import type { Run } from "../../engine/run.js";
import type { Baselines } from "../../engine/types.js";
import { schemeOf } from "../../state/schemes.js";
import { stageTitle } from "../stages.js";

export type Guess = "better" | "same" | "worse";

export interface Prediction {
  guess: Guess;
  /** Nats per character, by how much better or worse. */
  amount: number;
}

/** Two validation losses that differ by less are the same, for a guess. */
export const sameWithin = 0.02;

export const reportStyles = css`
  .stats {
    font-size: 0.875rem;
  }
  .stats :is(th, td):not(:first-child) {
    padding-inline-start: 0.6rem;
  }
`;

/** So many steps show enough of a difference to call the exercise done. */
export const fewestSteps = 100;

/** How far the model without positions lies above the other; undefined until both are measured. */
export function differenceOf(runs: readonly Run[]): number | undefined {
  const loss = (scheme: string) => runs.find(({ positions }) => positions === scheme)?.result?.val_loss;
  const none = loss("none");
  const learned = loss("learned");
  return none === undefined || learned === undefined ? undefined : none - learned;
}

/** How many steps both models made at least. */
export const stepsOf = (runs: readonly Run[]): number => Math.min(...runs.map(({ step }) => step));

export function renderTooFew(steps: number): TemplateResult | typeof nothing {
  if (steps >= fewestSteps) return nothing;
  return html`<p class="note too-few">
    That was after ${formatCount(steps)} ${steps === 1 ? "step" : "steps"}, which is little to go by; the checklist ticks this
    exercise from ${fewestSteps} steps on.
  </p>`;
}

/** What a loss shows by the simple guessers that it beats. */
function knowledge(loss: number, { uniform, unigram, bigram }: Baselines): string {
  if (loss >= uniform) return "no better than guessing all characters alike";
  if (loss >= unigram) return "better than guessing all characters alike, yet worse than knowing how frequent each is";
  if (loss >= bigram) return "better than knowing how frequent each character is, yet worse than knowing which follows which";
  return "better than knowing which character follows which";
}

/** What each model has learned so far, measured against the simple guessers. */
export function knowledgeOf(runs: readonly Run[]): string {
  const baselines = runs.find(({ created }) => created)?.created?.baselines;
  const found = runs.flatMap(({ positions, result }) =>
    result && baselines ? [{ positions, what: knowledge(result.val_loss, baselines) }] : [],
  );
  const [first] = found;
  if (!first) return "";
  if (found.every(({ what }) => what === first.what)) return `Both are ${first.what}.`;
  return found.map(({ positions, what }) => `The model ${positions === "none" ? "without" : "with"} positions is ${what}.`).join(" ");
}

export function renderComparison({ guess, amount }: Prediction, difference: number, known: string): TemplateResult {
  const measured: Guess = Math.abs(difference) < sameWithin ? "same" : difference > 0 ? "worse" : "better";
  const said = guess === "same" ? "the same" : `${guess} by ${formatValue(amount, 2)}`;
  const found = measured === "same" ? `the same, within ${sameWithin}` : `${measured} by ${formatValue(Math.abs(difference), 3)}`;
  const expected = guess === "same" ? 0 : guess === "worse" ? amount : -amount;
  return html`<div class=${guess === measured ? "passed" : "wrong"} data-measured=${measured}>
    <p>
      <strong>${guess === measured ? "You saw it coming." : "It came out otherwise."}</strong>
      You said that the model without positions would be ${said}. Measured on text that neither model has read, it is
      ${found} nats per character; your figure is off by ${formatValue(Math.abs(difference - expected), 3)}.
      ${known} ${measured === "worse" ? nothing : "Give them more steps and see whether they part."}
    </p>
  </div>`;
}

export function renderStats(runs: readonly Run[]): TemplateResult {
  const rows = runs.flatMap(({ positions, result }) => (result ? [{ positions, result }] : []));
  const baselines = runs.find(({ created }) => created)?.created?.baselines;
  return html`<div class="scroll">
    <table class="stats">
      <thead>
        <tr>
          <th scope="col">Positions</th>
          <th scope="col">Validation loss</th>
          <th scope="col">Words written</th>
          <th scope="col">Real words</th>
          <th scope="col">Lines</th>
          <th scope="col">Mean line length</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ positions, result: { val_loss, stats } }) => {
          const share = stats.words > 0 ? `${Math.round((100 * stats.known_words) / stats.words)} %` : "–";
          return html`<tr data-scheme=${positions}>
            <th scope="row"><i class="chip"></i> ${schemeOf(positions).title}</th>
            <td>${formatValue(val_loss, 3)}</td>
            <td>${formatCount(stats.words)}</td>
            <td>${share}</td>
            <td>${formatCount(stats.lines)}</td>
            <td>${formatValue(stats.mean_line_length, 1)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${baselines === undefined
      ? nothing
      : html`<p class="note">
          For comparison: who knows nothing has a loss of ${formatValue(baselines.uniform, 3)}, who knows how frequent each
          character is has ${formatValue(baselines.unigram, 3)}, who knows which follows which
          ${formatValue(baselines.bigram, 3)}.
        </p>`}
  </div>`;
}

export interface MaskEvidence {
  masked: PermutationStage[];
  unmasked: PermutationStage[];
}

export function renderReason(evidence: MaskEvidence | undefined): TemplateResult {
  return html`<h3>Why it is no total failure</h3>
    <p>
      Both models read from left to right: a mask forbids every token to look ahead. The first token sees a crowd of one,
      the second a crowd of two, and so on. The size of the crowd leaks the order, and a second layer can use it. Without a
      mask everybody sees the same crowd, and nothing leaks.
    </p>
    <p>
      Here is that, measured: a fresh model without positions reads six tokens, then the same six backwards. The number says
      how far its outputs are from just having moved along with their tokens, as a share of their length.
    </p>
    ${evidence === undefined ? nothing : evidenceTable(evidence)}`;
}

function evidenceTable({ masked, unmasked }: MaskEvidence): TemplateResult {
  return html`<div class="scroll">
    <table class="stats evidence">
      <thead>
        <tr>
          <th scope="col">After</th>
          <th scope="col">Without a mask</th>
          <th scope="col">With the mask</th>
        </tr>
      </thead>
      <tbody>
        ${masked.map(
          ({ name, relative }, i) =>
            html`<tr data-stage=${name}>
              <th scope="row">${stageTitle(name)}</th>
              <td>${formatDeviation(unmasked[i]?.relative ?? Number.NaN)}</td>
              <td>${formatDeviation(relative)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
