// Exercise `derive`: the steps of the derivation in the right order, then the same steps with numbers.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { formatDeviation, formatValue } from "../draw/ticks.js";
import type { Equivariance, EquivarianceStep } from "../engine/lesson_types.js";
import type { Matrix } from "../engine/types.js";
import { lab } from "../state/host.js";
import { derivation, equalities, shuffled, type DerivationStep } from "./derive/steps.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { renderProblem } from "./fields.js";
import { declarationsOf } from "./panel.js";
import { base, controls } from "./styles.js";

const size = { n: 4, d: 3 };

export class DerivePanel extends ExercisePanel {
  static override properties = declarationsOf("derive");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    css`
      poslab-sortable {
        --mark: light-dark(#b00020, #ff8f8f);
        margin-bottom: 0.75rem;
      }
      .numbers {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 2rem;
      }
      .numbers table {
        width: auto;
        font-size: 0.8125rem;
      }
      .numbers td {
        padding: 0.15rem 0.4rem;
        border: 0;
      }
      caption {
        text-align: left;
        color: var(--soft);
        font-size: 0.8125rem;
      }
      .equalities {
        max-width: 40rem;
        margin-top: 0.6rem;
      }
      .equalities td.fails {
        color: light-dark(#b00020, #ff8f8f);
        font-weight: 600;
      }
      .seed {
        margin-block: 0.75rem;
      }
    `,
  ];

  override readonly panel = "derive";
  declare numbers: number;
  @state() private order: readonly string[] = shuffled;
  /** The first wrong step by name, "" when all are right, undefined while nothing was graded. */
  @state() private firstWrong: string | undefined;
  @state() private opened = false;
  @state() private run: Equivariance | undefined;
  @state() private failure: string | undefined;
  #asked: number | undefined;

  constructor() {
    super();
    this.useFallbacks("derive");
  }

  protected override willUpdate(): void {
    if (this.#tried) void this.#compute();
  }

  /** Numbers follow a try, or a look at the answer. */
  get #tried(): boolean {
    return this.firstWrong === "" || this.opened;
  }

  async #compute(): Promise<void> {
    const seed = this.numbers;
    if (seed === this.#asked) return;
    this.#asked = seed;
    try {
      const run = await lab.ask({ question: "equivariance", ...size, seed });
      if (seed !== this.#asked) return;
      this.run = run;
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  override render() {
    const items = this.order
      .flatMap((name) => derivation.find((step) => step.name === name) ?? [])
      .map((step) => ({ ...step, content: titled(step) }));
    return html`<figure>
      <p>
        Attention without positions only reorders its outputs. Here is the derivation, its steps shuffled. Put them in
        order: drag a step by its handle, or choose the handle and press the arrow keys.
      </p>
      <poslab-sortable
        label="Steps of the derivation"
        .items=${items}
        .marked=${this.firstWrong ? this.firstWrong : undefined}
        @reorder=${(event: CustomEvent<string[]>) => {
          this.order = event.detail;
          this.firstWrong = undefined;
        }}
      ></poslab-sortable>
      <div class="buttons">
        <button type="button" class="primary" @click=${() => this.#grade()}>Check the order</button>
        <button
          type="button"
          @click=${() => {
            this.order = shuffled;
            this.firstWrong = undefined;
          }}
        >
          Start over
        </button>
      </div>
      <div role="status">${this.#verdict()}</div>
      <details
        class="answer"
        @toggle=${(event: Event) => {
          this.opened ||= (event.target as HTMLDetailsElement).open;
        }}
      >
        <summary>The answer</summary>
        <ol>
          ${derivation.map((step) => html`<li>${titled(step)}</li>`)}
        </ol>
      </details>
      ${this.#tried ? this.#numbers() : nothing}
      <figcaption>
        Notice which step would break if each token came with its position: the very first one. The reordered input would
        no longer hold the same rows.
      </figcaption>
    </figure>`;
  }

  #grade(): void {
    const wrong = this.order.find((name, i) => name !== derivation[i]?.name);
    this.firstWrong = wrong ?? "";
    if (wrong === undefined) this.pass("derive");
  }

  #verdict() {
    if (this.firstWrong === undefined) return nothing;
    if (this.firstWrong === "") {
      return html`<p class="passed">All ${derivation.length} steps are in order. Below, this page checks each with numbers.</p>`;
    }
    const step = derivation.find(({ name }) => name === this.firstWrong);
    const place = this.order.indexOf(this.firstWrong) + 1;
    return html`<p class="wrong">
      The first wrong step is number ${place}, “${step?.label}”: ${step?.needs}.
    </p>`;
  }

  #numbers() {
    return html`<h3>The same with numbers</h3>
      ${this.renderComplaints()}
      <div class="seed">${this.renderSlider("numbers", { slideTo: 50 })}</div>
      ${renderProblem(this.failure)}
      ${this.run ? this.#equalities(this.run) : html`<p class="quiet">Calculating …</p>`}`;
  }

  #equalities(run: Equivariance) {
    const worst = run.steps.reduce((most, { deviation }) => Math.max(most, deviation), 0);
    const proof = {
      cases: run.steps.reduce((sum, { left }) => sum + left.data.length, 0),
      largest: worst,
      tolerance: 1e-6,
      holds: run.steps.every(({ holds }) => holds),
    };
    return html`<p>
        <math><mi>X</mi></math> has ${run.x.shape[0]} rows of ${run.x.shape[1]} random numbers; in
        <math><mi>P</mi><mi>X</mi></math> they stand in the order ${run.order.join(", ")}. This page works out both sides of
        each equality separately.
      </p>
      <poslab-proof .proof=${proof}>Both sides of every step are the same matrix.</poslab-proof>
      <div class="scroll">
        <table class="equalities">
          <thead>
            <tr>
              <th scope="col">Equality</th>
              <th scope="col">Largest deviation</th>
            </tr>
          </thead>
          <tbody>
            ${run.steps.map(
              ({ name, equality, deviation, holds }) =>
                html`<tr data-step=${name}>
                  <td>${equalities[name] ?? equality}</td>
                  <td class=${holds ? "" : "fails"}>${formatDeviation(deviation)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <details>
        <summary>Both sides of each step</summary>
        ${run.steps.map((step) => this.#sides(step))}
      </details>`;
  }

  #sides({ name, equality, left, right }: EquivarianceStep) {
    return html`<p>${equalities[name] ?? equality}</p>
      <div class="numbers">${matrixTable("left side", left)} ${matrixTable("right side", right)}</div>`;
  }
}

const titled = ({ label, content }: DerivationStep) => html`<strong>${label}.</strong> ${content}`;

function matrixTable(title: string, { shape, data }: Matrix) {
  const [rows = 0, cols = 0] = shape;
  return html`<table>
    <caption>
      ${title}
    </caption>
    <tbody>
      ${Array.from(
        { length: rows },
        (_, row) =>
          html`<tr>
            ${Array.from(data.subarray(row * cols, (row + 1) * cols), (value) => html`<td>${formatValue(value, 4)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
