// All heads of all layers as thumbnails; the chosen one is the one shown large.

import { css, html, LitElement, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { drawCells } from "../draw/heatmap.js";
import { shareScale } from "../draw/scales.js";
import type { Matrix } from "../engine/types.js";
import { controls } from "../panels/styles.js";

const size = 40;

export interface HeadChoice {
  layer: number;
  head: number;
}

export class HeadGrid extends LitElement {
  static override styles = [
    controls,
    css`
      .line {
        display: flex;
        gap: 2px;
        align-items: center;
        color: var(--soft);
        font-size: 0.75rem;
      }
      .line > span {
        flex: none;
        inline-size: ${size + 8}px;
        text-align: center;
      }
      .line > span:first-child {
        inline-size: 0.9rem;
      }
      button {
        padding: 2px;
        min-height: 0;
        border: 2px solid transparent;
        border-radius: 4px;
        line-height: 0;
      }
      button[aria-pressed="true"] {
        border-color: var(--accent);
      }
      canvas {
        width: ${size}px;
        height: ${size}px;
        color: var(--soft);
      }
    `,
  ];

  /** Attention weights, shape [layer, head, T, T]. */
  @property({ attribute: false }) attention: Matrix | undefined;
  @property({ type: Number }) layer = 0;
  @property({ type: Number }) head = 0;
  @property({ type: Boolean }) causal = true;

  override render() {
    const [layers = 0, heads = 0] = this.attention?.shape ?? [];
    return html`<div role="group" aria-label="Layer and head">
      <div class="line"><span></span>${range(heads).map((head) => html`<span>${head}</span>`)}</div>
      ${range(layers).map(
        (layer) =>
          html`<div class="line"><span>${layer}</span>${range(heads).map((head) => this.#button(layer, head))}</div>`,
      )}
    </div>`;
  }

  #button(layer: number, head: number) {
    return html`<button
      type="button"
      aria-label="Layer ${layer}, head ${head}"
      aria-pressed=${layer === this.layer && head === this.head}
      @click=${() => this.dispatchEvent(new CustomEvent<HeadChoice>("choose", { detail: { layer, head } }))}
    >
      <canvas data-layer=${layer} data-head=${head}></canvas>
    </button>`;
  }

  protected override updated(changes: PropertyValues): void {
    const { attention } = this;
    if (!attention || !changes.has("attention")) return;
    const [, heads = 0, T = 0] = attention.shape;
    const ratio = devicePixelRatio || 1;
    for (const canvas of this.renderRoot.querySelectorAll("canvas")) {
      const ctx = canvas.getContext("2d");
      if (!ctx) continue;
      const at = (Number(canvas.dataset["layer"]) * heads + Number(canvas.dataset["head"])) * T * T;
      canvas.width = canvas.height = size * ratio;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const ink = getComputedStyle(canvas).color;
      drawCells(
        ctx,
        {
          rows: T,
          cols: T,
          values: attention.data.subarray(at, at + T * T),
          scale: shareScale(),
          masked: this.causal ? (row, col) => col > row : undefined,
          rowTitle: "",
          colTitle: "",
        },
        { x: 0, y: 0, width: size, height: size },
        { ink, faint: ink, font: "" },
      );
    }
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
