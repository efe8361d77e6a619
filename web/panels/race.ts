// Panel `race`: the same GPT trained with one to four position schemes, from one seed, on the same batches.

import { css, html, nothing, type PropertyValues } from "lit";
import { query, state } from "lit/decorators.js";
import type { CorpusPicker } from "../parts/corpus_picker.js";
import { formatCount, formatValue, spokenToken } from "../draw/ticks.js";
import { corpora, corpusText, type CorpusName } from "../state/corpora.js";
import { Race, workersNamed, type RaceState } from "../state/race.js";
import { runStore } from "../state/run_store.js";
import { describeSize, sizeOptions, type SizeName } from "../state/sizes.js";
import { turboSupported } from "../state/turbo.js";
import { declarationsOf, Panel } from "./panel.js";
import { curvesOf, renderChart, renderRuns, renderSamples, renderTable, resultStyles } from "./race/results.js";
import { renderSchemes, renderTurbo } from "./race/settings.js";
import { base, controls, spokenStyles } from "./styles.js";

const settingNames = ["schemes", "size", "steps", "seed", "corpus", "turbo", "workers"];

function differentOnes(vocabulary: readonly string[]): string {
  const [only = ""] = vocabulary;
  return vocabulary.length > 1
    ? `${vocabulary.length} different ones.`
    : `all of them ${spokenToken(only)}. So there is nothing to guess: every model is right from the start and has a loss of 0.`;
}

export class RacePanel extends Panel {
  static override properties = declarationsOf("race");
  static override styles = [
    base,
    controls,
    resultStyles,
    spokenStyles,
    css`
      .layout {
        grid-template: "head" auto "controls" auto "rest" auto / minmax(0, 1fr);
      }
      @container (min-width: 720px) {
        .layout {
          grid-template: "controls head" auto "controls rest" 1fr / 13.5rem minmax(0, 1fr);
        }
      }
      /* What a button sets going shows at once, on a phone too, where the settings lie between it and the curves. */
      .head {
        grid-area: head;
      }
      .controls {
        grid-area: controls;
      }
      .rest {
        grid-area: rest;
      }
      .primary {
        min-width: 9rem;
      }
      @container (max-width: 480px) {
        .buttons button {
          padding-inline: 0.6rem;
        }
        .primary {
          min-width: 7.5rem;
        }
      }
      .empty {
        min-height: 20rem;
      }
      .head > p {
        margin: 0.75rem 0 0;
      }
      .head .runs {
        margin-block-end: 0.25rem;
      }
      .corpus {
        margin: 0 0 1rem;
      }
    `,
  ];

  override readonly panel = "race";
  declare schemes: readonly string[];
  declare size: SizeName;
  declare steps: number;
  declare seed: number;
  declare corpus: CorpusName;
  declare turbo: "off" | "on";
  @state() private turboSupported: boolean | undefined;
  declare workers: string;
  @state() private fetching: CorpusName | undefined;
  @state() private failure: string | undefined;
  @query("poslab-corpus") private picker!: CorpusPicker;
  readonly #race = new Race();
  #announced = "";

  constructor() {
    super();
    this.useFallbacks("race");
    this.follow(runStore);
    void turboSupported.then((supported) => (this.turboSupported = supported));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#race.close();
  }

  override render() {
    const race = this.#race;
    const locked = race.moving || this.fetching !== undefined;
    return html`<figure>
      <div class="layout">
        <div class="head">
          ${this.#buttons(race.state)} ${this.#problem()} ${race.runs.length > 0 ? renderRuns(race.runs) : nothing}
        </div>
        <div class="controls">
          <fieldset ?disabled=${locked} class="settings">
            ${renderSchemes(this.field("schemes"))} ${this.renderSelect("size", sizeOptions, describeSize(this.size))}
            ${this.renderNumber("steps")} ${this.renderNumber("seed")}
            ${this.turboSupported ? renderTurbo(this.field("turbo")) : nothing}
          </fieldset>
          <poslab-corpus
            .corpus=${this.corpus}
            .disabled=${locked}
            @corpus=${(event: CustomEvent<CorpusName>) => this.change("corpus", event.detail)}
            @text=${() => (this.failure = undefined)}
          ></poslab-corpus>
        </div>
        <div class="rest">
          ${this.renderComplaints()} ${this.#refusedTurbo()}
          <p class="spoken" role="status">${this.#announced}</p>
          ${race.runs.length > 0 ? this.#running() : this.#empty()}
        </div>
      </div>
      <figcaption>
        Notice where the curves part: at first all models learn which characters are frequent, then which follow which;
        for more than that they need to know where each character stands.
      </figcaption>
    </figure>`;
  }

