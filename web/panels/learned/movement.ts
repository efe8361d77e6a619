// Which rows of a learned table moved: of a run against its start, and of a small training on short texts.

import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Heatmap } from "../../draw/heatmap.js";
import { largestOf, shareScale } from "../../draw/scales.js";
import { formatValue } from "../../draw/ticks.js";
import type { Run } from "../../engine/run.js";
import type { Matrix } from "../../engine/types.js";
import { corpusText } from "../../state/corpora.js";
import { lab } from "../../state/host.js";
import { sizes } from "../../state/sizes.js";

const starts = new WeakMap<Run, Float32Array>();

/** The run's table before its first step. */
async function startOf(run: Run, rows: number): Promise<Float32Array> {
  const known = starts.get(run);
  if (known) return known;
  // A fresh model of the same config and seed stands where the run stood; any ids show all its position rows.
  const ids = Array.from({ length: rows }, () => 0);
  const { position } = await lab.ask({ question: "input_rows", config: { ...run.created?.config }, ids });
  starts.set(run, position.data);
  return position.data;
}

/** Distance of every row from its start. */
export async function movedSinceStart(run: Run, table: Matrix): Promise<Float64Array> {
  const [rows = 0, columns = 0] = table.shape;
  const before = await startOf(run, rows);
  return lab.ask({ question: "row_distances", before, after: table.data, rows, columns });
}

const shortTraining = { block_size: sizes.lab.block_size, steps: 40, characters: 60_000 };

/** Trains on texts of `length` characters for a moment; distances from the start. */
export async function movedByShortTexts(length: number): Promise<Float64Array> {
  const { n_head, n_embd } = sizes.lab;
  const text = (await corpusText("moby-dick", "")).slice(0, shortTraining.characters);
  const { block_size, steps } = shortTraining;
  const config = { n_layer: 1, n_head, n_embd, block_size };
  const { distance } = await lab.ask({ question: "train_on_short_texts", text, config, length, steps });
  return distance;
}

export const shortTrainingSteps = shortTraining.steps;
export const shortTrainingRows = shortTraining.block_size;

/** "In this table, all 64 rows moved", or which did not. */
export function movementSentence(table: string, distances: Float64Array): string {
  const still = [...distances.keys()].filter((row) => distances[row] === 0);
  if (still.length === 0) {
    return `In ${table}, all ${distances.length} rows moved, the least by ${formatValue(Math.min(...distances), 3)}.`;
  }
  if (still.length === distances.length) return `In ${table}, no row has moved yet.`;
  const [first = 0] = still;
  const last = still.at(-1) ?? first;
  const run = last - first + 1 === still.length;
  const which = still.length === 1 ? `row ${first}` : run ? `rows ${first} to ${last}` : `rows ${still.join(", ")}`;
  return `In ${table}, ${which} never moved, not by a bit; the other ${distances.length - still.length} did.`;
}

function movementMap(distances: Float64Array): Heatmap {
  return {
    rows: 1,
    cols: distances.length,
    values: distances,
    scale: { ...shareScale(), high: largestOf(distances) || 1 },
    rowTitle: "",
    colTitle: "row of the table = position",
    rowLabels: [""],
  };
}

/** The distances as a strip with a cell for each row; the same distances are not drawn again. */
export function renderMovement(distances: Float64Array, label: string): unknown {
  return guard(
    [distances],
    () => html`<poslab-matrix
      .data=${movementMap(distances)}
      .aspect=${0}
      .height=${104}
      label=${label}
      .describe=${(_row: number, col: number, value: number) =>
        value === 0 ? `Row ${col} never moved` : `Row ${col} moved by ${formatValue(value, 3)}`}
    ></poslab-matrix>`,
  );
}
