// Panel `attention`: where each character of a text looks, in one head of a trained model.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import type { Heatmap } from "../draw/heatmap.js";
import { shareScale } from "../draw/scales.js";
import { formatCount, formatValue, spokenToken, visibleToken } from "../draw/ticks.js";
import type { Run } from "../engine/run.js";
import type { TextTensor } from "../engine/types.js";
import type { HeadChoice } from "../parts/head_grid.js";
import { titleOf } from "../state/props.js";
import { schemeOf, schemes } from "../state/schemes.js";
import { renderSelect } from "./fields.js";
import { declarationsOf } from "./panel.js";
import { RunPanel, runStyles } from "./run_panel.js";
import { base, controls } from "./styles.js";

interface Shown {
  attention: TextTensor;
  tokens: string[];
  causal: boolean;
  /** How much of a longer text was read. */
  cutTo: number | undefined;
}

/** The start of a text that the model has positions for; characters it does not know take none. */
function fitting(run: Run, text: string): { read: string; cutTo: number | undefined } {
  const { config, vocabulary = [] } = run.created ?? {};
  // Only a table of rows ends; the other schemes go on for any length.
  if (!config || config.positions !== "learned") return { read: text, cutTo: undefined };
  let left = config.block_size;
  let read = "";
  for (const character of text) {
    if (vocabulary.includes(character) && left-- === 0) return { read, cutTo: config.block_size };
    read += character;
  }
  return { read, cutTo: undefined };
}

export class AttentionPanel extends RunPanel {
  static override properties = declarationsOf("attention");
  static override styles = [
    base,
    controls,
    runStyles,
    css`
      poslab-heads {
        display: block;
        max-width: 100%;
        overflow-x: auto;
        padding: 2px;
      }
      .warning {
        margin-bottom: 0.75rem;
      }
    `,
  ];

  override readonly panel = "attention";
  declare run: string;
  declare layer: number;
  declare head: number;
  declare text: string;
  @state() private shown: Shown | undefined;
  #heatmap: { of: Shown; layer: number; head: number; map: Heatmap } | undefined;

  constructor() {
    super();
    this.useFallbacks("attention");
  }

  protected override get smallScheme(): string {
    return this.run || "learned";
  }

  protected override get chosen(): string {
    return this.run;
  }

  protected override accepts(): boolean {
    return true;
  }

  protected override get question(): string {
    return this.text;
  }

  protected override async inspect(run: Run): Promise<() => void> {
    if (this.text === "") throw new Error(`“${titleOf("attention", "text")}” is empty; write at least one character.`);
    const { read, cutTo } = fitting(run, this.text);
    const attention = await run.ask({ question: "attention", text: read });
    const vocabulary = run.created?.vocabulary ?? [];
    const tokens = Array.from(attention.ids, (id) => vocabulary[id] ?? "?");
    const shown = { attention, tokens, causal: run.created?.config.causal ?? true, cutTo };
    return () => (this.shown = shown);
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">
          ${this.#runChoice()}
          ${this.renderText("text")}
          ${this.shown
            ? html`<div>
                <span class="label">Layer (down) and head (across), numbered from 0, as in code</span>
                <poslab-heads
                  .attention=${this.shown.attention}
                  .causal=${this.shown.causal}
                  .layer=${this.#layer}
                  .head=${this.#head}
                  @choose=${(event: CustomEvent<HeadChoice>) => this.#choose(event.detail)}
                ></poslab-heads>
              </div>`
            : nothing}
        </div>
        <div>
          ${this.renderComplaints()}
          ${this.shown && this.current ? this.#figure(this.shown) : this.renderNoRun("No model has been trained yet on this page.")}
        </div>
      </div>
      <figcaption>
        Each row is a character that looks, each column one that is looked at; a row adds up to one. Hatched cells lie in
        the future, where no character may look. Notice the first layer, 0: after a longer training with positions its
        heads look a few characters back, whoever stands there; without, they can only look for certain characters.
      </figcaption>
    </figure>`;
  }

  #runChoice() {
    const { current, runs } = this;
    if (!current) return renderSelect({ ...this.field("run"), value: this.smallScheme }, schemes);
    const options = runs.map(({ positions }) => schemeOf(positions));
    return renderSelect({ ...this.field("run"), value: current.positions }, options);
  }

  get #layer(): number {
    return Math.min(this.layer, (this.shown?.attention.shape[0] ?? 1) - 1);
  }

  get #head(): number {
    return Math.min(this.head, (this.shown?.attention.shape[1] ?? 1) - 1);
  }

  #choose({ layer, head }: HeadChoice): void {
    this.change("layer", String(layer));
    this.change("head", String(head));
  }

  #figure(shown: Shown) {
    const { tokens } = shown;
    const { skipped } = shown.attention;
    return html`${this.renderStatus()} ${this.renderFailure()} ${this.#outOfRange()}
      ${skipped.length > 0
        ? html`<p class="warning" role="status">
            The model has never seen ${skipped.map(spokenToken).join(", ")}; left out here.
          </p>`
        : nothing}
      ${shown.cutTo === undefined
        ? nothing
        : html`<p class="warning" role="status">
            This model reads ${formatCount(shown.cutTo)} characters; the rest is left out.
          </p>`}
      <poslab-matrix
        .data=${this.#heatmapOf(shown)}
        .aspect=${1}
        .maxHeight=${620}
        label="Attention of layer ${this.#layer}, head ${this.#head}."
        .describe=${(row: number, col: number, value: number) => {
          const looker = `${spokenToken(tokens[row] ?? "")} at ${row}`;
          const target = `${spokenToken(tokens[col] ?? "")} at ${col}`;
          return shown.causal && col > row
            ? `${looker} may not look at ${target}: it comes later`
            : `${looker} looks at ${target}: ${formatValue(value)}`;
        }}
      ></poslab-matrix>`;
  }

  #outOfRange() {
    const wrong = (["layer", "head"] as const).filter((name) => this[name] > (name === "layer" ? this.#layer : this.#head));
    return wrong.map(
      (name) =>
        html`<p class="warning" role="status">
          “${titleOf("attention", name)}” is ${this[name]}; this model’s last is
          ${name === "layer" ? this.#layer : this.#head}, shown instead.
        </p>`,
    );
  }

  #heatmapOf(shown: Shown): Heatmap {
    const layer = this.#layer;
    const head = this.#head;
    const kept = this.#heatmap;
    if (kept && kept.of === shown && kept.layer === layer && kept.head === head) return kept.map;
    const [, heads = 1, T = 0] = shown.attention.shape;
    const at = (layer * heads + head) * T * T;
    const labels = shown.tokens.map(visibleToken);
    const map: Heatmap = {
      rows: T,
      cols: T,
      values: shown.attention.data.subarray(at, at + T * T),
      scale: shareScale(),
      masked: shown.causal ? (row, col) => col > row : undefined,
      rowTitle: "looks",
      colTitle: "is looked at",
      rowLabels: labels,
      colLabels: labels,
    };
    this.#heatmap = { of: shown, layer, head, map };
    return map;
  }
}
