// Panel `mistakes`: the three classic mistakes, each run with its symptom and its cure, and eight variants, faulty or
// harmless, of which the learner says which is which before they are run.

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { formatDeviation, formatValue } from "../draw/ticks.js";
import type { BugReport } from "../engine/lesson_types.js";
import { schemeOf } from "../state/schemes.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { renderProblem } from "./fields.js";
import {
  handMadeWords,
  PastTheEndRun,
  runBroadcast,
  runHandMade,
  type HandMade,
  type PastTheEnd,
} from "./mistakes/classics.js";
import { renderReport } from "./mistakes/report.js";
import { isRight, passMark, SpotTheBug, type Variant, type Verdict } from "./mistakes/spot.js";
import { declarationsOf } from "./panel.js";
import { stageTitle } from "./stages.js";
import { base, controls } from "./styles.js";

type Classic = "hand-made" | "past-the-end" | "broadcast";

export class MistakesPanel extends ExercisePanel {
  static override properties = declarationsOf("mistakes");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    css`
      section {
        padding-block: 0.75rem 1rem;
        border-top: 1px solid var(--rule);
      }
      section h4 {
        margin: 0 0 0.3rem;
        font-size: inherit;
        font-weight: 600;
      }
      h3 {
        font-size: 1.15em;
      }
      table {
        max-width: 34rem;
        margin-block: 0.6rem;
      }
      caption {
        text-align: left;
        color: var(--soft);
        font-size: 0.8125rem;
      }
      td {
        white-space: nowrap;
      }
      .matrices {
        display: grid;
        gap: 1rem;
        grid-template-columns: minmax(0, 1fr);
        margin-block: 0.75rem;
      }
      .matrices h4 {
        margin: 0 0 0.3rem;
        font-weight: 400;
        color: var(--soft);
      }
      @container (min-width: 720px) {
        .matrices {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      li {
        padding-block: 0.75rem;
        border-top: 1px solid var(--rule);
      }
      .score {
        font-weight: 600;
      }
      .answers {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      .answers button[aria-pressed="true"] {
        border-color: var(--accent);
        box-shadow: inset 0 0 0 1px var(--accent);
        opacity: 1;
      }
      .seed {
        margin-top: 1rem;
        max-width: 22rem;
      }
    `,
  ];

  override readonly panel = "mistakes";
  declare bug_seed: number;
  @state() private handMade: HandMade | undefined;
  @state() private pastTheEnd: PastTheEnd | undefined;
  @state() private broadcast: BugReport | undefined;
  @state() private running: Classic | undefined;
  @state() private problems: Partial<Record<Classic | "spot", string>> = {};
  #spot = new SpotTheBug(0);
  #spotAsked: number | undefined;
  readonly #past = new PastTheEndRun(() => this.refresh());

  constructor() {
    super();
    this.useFallbacks("mistakes");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#past.close();
  }

  protected override willUpdate(_changes: PropertyValues): void {
    if (this.bug_seed !== this.#spotAsked) void this.#deal();
  }

  /** Lays out the eight variants anew. */
  async #deal(): Promise<void> {
    const seed = this.bug_seed;
    this.#spotAsked = seed;
    const spot = new SpotTheBug(seed);
    await this.#trying("spot", async () => {
      await spot.load();
      if (seed === this.#spotAsked) this.#spot = spot;
    });
  }

  async #trying(what: Classic | "spot", work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problems = { ...this.problems, [what]: undefined };
    } catch (error) {
      this.problems = { ...this.problems, [what]: (error as Error).message };
    }
    this.requestUpdate();
  }

  async #run(what: Classic): Promise<void> {
    this.running = what;
    await this.#trying(what, async () => {
      if (what === "hand-made") this.handMade = await runHandMade();
      else if (what === "past-the-end") this.pastTheEnd = await this.#past.measure();
      else this.broadcast = await runBroadcast(this.bug_seed);
    });
    this.running = undefined;
  }

  override render() {
    return html`<figure>
      ${this.renderComplaints()}
      <h3>Three classic mistakes</h3>
      ${this.#classic(
        "hand-made",
        "No positions in a hand-made model",
        "Somebody stacks attention layers by hand and forgets that a library would have added positions. Everything runs, nothing warns.",
        this.handMade && this.#handMadeResult(this.handMade),
      )}
      ${this.#classic(
        "past-the-end",
        "Running past the trained length and hoping",
        "A model is trained on short texts and then given longer ones. Here two small models learn on the spot, then read four times as far.",
        this.pastTheEnd && this.#pastResult(this.pastTheEnd),
      )}
      ${this.#classic(
        "broadcast",
        "Position rows of the wrong shape",
        "A batch, the texts that are read at once, happens to hold as many texts as each has tokens. The position rows are added along the wrong of the two, and broadcasting, which repeats rows wherever sizes fit, hides it.",
        this.broadcast && renderReport(this.broadcast),
      )}
      <h3>Spot the bug</h3>
      ${this.#spotTheBug()}
      <figcaption>
        Notice that what a mistake costs shows only when it is measured. ${this.#solution()}
      </figcaption>
    </figure>`;
  }

  #classic(what: Classic, title: string, story: string, result: TemplateResult | undefined) {
    const running = this.running === what;
    const problem = this.problems[what];
    return html`<section data-mistake=${what}>
      <h4>${title}</h4>
      <p>${story}</p>
      <p>
        <button type="button" ?disabled=${this.running !== undefined} @click=${() => void this.#run(what)}>
          ${running ? "Running …" : "Make this mistake"}
        </button>
        ${running && what === "past-the-end" ? html`<span class="quiet">${this.#past.progress}</span>` : nothing}
        <span class="quiet" role="status">${result && !running ? "It ran; symptom and cure stand below." : nothing}</span>
      </p>
      ${renderProblem(problem)}
      <div class="result">${result ?? nothing}</div>
    </section>`;
  }

  #handMadeResult({ without, withPositions }: HandMade) {
    const forwards = handMadeWords.join(" ");
    const backwards = [...handMadeWords].reverse().join(" ");
    return html`<table>
        <caption>
          How far the vectors of “${backwards}” are from those of “${forwards}”, word by word
        </caption>
        <thead>
          <tr>
            <th scope="col">in the model</th>
            <th scope="col">without positions</th>
            <th scope="col">with sinusoidal rows</th>
          </tr>
        </thead>
        <tbody>
          ${without.map(
            ({ name, largest }, i) => html`<tr>
              <th scope="row">${stageTitle(name)}</th>
              <td>${formatDeviation(largest)}</td>
              <td>${formatDeviation(withPositions[i]?.largest ?? Number.NaN)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p>
        <strong>Symptom.</strong> Both sentences give every word the same vectors, up to
        ${formatDeviation(without.at(-1)?.largest ?? 0)}, which is rounding. The model cannot tell who bites whom.
      </p>
      <p>
        <strong>Cure.</strong> Give it positions. With sinusoidal rows added, the same words end
        ${formatDeviation(withPositions.at(-1)?.largest ?? 0)} apart.
      </p>`;
  }

  #pastResult({ trainedLength, means, refusal }: PastTheEnd) {
    const stretches = [...(means[0]?.mean ?? [])].map((_, i) => i);
    const [waves, alibi] = means;
    const of = (mean: Float64Array | undefined, i: number) => formatValue(mean?.at(i) ?? Number.NaN, 2);
    return html`<table>
        <caption>
          Loss, the mean surprise at the next character in nats (less is better), by position; trained on ${trainedLength}
          positions
        </caption>
        <thead>
          <tr>
            <th scope="col">positions</th>
            ${means.map(({ scheme }) => html`<th scope="col">${schemeOf(scheme).title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${stretches.map(
            (i) => html`<tr>
              <th scope="row">${i * trainedLength} to ${(i + 1) * trainedLength - 1}${i === 0 ? " (trained)" : ""}</th>
              ${means.map(({ mean }) => html`<td>${of(mean, i)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
      <p>
        <strong>Symptom.</strong> With sinusoidal rows the loss goes from ${of(waves?.mean, 0)} to ${of(waves?.mean, -1)}.
        Nothing stops; the model has only never met such rows. A learned table at least says so: <q>${refusal}</q>
        (In code, block_size is the context, the most positions that a model reads.)
      </p>
      <p>
        <strong>Cure.</strong> Stay within the trained length, train on longer texts, or use a scheme that looks at distances
        only: ALiBi goes from ${of(alibi?.mean, 0)} to ${of(alibi?.mean, -1)}. RoPE can be stretched.
      </p>`;
  }

  #spotTheBug() {
    const spot = this.#spot;
    const { problems } = this;
    const left = spot.variants.length - spot.judged;
    return html`<p>
        Eight ways to write it differently. Say of each whether it is faulty or harmless; only then does it run. ${passMark}
        right answers pass.
      </p>
      ${problems.spot === undefined
        ? nothing
        : html`<p class="warning" role="alert">
            ${problems.spot} <button type="button" @click=${() => void this.#deal()}>Try again</button>
          </p>`}
      <ol class="variants">
        ${spot.variants.map((variant, i) => this.#variant(variant, i))}
      </ol>
      <p class="score" role="status">
        ${spot.judged === 0
          ? "Nothing judged yet."
          : html`${spot.right} of ${spot.judged} right${left > 0 ? `, ${left} to go` : spot.passed ? ": passed" : `; ${passMark} pass`}.`}
      </p>
      ${spot.judged > 0 ? html`<button type="button" @click=${() => void this.#deal()}>Start over</button>` : nothing}
      <div class="seed">${this.renderSlider("bug_seed", { slideTo: 20 })}</div>`;
  }

  /** What the variants have in common, which would give the answers away before all are judged. */
  #solution() {
    const { variants, judged } = this.#spot;
    if (variants.length === 0 || judged < variants.length) return nothing;
    const harmless = variants.filter(({ report }) => report && !report.faulty).length;
    return html`Of the ${variants.length} variants ${harmless} are harmless, however much they change the numbers; each of
      the others ran without a complaint.`;
  }

  #variant(variant: Variant, index: number) {
    const { change, said, report, name } = variant;
    const truth = report?.faulty ? "faulty" : "harmless";
    const right = isRight(variant);
    return html`<li data-variant=${name} data-verdict=${report ? truth : "open"}>
      <div role="group" aria-label="Variant ${index + 1}">
        <p>${index + 1}. ${change}</p>
        <div class="answers">
          ${(["faulty", "harmless"] as const).map(
            (verdict) =>
              html`<button
                type="button"
                aria-pressed=${said === verdict}
                ?disabled=${said !== undefined}
                @click=${() => void this.#judge(variant, verdict)}
              >
                ${verdict === "faulty" ? "Faulty" : "Harmless"}
              </button>`,
          )}
        </div>
        <div role="status">
          ${report
            ? html`<p class=${right ? "passed" : "wrong"}>${right ? "✓" : "✗"} You said ${said}; it is ${truth}.</p>`
            : nothing}
        </div>
        ${report ? renderReport(report) : nothing}
      </div>
    </li>`;
  }

  async #judge(variant: Variant, said: Verdict): Promise<void> {
    const spot = this.#spot;
    await this.#trying("spot", () => spot.judge(variant, said));
    if (spot.passed) this.pass("spot-the-bug");
  }
}
