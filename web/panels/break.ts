// Exercise `break`: take the positions away, predict what that does, then train both models and compare.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { corpusText } from "../state/corpora.js";
import { lab } from "../state/host.js";
import { Race } from "../state/race.js";
import { runStore } from "../state/run_store.js";
import { configFor, describeSize, sizeOptions, type SizeName } from "../state/sizes.js";
import {
  differenceOf,
  fewestSteps,
  knowledgeOf,
  renderComparison,
  renderReason,
  renderStats,
  renderTooFew,
  reportStyles,
  stepsOf,
  type Guess,
  type MaskEvidence,
  type Prediction,
} from "./break/report.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { renderProblem } from "./fields.js";
import { declarationsOf } from "./panel.js";
import { curvesOf, renderChart, renderRuns, renderSamples, resultStyles } from "./race/results.js";
import { base, controls } from "./styles.js";
import { lossTerm } from "./terms.js";

const guesses: { name: Guess; title: string }[] = [
  { name: "better", title: "better" },
  { name: "same", title: "about the same" },
  { name: "worse", title: "worse" },
];
const sizesHere = sizeOptions.filter(({ name }) => name !== "nano");

export class BreakPanel extends ExercisePanel {
  static override properties = declarationsOf("break");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    resultStyles,
    reportStyles,
    css`
      .prediction {
        margin-bottom: 0.75rem;
      }
      .amount {
        display: block;
        margin-top: 0.5rem;
      }
    `,
  ];

  override readonly panel = "break";
  declare break_size: SizeName;
  declare break_steps: number;
  @state() private guess: Guess | undefined;
  @state() private amount = "";
  @state() private prediction: Prediction | undefined;
  @state() private fetching = false;
  @state() private failure: string | undefined;
  @state() private evidence: MaskEvidence | undefined;
  readonly #race = new Race();
  #passed = false;

  constructor() {
    super();
    this.useFallbacks("break");
    this.follow(runStore, () => {
      this.#settle();
      this.refresh();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#race.close();
  }

  override render() {
    const { runs } = this.#race;
    return html`<figure>
      <p>
        Two GPTs read Moby-Dick from the same seed, one with a learned position table, one with no positions at all. Which
        one continues the book better? ${lossTerm}
      </p>
      <p>Predict first, then run both.</p>
      <div class="layout">
        <div class="controls">${this.#controls()}</div>
        <div>
          ${this.renderComplaints()} ${this.#prediction()}
          ${renderProblem(this.failure)}
          ${runs.length > 0 ? this.#running() : nothing}
        </div>
      </div>
      <details class="answer">
        <summary>The answer</summary>
        <p>
          Clearly worse in validation loss, more letter salad, and after a longer training weaker lines; and yet far from
          blind guessing. How much worse is what you measure above, and the reason why it is no total failure is shown
          there after the run.
        </p>
      </details>
      <figcaption>
        Notice that the two curves start together: how frequent each character is can be learned without positions.
      </figcaption>
    </figure>`;
  }

  #controls() {
    const locked = this.#moving;
    return html`<fieldset ?disabled=${locked} class="settings">
      ${this.renderSelect("break_size", sizesHere, describeSize(this.break_size))}
      ${this.renderSlider("break_steps", { slideTo: 1500 })}
    </fieldset>`;
  }

  get #moving(): boolean {
    return this.fetching || this.#race.moving;
  }

  #prediction() {
    const settled = this.prediction !== undefined && this.#race.runs.length > 0;
    return html`<fieldset class="prediction" ?disabled=${settled}>
        <legend class="question">Without positions, the validation loss will be</legend>
        ${guesses.map(
          ({ name, title }) =>
            html`<label class="choice"
              ><input
                type="radio"
                name="guess"
                value=${name}
                .checked=${this.guess === name}
                @change=${() => (this.guess = name)}
              />${title}</label
            >`,
        )}
        <label class="amount"
          ><span class="label">by how much, in nats per character</span>
          <input
            type="number"
            name="amount"
            min="0"
            step="0.01"
            ?disabled=${this.guess === "same"}
            .value=${this.amount}
            @input=${(event: Event) => (this.amount = (event.target as HTMLInputElement).value)}
          />
        </label>
      </fieldset>
      <div class="buttons">
        <button type="button" class="primary" ?disabled=${this.#moving} @click=${() => void this.#start()}>
          ${this.fetching ? "Getting the book …" : settled ? "Run again" : "Run and compare"}
        </button>
        ${this.#race.state === "running" || this.#race.state === "paused"
          ? html`<button
                type="button"
                @click=${() => (this.#race.state === "paused" ? this.#race.resume() : this.#race.pause())}
              >
                ${this.#race.state === "paused" ? "Resume" : "Pause"}
              </button>
              <button type="button" @click=${() => this.#race.stop()}>Stop here and measure</button>`
          : nothing}
        ${settled && !this.#moving
          ? html`<button type="button" @click=${() => this.#anew()}>Predict anew</button>`
          : nothing}
      </div>`;
  }

  #anew(): void {
    this.#race.close();
    this.prediction = undefined;
  }

  /** The prediction as a whole, or a sentence about what it lacks. */
  #predicted(): Prediction | string {
    const { guess, amount } = this;
    if (guess === undefined) return "Predict first: better, the same or worse?";
    if (guess === "same") return { guess, amount: 0 };
    const value = amount.trim() === "" ? Number.NaN : Number(amount);
    if (value > 0 && value <= 10) return { guess, amount: value };
    return `By how much? ${JSON.stringify(amount)} is no number above 0 and up to 10; between guessing by frequency and a good model lie about 1.5 nats.`;
  }

  async #start(): Promise<void> {
    const predicted = this.#predicted();
    if (typeof predicted === "string") {
      this.failure = predicted;
      return;
    }
    this.prediction = predicted;
    this.#passed = false;
    this.failure = undefined;
    this.fetching = true;
    try {
      const text = await corpusText("moby-dick", "");
      const { break_size: size, break_steps: steps } = this;
      await this.#race.open({ schemes: ["learned", "none"], size, steps, seed: 0, corpus: "moby-dick" }, text);
      this.#race.resume();
      void this.#measureMask();
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.fetching = false;
  }

  async #measureMask(): Promise<void> {
    const ids = [0, 1, 2, 3, 4, 5];
    const order = [...ids].reverse();
    const stages = (causal: boolean) =>
      lab.ask({
        question: "permutation_error",
        config: { ...configFor(this.break_size, "none", 0), vocab_size: ids.length, causal },
        ids,
        order,
      });
    try {
      const [masked, unmasked] = await Promise.all([stages(true), stages(false)]);
      this.evidence = { masked, unmasked };
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  #running() {
    const { runs } = this.#race;
    const created = runs.find((run) => run.created)?.created;
    const difference = differenceOf(runs);
    return html`${renderRuns(runs)}
      <div role="status">
        ${difference === undefined || !this.prediction ? nothing : html`${renderComparison(this.prediction, difference, knowledgeOf(runs))} ${renderTooFew(stepsOf(runs))}`}
      </div>
      ${renderChart(curvesOf(runs), runs, this.#race.settings?.steps ?? 0)} ${created ? renderSamples(runs) : nothing}
      ${difference === undefined ? nothing : html`${renderStats(runs)} ${renderReason(this.evidence)}`}`;
  }

  /** Called by the runs and not by the drawing, since the reader may look elsewhere when they end. */
  #settle(): void {
    const { runs } = this.#race;
    if (this.#passed || differenceOf(runs) === undefined || stepsOf(runs) < fewestSteps) return;
    this.#passed = true;
    this.pass("break");
  }
}
