// A race: the same GPT trained with different position schemes, from one seed, on the same batches, each in workers of its
// own.
// One run's failure never touches the others.

import type { Workers } from "../engine/protocol.js";
import { Run } from "../engine/run.js";
import { host } from "./host.js";
import { runStore } from "./run_store.js";
import { configFor, planFor, trainingFor, type SizeName } from "./sizes.js";
import { turboHost } from "./turbo.js";

export interface RaceSettings {
  schemes: readonly string[];
  size: SizeName;
  steps: number;
  seed: number;
  /** Names the text in comparisons; the text itself comes with `open`. */
  corpus: string;
  /** Faster, and not the same on every machine to the last digit. */
  turbo?: boolean;
  workers?: Workers;
}

/** What a text of the address stands for. */
export function workersNamed(name: string): Workers {
  return name === "auto" ? name : (Number(name) as Workers);
}

/** In `measuring` no run trains any more, and what the whole validation text says of some is being measured. */
export type RaceState = "empty" | "ready" | "running" | "measuring" | "paused" | "finished" | "failed";

/** Resolves when the run has its model; throws its sentence when it gets none. */
function created(run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = run.subscribe(() => {
      if (run.state === "loading") return;
      stop();
      if (run.created) resolve();
      else reject(new Error(run.error ?? "The model could not be made."));
    });
  });
}

export class Race {
  runs: Run[] = [];
  settings: RaceSettings | undefined;
  #text = "";
  #turn = 0;

  /** Makes one run for each scheme, none of them moving yet. Earlier runs are closed once all new ones have their models;
   * when a model cannot be made, the earlier runs stay and the reason is thrown. */
  async open(settings: RaceSettings, text: string): Promise<void> {
    const turn = ++this.#turn;
    const runs = settings.schemes.map(
      (positions) =>
        new Run(settings.turbo ? turboHost : host, {
          text,
          config: configFor(settings.size, positions, settings.seed),
          training: trainingFor(settings.size, settings.steps),
          plan: planFor(settings.steps),
          workers: settings.workers,
        }),
    );
    const dispose = () => {
      for (const run of runs) run.dispose();
    };
    try {
      await Promise.all(runs.map(created));
    } catch (error) {
      dispose();
      throw error;
    }
    // The race was closed or opened anew meanwhile.
    if (turn !== this.#turn) return dispose();
    this.close();
    this.settings = settings;
    this.#text = text;
    this.runs = runs;
    runStore.set(this, runs);
  }

  /** Whether these runs are what the settings and the text ask for. */
  matches(settings: RaceSettings, text: string): boolean {
    return this.runs.length > 0 && text === this.#text && JSON.stringify(settings) === JSON.stringify(this.settings);
  }

  /** Whether it goes on, by itself or when resumed. */
  get moving(): boolean {
    return this.state === "running" || this.state === "measuring" || this.state === "paused";
  }

  get state(): RaceState {
    const states = this.runs.map((run) => run.state);
    const some = (...wanted: string[]) => states.some((state) => wanted.includes(state));
    if (states.length === 0) return "empty";
    if (some("running", "loading")) return "running";
    if (some("evaluating")) return "measuring";
    if (some("paused")) return "paused";
    if (some("ready")) return "ready";
    return some("finished") ? "finished" : "failed";
  }

  resume(): void {
    for (const run of this.runs) run.resume();
  }
  pause(): void {
    for (const run of this.runs) run.pause();
  }
  step(): void {
    for (const run of this.runs) run.advance();
  }
  stop(): void {
    for (const run of this.runs) run.stop();
  }
  reset(): void {
    for (const run of this.runs) run.reset();
  }

  close(): void {
    this.#turn += 1;
    for (const run of this.runs) run.dispose();
    this.runs = [];
    runStore.set(this, []);
  }
}
