// What the shuffle panel says layer by layer: the largest distance over all tokens, and that of the last one.

import { html, type TemplateResult } from "lit";
import { formatDeviation } from "../../draw/ticks.js";
import type { LayerBlindness, Proof } from "../../engine/lesson_types.js";

/** Where order-blindness ends, in a sentence. */
export function endOf(layers: readonly LayerBlindness[]): string {
  const all = layers.findIndex(({ moves_along }) => !moves_along.holds);
  const last = layers.findIndex(({ last_kept }) => !last_kept.holds);
  if (all < 0) {
    const many = ["This layer is", "Both layers are"][layers.length - 1] ?? `All ${layers.length} layers are`;
    return `${many} blind to order: the outputs only moved along.`;
  }
  const lastWords =
    last < 0
      ? "The last character still cannot tell in which order the others came."
      : `The last character can tell the order of the others from layer ${last} on.`;
  return `Order-blindness ends in layer ${all}: outputs there do not only move along. ${lastWords}`;
}

export function renderBlindness(layers: readonly LayerBlindness[]): TemplateResult {
  return html`<table aria-label="Distances layer by layer, as a share of the mean length of the rows">
    <thead>
      <tr>
        <th scope="col">Distance, of the mean length</th>
        <th scope="col">all characters, largest</th>
        <th scope="col">the last one, others reordered</th>
      </tr>
    </thead>
    <tbody>
      ${layers.map(
        ({ moves_along, last_kept }, i) =>
          html`<tr>
            <th scope="row">layer ${i}</th>
            ${cell(moves_along)} ${cell(last_kept)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cell({ largest, holds }: Proof): TemplateResult {
  return html`<td class=${holds ? "holds" : "fails"}>
    ${formatDeviation(largest)} ${holds ? "blind" : "notices"}
  </td>`;
}
