// What the panels that look into a trained model share: which run they show, asking it again while it learns, and a small
// training of their own when there is no run.

import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { formatCount, formatDuration } from "../draw/ticks.js";
import type { Run } from "../engine/run.js";
import { runStore } from "../state/run_store.js";
import { schemeOf } from "../state/schemes.js";
import { SmallRun } from "../state/small_run.js";
import { renderProblem } from "./fields.js";
import { Panel } from "./panel.js";

/** A model that trains changes all the time, and each look at it takes time from its training: with every panel on screen
 * and a look each second, more than 2 % of it. */
const lookAgainMs = 2000;

export const runStyles = css`
  .status {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    margin: 0 0 0.75rem;
    min-height: 2.4rem;
    color: var(--soft);
  }
  .status .chip {
    margin-inline-end: -0.25rem;
  }
`;

export abstract class RunPanel extends Panel {
  /** The scheme that the small training offers. */
  protected abstract readonly smallScheme: string;
  /** The scheme of the run the reader chose, if any. */
  protected abstract readonly chosen: string;
  /** Whether this panel has something to show of a run. */
  protected abstract accepts(run: Run): boolean;
  /** Gets what the panel shows from the run; what comes back puts it there. */
  protected abstract inspect(run: Run): Promise<() => void>;
  @state() protected failure: string | undefined;
  @state() private fetching = false;
  readonly #small = new SmallRun();
  #asked: { run: Run; step: number; question: string; time: number } | undefined;
  #asking = false;
  /** Puts what was got last where it is shown. */
  #got = () => {};

  constructor() {
    super();
    this.follow(runStore);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#small.race.close();
  }

  /** The latest run of each scheme that this panel can show. */
  protected get runs(): Run[] {
    const byScheme = new Map<string, Run>();
    for (const run of runStore.runs) {
      if (this.accepts(run) && !byScheme.has(run.positions)) byScheme.set(run.positions, run);
    }
    return [...byScheme.values()];
  }

  protected get current(): Run | undefined {
    const { runs } = this;
    return runs.find((run) => run.positions === this.chosen) ?? runs[0];
  }

  protected override willUpdate(): void {
    this.#got();
    this.#got = () => {};
    if (this.visible) void this.#refresh();
  }

  /** What is shown besides the run and its step, as a key; another one asks again at once. */
  protected get question(): string {
    return "";
  }

  async #refresh(): Promise<void> {
    const run = this.current;
    // What was shown of a run is gone when there is none for a while.
    if (!run) this.#asked = undefined;
    if (!run?.created || this.#asking) return;
    const { step } = run;
    const { question } = this;
    const training = run.state === "running";
    const time = performance.now();
    const asked = this.#asked;
    if (run === asked?.run && question === asked.question) {
      if (step === asked.step || (training && time < asked.time + lookAgainMs)) return;
    }
    this.#asking = true;
    this.#asked = { run, step, question, time };
    try {
      this.#got = await this.inspect(run);
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.#asking = false;
    // While a model trains, the page is painted again in a moment anyway.
    if (training) this.refresh();
    else this.requestUpdate();
  }

  protected renderStatus(): TemplateResult | typeof nothing {
    const run = this.current;
    if (!run) return nothing;
    const { title } = schemeOf(run.positions);
    const own = this.#small.race.runs.includes(run);
    const left = run.secondsLeft === undefined ? "" : `, ${formatDuration(run.secondsLeft)} left`;
    return html`<p class="status">
      <i class="chip" data-scheme=${run.positions}></i>
      <span>${title}, ${formatCount(run.step)} of ${formatCount(run.steps)} steps${left}</span>
      ${own && (run.state === "running" || run.state === "paused")
        ? html`<button type="button" @click=${() => (run.state === "running" ? run.pause() : run.resume())}>
            ${run.state === "running" ? "Pause" : "Resume"}
          </button>`
        : nothing}
    </p>`;
  }

  protected renderFailure(): TemplateResult | typeof nothing {
    return renderProblem(this.failure ?? (this.current?.created ? this.current.error : undefined));
  }

  /** What stands in the figure's place while there is no model. */
  protected renderNoRun(sentence: string): TemplateResult {
    return html`<div class="empty">
      <p>${sentence}</p>
      ${this.renderSmallTraining()}
    </div>`;
  }

  /** The offer to train a model here, for whoever has none. */
  protected renderSmallTraining(): TemplateResult {
    const failure = this.#small.failure ?? this.current?.error;
    const waiting = this.fetching || (this.current !== undefined && failure === undefined);
    const { smallScheme } = this;
    const kind = smallScheme === "none" ? "no" : schemeOf(smallScheme).title;
    return html`${renderProblem(failure)}
      <button type="button" class="primary" ?disabled=${waiting} @click=${() => void this.#trainSmall()}>
        ${waiting ? "Getting ready …" : "Train a small one here"}
      </button>
      <p>A tiny GPT with ${kind} positions, reading Moby-Dick in this browser.</p>`;
  }

  async #trainSmall(): Promise<void> {
    this.fetching = true;
    await this.#small.train(this.smallScheme, () => this.requestUpdate());
    this.fetching = false;
  }
}
