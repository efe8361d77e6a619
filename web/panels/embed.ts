// Panel `embed`: what enters the first block for the reader's own sentence. Token rows, position rows and their sum, with
// the vectors of a trained run or of a fresh model; how long both summands are, and which tokens lie near each other.

import { css, html, nothing, type PropertyValues } from "lit";
import { state } from "lit/decorators.js";
import { formatCount, formatValue, spokenToken, visibleToken } from "../draw/ticks.js";
import type { Neighbour } from "../engine/lesson_types.js";
import type { Run } from "../engine/run.js";
import { schemeOf, schemes } from "../state/schemes.js";
import { flowOf, renderNorms, renderStrips, stripsOf, type Strip } from "./embed/figures.js";
import { flowStyles, renderFlow, type TensorName } from "./embed/flow.js";
import { inputsOfFreshModel, inputsOfRun, nearestTokens, type Inputs } from "./embed/inputs.js";
import { renderRadio, renderSelect } from "./fields.js";
import { declarationsOf } from "./panel.js";
import { RunPanel, runStyles } from "./run_panel.js";
import { base, controls } from "./styles.js";
import { cosineTerm } from "./terms.js";

const neighbours = 6;

export class EmbedPanel extends RunPanel {
  static override properties = declarationsOf("embed");
  static override styles = [
    base,
    controls,
    runStyles,
    flowStyles,
    css`
      .top,
      .beside,
      .strips {
        display: grid;
        gap: 1rem 2rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .strips {
        margin-block: 1.25rem;
      }
      @container (min-width: 720px) {
        .top {
          grid-template-columns: minmax(0, 29rem) minmax(0, 1fr);
        }
        .beside {
          grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
        }
      }
      @container (min-width: 900px) {
        .strips.sum {
          gap: 0.75rem;
          grid-template-columns: repeat(3, minmax(0, 1fr));
        }
      }
      .top form {
        display: grid;
        gap: 0.75rem;
        align-content: start;
        max-width: 26rem;
      }
      h3 {
        margin-top: 0;
      }
      .sign {
        color: var(--accent);
        font-size: 1.2em;
        line-height: 1;
      }
      .scroll {
        max-height: 17rem;
        overflow: auto;
        border-block: 1px solid var(--rule);
        /* A shadow at the lower and upper edge wherever rows go on beyond it: covers of paper move with the rows. */
        background:
          linear-gradient(var(--paper) 40%, transparent) top / 100% 2rem no-repeat local,
          linear-gradient(transparent, var(--paper) 60%) bottom / 100% 2rem no-repeat local,
          linear-gradient(var(--edge), transparent) top / 100% 0.7rem no-repeat scroll,
          linear-gradient(transparent, var(--edge)) bottom / 100% 0.7rem no-repeat scroll;
        --edge: color-mix(in srgb, var(--ink) 26%, transparent);
      }
      @media print {
        .scroll {
          max-height: none;
          overflow: visible;
          background: none;
        }
      }
      .scroll th,
      .near td,
      .near th {
        white-space: nowrap;
      }
      .norms th,
      .norms td {
        padding-left: 0.6rem;
      }
      .norms th:first-child {
        padding-left: 0;
      }
      .near select {
        width: auto;
        min-width: 6rem;
      }
      .near table {
        margin-top: 0.5rem;
        max-width: 16rem;
      }
      .small .empty {
        min-height: 0;
        margin-top: 0.5rem;
        padding: 1rem;
      }
    `,
  ];

  override readonly panel = "embed";
  declare phrase: string;
  declare vectors: string;
  declare model: "trained" | "fresh";
  declare tensor: TensorName;
  declare neighbour: string;
  @state() private inputs: Inputs | undefined;
  @state() private nearest: { id: number; list: Neighbour[] } | undefined;
  #strips: Strip[] = [];
  #freshAsked = "";

  constructor() {
    super();
    this.useFallbacks("embed");
  }

  protected override get smallScheme(): string {
    return this.#scheme;
  }

