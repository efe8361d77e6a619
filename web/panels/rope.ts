// Panel `rope`: a query and a key are turned by their positions; what is left of it in their score is the distance.

import { css, html, nothing } from "lit";
import { divergingScale, largestOf } from "../draw/scales.js";
import type { Heatmap } from "../draw/heatmap.js";
import { formatCount, formatValue } from "../draw/ticks.js";
import type { Proof } from "../engine/lesson_types.js";
import type { AnswerOf, LabQuestions } from "../engine/protocol.js";
import { Answer } from "../state/answer.js";
import { lab } from "../state/host.js";
import { titleOf } from "../state/props.js";
import { parseVector } from "../state/vector.js";
import { renderProblem } from "./fields.js";
import { declarationsOf, Panel } from "./panel.js";
import { alibiMap, alibiPositions, renderAlibi, type AlibiRows } from "./rope/alibi.js";
import { planeStyles, renderPlanes } from "./rope/planes.js";
import { base, controls, proofStyles } from "./styles.js";

type Pairing = "adjacent" | "half";
type PairAnswer = AnswerOf<LabQuestions, "rope_pair">;

interface Shown {
  q: Float32Array;
  k: Float32Array;
  pairing: Pairing;
  m: number;
  n: number;
  /** Both moved on by the reader's shift. */
  shift: number;
  moved: PairAnswer;
  unmoved: PairAnswer;
  /** q with itself, unturned and turned: its squared norm. */
  square: { before: number; after: number };
  byDistance: Heatmap;
  random: Proof[];
}

/** Positions that the proofs and the strip of distances run over. */
const positions = 64;
const randomCases = 50;

const randomClaims: Record<string, string> = {
  rope_distance: "Equal distance, equal score, for random q and k.",
  rope_norm: "Turning keeps the norm, the length, of random vectors.",
  rope_pairings: "Both pairings agree up to an order of columns, for random vectors.",
};

export class RopePanel extends Panel {
  static override properties = declarationsOf("rope");
  static override styles = [
    base,
    controls,
    proofStyles,
    planeStyles,
    css`
      :host {
        --q: var(--poslab-query, light-dark(#0072b2, #56b4e9));
        --k: var(--poslab-key, light-dark(#b34700, #f0913d));
      }
      .score {
        font-size: 1.05rem;
        margin: 0.25rem 0 1rem;
      }
      .alibi {
        border-top: 1px solid var(--rule);
        margin-top: 1.25rem;
        padding-top: 1rem;
      }
      .alibi p {
        margin: 0 0 0.5rem;
      }
      .alibi h3 {
        margin-top: 0;
      }
    `,
  ];

  override readonly panel = "rope";
  declare query: string;
  declare key: string;
  declare query_at: number;
  declare key_at: number;
  declare both: number;
  declare rope_base: number;
  declare pairing: Pairing;
  declare heads: number;
  declare bias_head: number;
  readonly #answer = new Answer<Shown>(this);
  readonly #alibi = new Answer<{ rows: AlibiRows; maps: Map<number, Heatmap> }>(this);

  constructor() {
    super();
    this.useFallbacks("rope");
  }

