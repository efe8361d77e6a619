// The derivation that attention without positions only reorders its outputs, step by step. Each step uses what the one
// before it has made, so there is one right order.

import { html, type TemplateResult } from "lit";

export interface DerivationStep {
  name: string;
  /** In words. */
  label: string;
  content: TemplateResult;
  /** Why it cannot stand earlier. */
  needs: string;
}

export const derivation: readonly DerivationStep[] = [
  {
    name: "start",
    label: "Reorder the input",
    content: html`Let the tokens change seats: a permutation <math><mi>P</mi></math> reorders the rows, and the layer gets
      <math><mi>P</mi><mi>X</mi></math> in place of <math><mi>X</mi></math>.`,
    needs: "everything else follows from it, so it comes first",
  },
  {
    name: "projections",
    label: "Queries, keys and values move along",
    content: html`Query, key and value of a token are made from its own row alone, so they move along:
      <math><mo>(</mo><mi>P</mi><mi>X</mi><mo>)</mo><mi>W</mi><mo>=</mo><mi>P</mi><mo>(</mo><mi>X</mi><mi>W</mi><mo>)</mo></math>
      gives <math><mi>P</mi><mi>Q</mi></math>, <math><mi>P</mi><mi>K</mi></math>, <math><mi>P</mi><mi>V</mi></math>.`,
    needs: "it needs the reordered input PX",
  },
  {
    name: "scores",
    label: "The scores are reordered by rows and columns",
    content: html`Each query meets each key:
      <math>
        <mo>(</mo><mi>P</mi><mi>Q</mi><mo>)</mo><msup><mrow><mo>(</mo><mi>P</mi><mi>K</mi><mo>)</mo></mrow><mi mathvariant="normal">T</mi></msup>
        <mo>/</mo><msqrt><mi>D</mi></msqrt><mo>=</mo><mi>P</mi><mi>S</mi><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup>
      </math>.
      Rows and columns of the scores <math><mi>S</mi><mo>=</mo><mi>Q</mi><msup><mi>K</mi><mi mathvariant="normal">T</mi></msup><mo>/</mo><msqrt><mi>D</mi></msqrt></math> are reordered alike.`,
    needs: "it needs the reordered queries PQ and keys PK",
  },
  {
    name: "softmax",
    label: "The softmax does not mind",
    content: html`The softmax works inside each row, in whatever order its numbers stand:
      <math>
        <mtext>softmax</mtext><mo>(</mo><mi>P</mi><mi>S</mi><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup><mo>)</mo><mo>=</mo>
        <mi>P</mi><mtext>softmax</mtext><mo>(</mo><mi>S</mi><mo>)</mo><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup>
      </math>.`,
    needs: "it needs the reordered scores",
  },
  {
    name: "weighted",
    label: "The weights meet the values",
    content: html`The weights collect the values, which were reordered too:
      <math>
        <mi>P</mi><mtext>softmax</mtext><mo>(</mo><mi>S</mi><mo>)</mo><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup>
        <mo>·</mo><mi>P</mi><mi>V</mi>
      </math>.`,
    needs: "it needs the weights, which the softmax makes",
  },
  {
    name: "cancel",
    label: "The inner permutations cancel",
    content: html`A permutation and its transpose undo each other,
      <math><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup><mi>P</mi><mo>=</mo><mi>I</mi></math>; what remains is
      <math>
        <mi>P</mi><mtext>softmax</mtext><mo>(</mo><mi>S</mi><mo>)</mo><mi>V</mi><mo>=</mo><mi>P</mi><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo>
      </math>.`,
    needs: "there is nothing to cancel before the weights meet the values",
  },
  {
    name: "mlp",
    label: "The MLP adds no order",
    content: html`The MLP, the small network after attention, works on each token by itself, so it adds no order either:
      <math>
        <mtext>MLP</mtext><mo>(</mo><mi>P</mi><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo><mo>)</mo><mo>=</mo>
        <mi>P</mi><mtext>MLP</mtext><mo>(</mo><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo><mo>)</mo>
      </math>.`,
    needs: "it takes the output of attention, which must be known first",
  },
];

/** How the steps lie on the table at first. */
export const shuffled: readonly string[] = ["softmax", "start", "cancel", "scores", "mlp", "projections", "weighted"];

/** What the core checks by number, as formulae; names are the core's. */
export const equalities: Record<string, TemplateResult> = {
  queries: html`<math>
    <mo>(</mo><mi>P</mi><mi>X</mi><mo>)</mo><msub><mi>W</mi><mi>q</mi></msub><mo>=</mo><mi>P</mi><mi>Q</mi>
  </math>`,
  keys: html`<math>
    <mo>(</mo><mi>P</mi><mi>X</mi><mo>)</mo><msub><mi>W</mi><mi>k</mi></msub><mo>=</mo><mi>P</mi><mi>K</mi>
  </math>`,
  values: html`<math>
    <mo>(</mo><mi>P</mi><mi>X</mi><mo>)</mo><msub><mi>W</mi><mi>v</mi></msub><mo>=</mo><mi>P</mi><mi>V</mi>
  </math>`,
  scores: html`<math>
    <mo>(</mo><mi>P</mi><mi>Q</mi><mo>)</mo><msup><mrow><mo>(</mo><mi>P</mi><mi>K</mi><mo>)</mo></mrow><mi mathvariant="normal">T</mi></msup>
    <mo>/</mo><msqrt><mi>D</mi></msqrt><mo>=</mo><mi>P</mi><mi>S</mi><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup>
  </math>`,
  softmax: html`<math>
    <mtext>softmax</mtext><mo>(</mo><mi>P</mi><mi>S</mi><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup><mo>)</mo><mo>=</mo>
    <mi>P</mi><mtext>softmax</mtext><mo>(</mo><mi>S</mi><mo>)</mo><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup>
  </math>`,
  output: html`<math>
    <mi>P</mi><mtext>softmax</mtext><mo>(</mo><mi>S</mi><mo>)</mo><msup><mi>P</mi><mi mathvariant="normal">T</mi></msup><mo>·</mo><mi>P</mi><mi>V</mi><mo>=</mo>
    <mi>P</mi><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo>
  </math>`,
  mlp: html`<math>
    <mtext>MLP</mtext><mo>(</mo><mi>P</mi><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo><mo>)</mo><mo>=</mo>
    <mi>P</mi><mtext>MLP</mtext><mo>(</mo><mtext>Attn</mtext><mo>(</mo><mi>X</mi><mo>)</mo><mo>)</mo>
  </math>`,
};
