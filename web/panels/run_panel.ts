// What the panels that look into a trained model share: which run they show, asking it again while it learns, and a small
// training of their own when there is no run.

import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { formatCount, formatDuration } from "../draw/ticks.js";
import type { Run } from "../engine/run.js";
import { runStore } from "../state/run_store.js";
import { schemeOf, schemes } from "../state/schemes.js";
import { SmallRun } from "../state/small_run.js";
import { renderProblem } from "./fields.js";
import { Panel } from "./panel.js";

const askAgainMs = 400;

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
  /** Gets what the panel shows from the run. */
  protected abstract inspect(run: Run): Promise<void>;
  @state() protected failure: string | undefined;
  @state() private fetching = false;
  readonly #small = new SmallRun();
  #asked: { run: Run; key: string } | undefined;
  #asking = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.follow(runStore);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#again);
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
    if (this.visible) void this.#refresh();
  }

  /** A key of what is shown besides the run and its step; another one asks again at once. */
  protected get question(): string {
    return "";
  }

  async #refresh(): Promise<void> {
    const run = this.current;
    // What was shown of a run is gone when there is none for a while.
    if (!run) this.#asked = undefined;
    if (!run?.created || this.#asking) return;
    const key = `${run.step} ${this.question}`;
    if (run === this.#asked?.run && key === this.#asked.key) return;
    this.#asking = true;
    this.#asked = { run, key };
    try {
      await this.inspect(run);
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.requestUpdate();
    // A training model changes all the time; twice a second is enough to watch it.
    const wait = run.state === "running" ? askAgainMs : 0;
    this.#again = setTimeout(() => {
      this.#asking = false;
      this.requestUpdate();
    }, wait);
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
    const { title } = schemes.find(({ name }) => name === this.smallScheme) ?? { title: "" };
    return html`${renderProblem(failure)}
      <button type="button" class="primary" ?disabled=${waiting} @click=${() => void this.#trainSmall()}>
        ${waiting ? "Getting ready …" : "Train a small one here"}
      </button>
      <p>A tiny GPT with ${title} positions, reading Moby-Dick in this browser.</p>`;
  }

  async #trainSmall(): Promise<void> {
    this.fetching = true;
    await this.#small.train(this.smallScheme, () => this.requestUpdate());
    this.fetching = false;
  }
}
