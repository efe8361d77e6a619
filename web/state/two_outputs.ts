// The same GPT trained twice, with its output layer tied to the token table and with one of its own: same seed, same
// batches, each in workers of its own.

import { Run } from "../engine/run.js";
import type { GptConfig } from "../engine/types.js";
import { corpusText } from "./corpora.js";
import { host } from "./host.js";
import { planFor } from "./sizes.js";
import { outputs } from "./schemes.js";

export interface OutputRun {
  name: (typeof outputs)[number]["name"];
  title: string;
  colour: string;
  run: Run;
}

export class TwoOutputs {
  runs: OutputRun[] = [];
  failure: string | undefined;
  /** The training that waits for its text. */
  #fetching: symbol | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get fetching(): boolean {
    return this.#fetching !== undefined;
  }

  get state(): "empty" | "running" | "paused" | "ended" {
    const some = (...wanted: string[]) => this.runs.some(({ run }) => wanted.includes(run.state));
    if (this.fetching || some("running", "evaluating", "loading", "ready")) return "running";
    if (this.runs.length === 0) return "empty";
    return some("paused") ? "paused" : "ended";
  }

  async train(config: Partial<GptConfig> & { positions: string }, steps: number): Promise<void> {
    this.close();
    this.failure = undefined;
    const asked = Symbol("training");
    this.#fetching = asked;
    this.#onChange();
    try {
      const text = await corpusText("moby-dick", "");
      // Closed or begun anew meanwhile.
      if (this.#fetching !== asked) return;
      const plan = { ...planFor(steps), sample_every: steps, sample_tokens: 1, final_tokens: 1 };
      this.runs = outputs.map(({ name, title, colour }) => {
        const tied = { ...config, tie_weights: name === "tied" };
        const run = new Run(host, { text, config: tied, training: { steps, batch_size: 16 }, plan });
        run.subscribe(this.#onChange);
        run.resume();
        return { name, title, colour, run };
      });
    } catch (error) {
      if (this.#fetching === asked) this.failure = (error as Error).message;
    } finally {
      if (this.#fetching === asked) this.#fetching = undefined;
      this.#onChange();
    }
  }

  pause(): void {
    for (const { run } of this.runs) run.pause();
  }
  resume(): void {
    for (const { run } of this.runs) run.resume();
  }
  stop(): void {
    for (const { run } of this.runs) run.stop();
  }

  close(): void {
    this.#fetching = undefined;
    for (const { run } of this.runs) run.dispose();
    this.runs = [];
  }
}
