// Panel `shuffle`: reorder the words of a sentence and see whether real layers of attention notice, or only move their
// outputs along.

import { css, html, nothing } from "lit";
import type { Heatmap } from "../draw/heatmap.js";
import { shareScale } from "../draw/scales.js";
import { formatDeviation, formatValue, spokenToken, visibleToken } from "../draw/ticks.js";
import type { LayerBlindness } from "../engine/lesson_types.js";
import { Answer } from "../state/answer.js";
import { lab } from "../state/host.js";
import { echo, titleOf } from "../state/props.js";
import { characterOrder, parseOrder, wordsOf } from "../state/reorder.js";
import { schemeOf, schemes } from "../state/schemes.js";
import { LayerTraining, type TrainedLayers } from "../state/trained_layers.js";
import { renderProblem, renderText } from "./fields.js";
import { declarationsOf, Panel } from "./panel.js";
import { endOf, renderBlindness } from "./shuffle/table.js";
import { base, controls, proofStyles } from "./styles.js";

interface Shown {
  layers: LayerBlindness[];
  /** The characters as they stand after the move. */
  characters: string[];
  order: number[];
  map: Heatmap;
}

export class ShufflePanel extends Panel {
  static override properties = declarationsOf("shuffle");
  static override styles = [
    base,
    controls,
    proofStyles,
    css`
      .moves {
        margin: 0.75rem 0 1rem;
      }
      poslab-words,
      .wait {
        margin-bottom: 0.25rem;
      }
      progress {
        accent-color: var(--accent);
      }
      .fails {
        color: var(--poslab-fails, light-dark(#b00020, #ff8f8f));
      }
      .holds {
        color: var(--poslab-holds, light-dark(#00664b, #56cfa6));
      }
    `,
  ];

  override readonly panel = "shuffle";
  declare sentence: string;
  declare word_order: string;
  declare shuffled: string;
  declare mask: "off" | "on";
  declare layers: number;
  declare weights: "random" | "trained";
  readonly #answer = new Answer<Shown>(this);
  readonly #training = new LayerTraining(() => this.requestUpdate());

  constructor() {
    super();
    this.useFallbacks("shuffle");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#training.stop();
  }

