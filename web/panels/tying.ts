// Panel `tying`: the output layer may reuse the token table. What that saves, by formula and by the model's own list, and
// what it does to the loss.

import { css, html, nothing } from "lit";
import { formatCount, formatValue } from "../draw/ticks.js";
import type { ParameterCounts } from "../engine/lesson_types.js";
import type { Curve } from "../parts/loss_chart.js";
import { Answer } from "../state/answer.js";
import { lab } from "../state/host.js";
import { TwoOutputs } from "../state/two_outputs.js";
import { renderProblem } from "./fields.js";
import { declarationsOf, Panel } from "./panel.js";
import { renderChart } from "./race/results.js";
import { base, controls, proofStyles } from "./styles.js";
import { lossTerm } from "./terms.js";

export class TyingPanel extends Panel {
  static override properties = declarationsOf("tying");
  static override styles = [
    base,
    controls,
    proofStyles,
    css`
      tfoot th,
      tfoot td {
        font-weight: 600;
      }
      .gone {
        color: var(--soft);
      }
      .training {
        margin-bottom: 1rem;
      }
      poslab-loss-chart {
        margin-top: 1rem;
      }
    `,
  ];

  override readonly panel = "tying";
  declare output: "tied" | "untied";
  declare vocab: number;
  declare rows: number;
  declare width: number;
  declare blocks: number;
  declare tying_steps: number;
  readonly #answer = new Answer<ParameterCounts>(this);
  readonly #training = new TwoOutputs(() => this.refresh());

  constructor() {
    super();
    this.useFallbacks("tying");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#training.close();
  }

  get #config() {
    const { output, rows: block_size, width: n_embd, blocks: n_layer } = this;
    // Heads share the width, so their number changes no count.
    const n_head = n_embd % 4 === 0 ? 4 : 1;
    return { positions: "learned", block_size, n_embd, n_layer, n_head, tie_weights: output === "tied", seed: 0 };
  }

  protected override willUpdate(): void {
    const config = { ...this.#config, vocab_size: this.vocab };
    this.#answer.ask(config, () => lab.ask({ question: "parameter_counts", config }));
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">
          <fieldset>
            <legend>Output layer</legend>
            ${this.renderRadio("output", "tied", "tied: the token table again")}
            ${this.renderRadio("output", "untied", "untied: a table of its own")}
          </fieldset>
          ${this.renderSlider("vocab", { logarithmic: true })}
          ${this.renderSlider("rows", { logarithmic: true })} ${this.renderSlider("width")}
          ${this.renderSlider("blocks")} ${this.renderSlider("tying_steps")}
        </div>
        <div>${this.renderComplaints()} ${renderProblem(this.#answer.failure ?? this.#training.failure)}
          ${this.#counts()} ${this.#trainings()}</div>
      </div>
      <figcaption>
        Notice that untying adds V × C weights and nothing else: the fewer blocks and the larger the vocabulary, the larger
        their share. Train both to see what the extra weights buy.
      </figcaption>
    </figure>`;
  }

  #counts() {
    const counts = this.#answer.value;
    if (!counts) return html`<div class="empty"><p>The counts appear here.</p></div>`;
    const total = this.output === "tied" ? counts.tied : counts.untied;
    return html`<table class="counts" aria-label="Parameters by formula">
        <thead>
          <tr>
            <th scope="col">Part, by formula</th>
            <th scope="col">Parameters</th>
          </tr>
        </thead>
        <tbody>
          ${counts.groups.map(
            ({ name, count }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${formatCount(count)}</td>
              </tr>`,
          )}
          ${this.output === "tied"
            ? html`<tr class="gone">
                <th scope="row">output layer: the token table</th>
                <td>0</td>
              </tr>`
            : nothing}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${this.output}</th>
            <td>${formatCount(total)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="note">
        The MLP is the small network that follows attention in every block; it works on one token at a time. The norms are
        layer norms: each brings a vector to one size before the next part reads it, and then scales and shifts its C
        numbers by 2 C learned ones.
      </p>
      <div class="proofs">
        <poslab-proof .proof=${counts.tied_proof} measure="weights">
          Tied, the formula gives ${formatCount(counts.tied)}; the model built from these settings has as many.
        </poslab-proof>
        <poslab-proof .proof=${counts.untied_proof} measure="weights">
          Untied, it gives ${formatCount(counts.untied)}; so has the model.
        </poslab-proof>
      </div>`;
  }

  #vocabularyNote(V: number): string {
    const here = `Here V is ${V}, the number of different characters in the book`;
    return V === this.vocab ? `${here}, as in the counts above.` : `${here}; the counts above are for a V of ${formatCount(this.vocab)}.`;
  }

  #trainings() {
    const training = this.#training;
    const { state, runs } = training;
    const created = runs.find(({ run }) => run.created)?.run.created;
    const curves = runs.map(
      ({ name, title, colour, run }): Curve => ({ scheme: name, title, colour, losses: run.losses, val: run.val }),
    );
    const labels = { empty: "Train both", running: "Pause", paused: "Resume", ended: "Train both again" };
    const act = () => {
      if (state === "running") training.pause();
      else if (state === "paused") training.resume();
      else void training.train(this.#config, this.tying_steps);
    };
    return html`<h3>Both trained on Moby-Dick</h3>
      <div class="buttons training">
        <button type="button" class="primary" ?disabled=${training.fetching} @click=${act}>${labels[state]}</button>
        <button
          type="button"
          ?disabled=${state !== "running" && state !== "paused"}
          @click=${() => training.stop()}
        >
          Stop
        </button>
      </div>
      ${runs.length === 0
        ? html`<div class="empty">
            <p>
              Two models with the T, C and L above learn to continue Moby-Dick, character by character, from the same seed
              and on the same pages. Their V is the number of different characters in the book, where the control for V
              stands at first. Which will have the lower loss?
            </p>
          </div>`
        : html`<table aria-label="Both trainings">
              <thead>
                <tr>
                  <th scope="col">Output layer</th>
                  <th scope="col">Parameters</th>
                  <th scope="col">Step</th>
                  <th scope="col">Validation loss</th>
                </tr>
              </thead>
              <tbody>
                ${runs.map(({ name, title, run }) => {
                  const loss = run.result?.val_loss ?? run.val.at(-1)?.loss;
                  return html`<tr data-output=${name} data-state=${run.state}>
                    <th scope="row" data-scheme=${name}><i class="chip"></i> ${title}</th>
                    <td>${run.created ? formatCount(run.created.parameters) : ""}</td>
                    <td>${formatCount(run.step)}</td>
                    <td>${loss === undefined ? "" : formatValue(loss, 3)}</td>
                  </tr>`;
                })}
              </tbody>
            </table>
            <p class="quiet">${created ? this.#vocabularyNote(created.vocabulary.length) : nothing} ${lossTerm}</p>
            ${runs.map(({ run }) => renderProblem(run.error))}
            ${renderChart(curves, runs.map(({ run }) => run), runs[0]?.run.steps ?? 0)}`}`;
  }
}