  /** The scheme that the reader chose; else that of the run trained last, if any. */
  get #scheme(): string {
    return this.vectors || this.current?.positions || "learned";
  }

  protected override get chosen(): string {
    return this.vectors;
  }

  protected override accepts(run: Run): boolean {
    return this.vectors === "" || run.positions === this.vectors;
  }

  protected override get current(): Run | undefined {
    return this.model === "trained" ? super.current : undefined;
  }

  protected override get question(): string {
    return JSON.stringify([this.phrase, this.neighbour]);
  }

  protected override async inspect(run: Run): Promise<() => void> {
    this.#freshAsked = "";
    return this.#shower(await inputsOfRun(run, this.phrase));
  }

  protected override willUpdate(changes?: PropertyValues): void {
    super.willUpdate();
    if (!this.current) void this.#computeFresh();
    if (this.inputs && (changes?.has("inputs") || changes?.has("tensor"))) {
      this.#strips = stripsOf(this.inputs, this.tensor);
    }
  }

  async #computeFresh(): Promise<void> {
    const asked = JSON.stringify([this.#scheme, this.phrase, this.neighbour]);
    if (asked === this.#freshAsked) return;
    this.#freshAsked = asked;
    try {
      const inputs = await inputsOfFreshModel(this.#scheme, this.phrase);
      if (asked !== this.#freshAsked) return;
      (await this.#shower(inputs))();
      this.failure = undefined;
    } catch (error) {
      if (asked === this.#freshAsked) this.failure = (error as Error).message;
    }
  }

  /** Gets what belongs to the inputs; what comes back shows both. */
  async #shower(inputs: Inputs): Promise<() => void> {
    const wanted = inputs.vocabulary.indexOf(this.neighbour);
    const id = inputs.ids.includes(wanted) ? wanted : (inputs.ids[0] ?? 0);
    const nearest = { id, list: await nearestTokens(inputs, id, neighbours) };
    return () => Object.assign(this, { nearest, inputs });
  }

  override render() {
    return html`<figure>
      ${this.renderComplaints()}
      <div class="top">
        ${renderFlow(flowOf(this.inputs), this.tensor, (name) => this.change("tensor", name))} ${this.#controls()}
      </div>
      ${this.inputs ? this.#opened(this.inputs) : html`<div class="empty"><p>The numbers appear here.</p></div>`}
      <figcaption>
        Press a box of the drawing to open it. ${this.#sentence()}
      </figcaption>
    </figure>`;
  }

  #controls() {
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      ${this.renderText("phrase")}
      ${renderSelect({ ...this.field("vectors"), value: this.#scheme }, schemes)}
      <fieldset>
        <legend>Vectors</legend>
        ${this.#modelChoice("trained", "of the run on this page")} ${this.#modelChoice("fresh", "of a fresh model")}
      </fieldset>
      <div class="small">${this.#source()}</div>
      <p class="note">
        The ids number the characters that occur in the text of the model; the fresh model, which has no text, numbers all
        letters and signs that are usual in western Europe. So another model may give the same character another id.
      </p>
      ${this.renderFailure()}
      ${this.inputs && this.inputs.skipped.length > 0
        ? html`<p class="warning" role="status">
            The model has never seen ${this.inputs.skipped.map(spokenToken).join(", ")}; left out here.
          </p>`
        : nothing}
    </form>`;
  }

  /** What is chosen is what is shown: without a run, the fresh model. */
  #modelChoice(value: "trained" | "fresh", title: string) {
    const field = { ...this.field("model"), value: this.current ? "trained" : "fresh" };
    return renderRadio(field, value, title, value === "trained" && this.runs.length === 0);
  }

  /** Whose vectors are shown. */
  #source() {
    if (this.current?.created) return this.renderStatus();
    const fresh = html`<p class="note">Rows as the seed draws them, before any training.</p>`;
    if (this.runs.length > 0) return fresh;
    const { title } = schemeOf(this.#scheme);
    return html`${fresh}
      <div class="empty">
        <p>
          No model with ${title} positions has been trained yet on this page. Train one, here or in a race, and its vectors
          can be shown.
        </p>
        ${this.renderSmallTraining()}
      </div>`;
  }

  #opened(inputs: Inputs) {
    return html`<div data-tensor=${this.tensor} data-step=${inputs.step ?? "fresh"}>${renderStrips(this.#strips)}</div>
      <div class="beside">
        <div>
          <h3>How long both summands are</h3>
          ${renderNorms(inputs)}
        </div>
        ${this.#near(inputs)}
      </div>`;
  }

  #near({ ids, vocabulary }: Inputs) {
    const shown = this.nearest;
    if (!shown) return nothing;
    const distinct = [...new Set(ids)];
    return html`<div class="near">
      <h3>Nearest tokens, by the cosine of their rows</h3>
      <p class="note">${cosineTerm}</p>
      <label
        ><span class="label">Nearest to</span>
        <select name="neighbour" @change=${(event: Event) => this.change("neighbour", (event.target as HTMLSelectElement).value)}>
          ${distinct.map((id) => {
            const token = vocabulary[id] ?? "";
            return html`<option value=${token} .selected=${id === shown.id}>${visibleToken(token)}</option>`;
          })}
        </select>
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">token</th>
            <th scope="col">cosine</th>
          </tr>
        </thead>
        <tbody>
          ${shown.list.map(({ row, cosine }) => {
            const token = vocabulary[row] ?? "";
            return html`<tr>
              <th scope="row" aria-label=${spokenToken(token)}>${visibleToken(token)}</th>
              <td>${formatValue(cosine, 3)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** What to notice, with this sentence's numbers. */
  #sentence() {
    const { inputs } = this;
    if (!inputs) return nothing;
    const { token_norms, position_norms } = inputs.rows;
    const span = (norms: Float64Array) => {
      const [least, most] = [Math.min(...norms), Math.max(...norms)].map((norm) => formatValue(norm, 2));
      return least === most ? least : `${least} to ${most}`;
    };
    const trained = inputs.step === undefined ? "In this fresh model" : `After ${formatCount(inputs.step)} steps`;
    const adds = position_norms.some((norm) => norm > 0);
    return adds
      ? html`${trained} the token rows are ${span(token_norms)} long and the position rows ${span(position_norms)}. Notice
          that the same letter gets the same token row wherever it stands, and a different sum at each place.`
      : html`${trained} the token rows are ${span(token_norms)} long. Notice that ${schemeOf(this.#scheme).title} adds no
          position rows: the same letter enters the first block with the same numbers wherever it stands.`;
  }
}