  get #words(): string[] {
    return wordsOf(this.sentence);
  }

  /** The reader's order; the words turned round when there is none that fits. */
  get #order(): number[] {
    const count = this.#words.length;
    return parseOrder(this.word_order, count) ?? Array.from({ length: count }, (_, i) => count - 1 - i);
  }

  get #config() {
    const { shuffled: positions, mask, layers: n_layer } = this;
    return { positions, causal: mask === "on", n_layer, n_head: 4, n_embd: 64, block_size: 64, seed: 0 };
  }

  protected override willUpdate(): void {
    const words = this.#words;
    const trained = this.weights === "trained" ? this.#training.get(this.#config) : undefined;
    if (words.length < 2 || (this.weights === "trained" && !trained)) return;
    const order = this.#order;
    const config = this.#config;
    this.#answer.ask([words, order, config, this.weights], () => this.#measure(words, order, config, trained));
  }

  async #measure(
    words: string[],
    wordOrder: number[],
    config: { positions: string },
    trained: TrainedLayers | undefined,
  ): Promise<Shown> {
    const characters = [...words.join(" ")];
    const vocabulary = trained?.vocabulary ?? [...new Set(characters)];
    const unknown = characters.find((character) => !vocabulary.includes(character));
    if (unknown !== undefined) {
      throw new Error(`The trained layers have never seen ${spokenToken(unknown)}; write the sentence without it.`);
    }
    const ids = characters.map((character) => vocabulary.indexOf(character));
    const order = characterOrder(words, wordOrder);
    const model = trained
      ? { config: { ...config, vocab_size: vocabulary.length }, weights: trained.weights }
      : { config: { ...config, vocab_size: vocabulary.length } };
    const layers = await lab.ask({ question: "order_blindness", ...model, ids, order });
    const moved = order.map((i) => characters[i] ?? "");
    const values = layers.flatMap(({ shares }) => [...shares]);
    const map: Heatmap = {
      rows: layers.length,
      cols: moved.length,
      values,
      // Rounding alone stays dark.
      scale: { ...shareScale(), high: Math.max(1e-2, ...values) },
      rowTitle: "layer",
      colTitle: "character on its new seat",
      firstRow: 1,
      colLabels: moved.map(visibleToken),
    };
    return { layers, characters: moved, order, map };
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">${this.#controls()}</div>
        <div>
          ${this.renderComplaints()} ${this.#orderComplaint()} ${this.#seats()} ${renderProblem(this.#answer.failure ?? this.#training.failure)} ${this.#figures()}
        </div>
      </div>
      <figcaption>
        Notice that without positions and mask every output only moves along with its character, down to rounding. A causal
        mask alone ends that: who sits before you now matters. Yet the last character, who sees all others, cannot tell
        their order in layer 0, the first; from layer 1 on it can, since those it listens to have heard different crowds.
      </figcaption>
    </figure>`;
  }

  #controls() {
    return html`${renderText({ ...this.field("sentence"), change: (text) => this.#write(text) })}
      ${this.renderSelect("shuffled", schemes)}
      <label class="choice"
        ><input
          type="checkbox"
          name="mask"
          .checked=${this.mask === "on"}
          @change=${(event: Event) => this.change("mask", (event.target as HTMLInputElement).checked ? "on" : "off")}
        />Causal mask</label
      >
      ${this.renderSlider("layers")}
      <fieldset>
        <legend>Weights</legend>
        ${this.renderRadio("weights", "random", "random, as a model starts")}
        ${this.renderRadio("weights", "trained", "trained on Moby-Dick")}
      </fieldset>`;
  }

  /** Another sentence has other places. */
  #write(text: string): void {
    const before = this.#words.length;
    if (this.change("sentence", text) && this.#words.length !== before) this.change("word_order", "");
  }

  #orderComplaint() {
    const { word_order } = this;
    const count = this.#words.length;
    if (word_order === "" || count < 2 || parseOrder(word_order, count)) return nothing;
    return html`<p class="warning" role="status">
      “${titleOf("shuffle", "word_order")}” is ${echo(word_order)}; it must name the places 0 to ${count - 1} once each, as in
      ${Array.from({ length: count }, (_, i) => i).join(",")}. The words are turned round instead.
    </p>`;
  }

  #seats() {
    const words = this.#words;
    if (words.length < 2) {
      return html`<div class="empty"><p>Write at least two words, so that there is something to reorder.</p></div>`;
    }
    const order = this.#order;
    const last = words.length - 1;
    const keep = (next: number[]) => this.change("word_order", next.join(","));
    const straight = order.map((_, i) => i);
    return html`<poslab-words
        label="The words on their new seats"
        .items=${order.map((id) => ({ id, text: words[id] ?? "", note: `was on seat ${id}` }))}
        @reorder=${(event: CustomEvent<number[]>) => keep(event.detail)}
      ></poslab-words>
      <div class="buttons moves">
        <button type="button" @click=${() => keep([...straight].reverse())}>Turn round</button>
        <button type="button" @click=${() => keep([1, 0, ...straight.slice(2)])}>Swap the first two</button>
        <button type="button" @click=${() => keep([last, ...straight.slice(0, last)])}>Last word first</button>
        <button type="button" @click=${() => keep(straight)}>As written</button>
      </div>`;
  }

  #figures() {
    if (this.#words.length < 2) return nothing;
    if (this.weights === "trained" && !this.#training.get(this.#config)) return this.#trainFirst();
    const shown = this.#answer.value;
    if (!shown) return html`<div class="empty"><p>The measurement appears here.</p></div>`;
    const deepest = shown.layers.at(-1);
    const L = shown.layers.length;
    const stood = shown.order.every((from, place) => from === place);
    return html`<p role="status">
        ${stood ? "The words stand as written: there is nothing to notice. Move one. " : endOf(shown.layers)} ${this.#trainedNote()}
      </p>
      <h3>How far each character’s output is from having only moved along</h3>
      <poslab-matrix
        .data=${shown.map}
        .aspect=${0}
        .height=${62 + 34 * L}
        label="Distance of attention of the reordered text from the reordered attention, layers by characters; largest ${formatDeviation(
          Math.max(...shown.layers.map(({ moves_along }) => moves_along.largest)),
        )}."
        .describe=${(row: number, col: number, value: number) =>
          `Layer ${row}, ${spokenToken(shown.characters[col] ?? "")} now on place ${col}: distance ${formatDeviation(value)} of the mean length`}
      ></poslab-matrix>
      ${renderBlindness(shown.layers)}
      <div class="proofs">
        <poslab-proof .proof=${deepest?.moves_along} measure="of the mean length of a row">
          In layer ${L - 1}, attention of the reordered text is the reordered attention:
          <math
            ><mrow
              ><mi>attn</mi><mo>(</mo><mi>P</mi><mi>X</mi><mo>)</mo><mo>=</mo><mi>P</mi><mspace width="0.17em" /><mi>attn</mi><mo>(</mo><mi>X</mi
              ><mo>)</mo></mrow
            ></math
          >
        </poslab-proof>
        <poslab-proof .proof=${deepest?.last_kept} measure="of the mean length of a row">
          In layer ${L - 1}, the last character’s output stays the same when only those before it are reordered.
        </poslab-proof>
      </div>`;
  }

  #trainedNote() {
    const trained = this.weights === "trained" ? this.#training.get(this.#config) : undefined;
    return trained ? html`These layers were trained here; on text that was kept aside their loss, the mean surprise at the next character, is ${formatValue(trained.valLoss)} nats.` : nothing;
  }

  #trainFirst() {
    const { steps } = this.#training;
    const step = this.#training.stepOf(this.#config);
    const positions = this.shuffled === "none" ? "no" : schemeOf(this.shuffled).title;
    const what = `${this.layers} ${this.layers === 1 ? "layer" : "layers"}, ${positions} positions, ${this.mask === "on" ? "with" : "without"} a causal mask`;
    return html`<div class="empty">
      <p>There are no trained layers of this kind yet: ${what}.</p>
      ${step === undefined
        ? html`<button type="button" class="primary" @click=${() => void this.#training.train(this.#config)}>
            Train them here
          </button>`
        : html`<p>Step ${step} of ${steps}</p>
            <progress max=${steps} .value=${step} aria-label="Training"></progress>
            <button type="button" @click=${() => this.#training.stop()}>Stop</button>`}
      <p>${steps} steps on Moby-Dick, in this browser.</p>
    </div>`;
  }
}