  protected override willUpdate(changes: PropertyValues): void {
    // A sentence about settings is gone with them.
    if (settingNames.some((name) => changes.has(name))) this.failure = undefined;
    this.#announced = this.#announcement();
  }

  #buttons(state: RaceState) {
    const running = state === "running";
    const measuring = state === "measuring";
    const labels: Record<RaceState, string> = {
      empty: "Train",
      ready: "Train",
      running: "Pause",
      measuring: "Measuring …",
      paused: "Resume",
      finished: "Train again",
      failed: "Train again",
    };
    return html`<div class="buttons">
      <button
        class="primary"
        type="button"
        ?disabled=${measuring || this.fetching !== undefined}
        @click=${() => (running ? this.#race.pause() : void this.#train())}
      >
        ${labels[state]}
      </button>
      <button
        type="button"
        name="step"
        ?disabled=${running || measuring || state === "finished" || this.fetching !== undefined}
        @click=${() => void this.#step()}
      >
        Step
      </button>
      <button type="button" name="stop" ?disabled=${!running && state !== "paused"} @click=${() => this.#race.stop()}>Stop</button>
      <button type="button" name="reset" ?disabled=${state === "empty"} @click=${() => this.#race.reset()}>Reset</button>
    </div>`;
  }

  #refusedTurbo() {
    if (this.turbo === "off" || this.turboSupported !== false) return nothing;
    return html`<p class="warning" role="status">
      “Turbo” is on, but this browser lacks the instructions it needs (relaxed SIMD). The models train without it.
    </p>`;
  }

  #problem() {
    if (this.fetching) {
      return html`<p class="quiet" role="status">Getting ${corpora[this.fetching].title} …</p>`;
    }
    if (this.failure === undefined) return nothing;
    return html`<p class="warning" role="alert">
      ${this.failure}${this.#race.runs.length > 0 ? " The earlier race stays below." : nothing}
    </p>`;
  }

  #empty() {
    return html`<div class="empty">
      <p>
        Press <b>Train</b>: a small GPT for each chosen scheme starts from the same numbers and reads the same pages of
        the text, character by character, in this browser. Nothing leaves this computer.
      </p>
      ${this.schemes.length > 1 ? html`<p>Before you do: which one will write better, and how much better?</p>` : nothing}
    </div>`;
  }

  #running() {
    const { runs } = this.#race;
    const created = runs.find((run) => run.created)?.created;
    return html`${created
        ? html`<p class="quiet corpus">
            ${formatCount(created.tokens.train)} characters to learn from, ${formatCount(created.tokens.val)} kept aside
            for validation, ${differentOnes(created.vocabulary)}
            The workers that train the models are background threads of the browser.
            ${this.#race.settings?.turbo ? "In turbo: another machine may reach other last digits." : nothing}
          </p>`
        : nothing}
      ${renderChart(curvesOf(runs), runs, this.#race.settings?.steps ?? 0)}
      ${created ? html`${renderSamples(runs)} ${renderTable(runs)}` : nothing}`;
  }

  async #train(): Promise<void> {
    const state = this.#race.state;
    if (state === "paused") return this.#race.resume();
    if (await this.#prepare(state === "finished" || state === "failed")) this.#race.resume();
  }

  async #step(): Promise<void> {
    const { state } = this.#race;
    if (state === "paused" || (await this.#prepare(state === "failed"))) this.#race.step();
  }

  /** Runs for the current settings: those at hand when they fit and stand at the start, else new ones. False, with a
   * sentence, when there can be none; the earlier ones stay. */
  async #prepare(anew: boolean): Promise<boolean> {
    const { schemes, size, steps, seed, corpus } = this;
    const workers = workersNamed(this.workers);
    this.failure = undefined;
    this.fetching = corpus;
    try {
      const turbo = this.turbo === "on" && (await turboSupported);
      const settings = { schemes, size, steps, seed, corpus, turbo, workers };
      const text = await corpusText(corpus, this.picker.ownText);
      if (anew || !this.#race.matches(settings, text)) await this.#race.open(settings, text);
      return true;
    } catch (error) {
      this.failure = (error as Error).message;
      return false;
    } finally {
      this.fetching = undefined;
    }
  }

  #announcement(): string {
    const { state, runs } = this.#race;
    const words: Record<RaceState, string> = {
      empty: "",
      ready: "Ready.",
      running: "Training.",
      measuring: "Measuring the whole validation text.",
      paused: "Paused.",
      failed: "",
      finished: `${runs.some((run) => run.stoppedEarly) ? "Stopped" : "Finished"}. ${runs
        .filter((run) => run.result)
        .map((run) => `${run.positions}: validation loss ${formatValue(run.result?.val_loss ?? 0, 3)}`)
        .join("; ")}.`,
    };
    return words[state];
  }
}