  protected override willUpdate(): void {
    const { query, key, query_at, key_at, both, rope_base, pairing, heads } = this;
    this.#answer.ask([query, key, query_at, key_at, both, rope_base, pairing], () =>
      this.#measure(query, key, query_at, key_at, both, rope_base, pairing),
    );
    this.#alibi.ask(heads, async () => ({
      rows: await lab.ask({ question: "alibi_rows", n_head: heads, n: alibiPositions }),
      maps: new Map<number, Heatmap>(),
    }));
  }

  async #measure(
    query: string,
    key: string,
    m: number,
    n: number,
    shift: number,
    base: number,
    pairing: Pairing,
  ): Promise<Shown> {
    const q = parseVector("query", query);
    const k = parseVector("key", key);
    const pair = { q, k, pairing, base, n_positions: positions };
    const self = { ...pair, k: q, n_positions: 1 };
    const [moved, unmoved, still, turned, scores, random] = await Promise.all([
      lab.ask({ question: "rope_pair", ...pair, m: m + shift, n: n + shift }),
      lab.ask({ question: "rope_pair", ...pair, m, n, n_positions: 1 }),
      lab.ask({ question: "rope_pair", ...self, m: 0, n: 0 }),
      lab.ask({ question: "rope_pair", ...self, m: m + shift, n: m + shift }),
      lab.ask({ question: "rope_scores", q, k, pairing, base, m: positions - 1, n_distances: positions }),
      lab.ask({ question: "rope_proofs", d: q.length, cases: randomCases, seed: 0, base }),
    ]);
    const byDistance: Heatmap = {
      rows: 1,
      cols: positions,
      values: scores,
      scale: divergingScale(largestOf(scores)),
      rowTitle: "",
      colTitle: "how far the key stands before the query",
      rowLabels: ["q·k"],
    };
    const square = { before: still.score, after: turned.score };
    return { q, k, pairing, m, n, shift, moved, unmoved, square, byDistance, random };
  }

  override render() {
    const shown = this.#answer.value;
    return html`<figure>
      <div class="layout">
        <div class="controls">
          ${this.renderText("query")} ${this.renderText("key")}
          ${this.renderSlider("query_at", { slideTo: 64 })}
          ${this.renderSlider("key_at", { slideTo: 64 })}
          ${this.renderSlider("both", { slideTo: 512 })}
          ${this.renderSlider("rope_base", { logarithmic: true })}
          <fieldset>
            <legend>Pairs</legend>
            ${this.renderRadio("pairing", "adjacent", "adjacent: neighbouring columns")}
            ${this.renderRadio("pairing", "half", "half-split: first half with second")}
          </fieldset>
          <p class="note">
            RoPE turns two numbers together. Which two is a convention: adjacent pairs take columns 2i and 2i + 1, half-split
            pairs take i and i + d/2.
          </p>
        </div>
        <div>
          ${this.renderComplaints()} ${renderProblem(this.#answer.failure)}
          ${shown ? this.#figure(shown) : html`<div class="empty"><p>The arrows appear here.</p></div>`}
        </div>
      </div>
      ${this.#penalties()}
      <figcaption>
        Notice that shifting both turns every arrow, yet the angle between query and key stays, and with it what each pair
        adds to the score. Only the distance is left. The first pair turns fast and tells neighbours apart, the last hardly
        turns.
      </figcaption>
    </figure>`;
  }

  #figure(shown: Shown) {
    const { q, k, pairing, m, n, shift, moved, unmoved, square } = shown;
    return html`${renderPlanes({
        q,
        k,
        pairing,
        turnedQ: moved.turned_q,
        turnedK: moved.turned_k,
        contributions: moved.contributions,
      })}
      <p class="score" role="status">
        Score of q at ${m} with k at ${n}: <b>${formatValue(unmoved.score, 5)}</b>; both ${formatCount(shift)} further, at
        ${m + shift} and ${n + shift}: <b>${formatValue(moved.score, 5)}</b>. Squared norm of q:
        ${formatValue(square.before, 5)} before, ${formatValue(square.after, 5)} after turning.
      </p>
      <h3>Score of this q with this k by distance</h3>
      <poslab-matrix
        .data=${shown.byDistance}
        .aspect=${0}
        .height=${96}
        label="Score by distance, from 0 to ${positions - 1}: ${formatValue(shown.byDistance.values[0] ?? 0, 3)} at distance 0, within ±${formatValue(largestOf(shown.byDistance.values), 3)}."
        .describe=${(_row: number, col: number, value: number) => `Distance ${col}: score ${formatValue(value, 5)}`}
      ></poslab-matrix>
      <div class="proofs">
        <poslab-proof .proof=${moved.distance} measure="of |q| |k|">
          Equal distance, equal score: your q and k on all places 0 to ${positions - 1}.
        </poslab-proof>
        <poslab-proof .proof=${shown.random[0]} measure="of |q| |k|">${this.#randomClaim(shown.random[0])}</poslab-proof>
        <poslab-proof .proof=${moved.norm_q} measure="of |q|">Turning keeps the norm of your q, its length.</poslab-proof>
        <poslab-proof .proof=${shown.random[1]} measure="of the norm">${this.#randomClaim(shown.random[1])}</poslab-proof>
        <poslab-proof .proof=${moved.pairings} measure="of |q|">
          Both pairings are the same up to the order of the columns, for your q.
        </poslab-proof>
        <poslab-proof .proof=${shown.random[2]} measure="of the norm">${this.#randomClaim(shown.random[2])}</poslab-proof>
      </div>`;
  }

  #randomClaim(proof: Proof | undefined): string {
    return randomClaims[proof?.claim ?? ""] ?? "";
  }

  #penalties() {
    const { value, failure } = this.#alibi;
    const head = value ? Math.min(this.bias_head, value.rows.slopes.length - 1) : 0;
    const map = value?.maps.get(head) ?? (value ? alibiMap(value.rows, head) : undefined);
    // Kept between renderings, so that the figure is redrawn only when it changed.
    if (map) value?.maps.set(head, map);
    return html`<div class="layout alibi">
      <div class="controls">
        ${this.renderSlider("heads")}
        ${this.renderSlider("bias_head", { slideTo: Math.max(1, this.heads - 1) })}
      </div>
      <div>
        <h3>ALiBi: the distance as a penalty</h3>
        <p class="note">Heads are numbered from 0, as in code.</p>
        ${renderProblem(failure)}
        ${value && map && this.bias_head > head
          ? html`<p class="warning" role="status">
              “${titleOf("rope", "bias_head")}” is ${this.bias_head}; the last of ${formatCount(this.heads)} is head ${head},
              shown instead.
            </p>`
          : nothing}
        ${value && map ? renderAlibi(value.rows, map, head) : html`<div class="empty"><p>The penalties appear here.</p></div>`}
      </div>
    </div>`;
  }
}
