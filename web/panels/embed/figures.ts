// The tensors of the flow as heat strips, and the sentences of their cells.

import { html, nothing, type TemplateResult } from "lit";
import type { Heatmap } from "../../draw/heatmap.js";
import { divergingScale, largestOf, shareScale } from "../../draw/scales.js";
import { formatValue, spokenToken, visibleToken } from "../../draw/ticks.js";
import type { Matrix } from "../../engine/types.js";
import type { Inputs } from "./inputs.js";
import type { Flow, TensorName } from "./flow.js";

export interface Strip {
  heading: string;
  label: string;
  data: Heatmap;
  height: number;
  describe: (row: number, col: number, value: number) => string;
}

export function flowOf(inputs: Inputs | undefined): Flow {
  const list = (numbers: readonly number[]) => {
    const words = numbers.slice(0, 5).join(" ");
    return numbers.length > 5 ? `${words} …` : words;
  };
  const ids = inputs?.ids ?? [];
  const [T = 0, C = 0] = inputs?.rows.sum.shape ?? [];
  const shape = inputs ? `${T} × ${C}` : "…";
  return {
    ids: { title: "token ids", live: inputs ? list(ids) : "…" },
    places: { title: "positions", live: inputs ? list(ids.map((_, place) => place)) : "…" },
    token: { title: "token rows", live: shape },
    position: { title: "position rows", live: shape },
    add: { title: "plus", live: "both rows and their sum" },
    input: { title: "input of the first block", live: shape },
  };
}

/** Strips of one tensor; the three of the sum share a scale, so that their colours compare. */
export function stripsOf(inputs: Inputs, tensor: TensorName): Strip[] {
  const { rows, ids, vocabulary } = inputs;
  const largest = Math.max(...[rows.token, rows.position, rows.sum].map(({ data }) => largestOf(data)));
  const token = rowStrip(inputs, rows.token, largest, "Token rows", "token row");
  const position = rowStrip(inputs, rows.position, largest, "Position rows", "position row");
  switch (tensor) {
    case "ids":
      return [numberStrip(inputs, ids, vocabulary.length, "Token ids", (value) => `has id ${value}`)];
    case "places": {
      const places = ids.map((_, place) => place);
      return [numberStrip(inputs, places, inputs.blockSize, "Positions", (value) => `stands at position ${value}`)];
    }
    case "token":
      return [token];
    case "position":
      return [position];
    case "add":
      return [token, position, rowStrip(inputs, rows.sum, largest, "Their sum", "sum")];
    case "input":
      return [rowStrip(inputs, rows.sum, largest, "Input of the first block", "input")];
  }
}

function rowStrip(inputs: Inputs, matrix: Matrix, largest: number, heading: string, what: string): Strip {
  const [rows = 0, cols = 0] = matrix.shape;
  const cell = rows <= 20 ? 15 : rows <= 40 ? 11 : 7;
  return {
    heading,
    label: `${heading}, tokens by columns.`,
    height: Math.max(96, 46 + cell * rows),
    data: {
      rows,
      cols,
      values: matrix.data,
      scale: divergingScale(largest),
      rowTitle: "",
      colTitle: "column of the row",
      rowLabels: inputs.tokens.map(visibleToken),
    },
    describe: (row, col, value) =>
      `${spokenToken(inputs.tokens[row] ?? "")} at ${row}, column ${col} of its ${what}: ${formatValue(value, 4)}`,
  };
}

function numberStrip(
  inputs: Inputs,
  values: readonly number[],
  limit: number,
  heading: string,
  say: (value: number) => string,
): Strip {
  return {
    heading,
    label: `${heading}, one for each token.`,
    height: 100,
    data: {
      rows: 1,
      cols: values.length,
      values,
      scale: { ...shareScale(), high: Math.max(1, limit - 1) },
      rowTitle: "",
      colTitle: "token",
      rowLabels: [""],
      colLabels: inputs.tokens.map(visibleToken),
    },
    describe: (_row, col, value) => `${spokenToken(inputs.tokens[col] ?? "")} ${say(value)}`,
  };
}

export function renderStrips(strips: readonly Strip[]): TemplateResult {
  const signs = ["", "+", "="];
  return html`<div class="strips ${strips.length > 1 ? "sum" : ""}">
    ${strips.map(
      ({ heading, label, data, height, describe }, i) => html`<div>
        <h3>${signs[i] ? html`<span class="sign">${signs[i]}</span> ` : nothing}${heading}</h3>
        <poslab-matrix .data=${data} .aspect=${0} .height=${height} label=${label} .describe=${describe}></poslab-matrix>
      </div>`,
    )}
  </div>`;
}

/** A row for each token: where it stands, its id, and how long both summands are. */
export function renderNorms({ tokens, ids, rows }: Inputs): TemplateResult {
  return html`<div class="scroll" role="region" aria-label="Norms of both summands" tabindex="0">
    <table class="norms">
      <thead>
        <tr>
          <th scope="col">token</th>
          <th scope="col">position</th>
          <th scope="col">id</th>
          <th scope="col">‖token row‖</th>
          <th scope="col">‖position row‖</th>
        </tr>
      </thead>
      <tbody>
        ${tokens.map(
          (token, place) => html`<tr>
            <th scope="row" aria-label=${spokenToken(token)}>${visibleToken(token)}</th>
            <td>${place}</td>
            <td>${ids[place]}</td>
            <td>${formatValue(rows.token_norms[place] ?? 0, 3)}</td>
            <td>${formatValue(rows.position_norms[place] ?? 0, 3)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
