// Small models trained on demand, one for each combination of settings, kept as weights so that no worker idles.

import { flatWeights } from "../engine/lesson_protocol.js";
import { Run } from "../engine/run.js";
import type { GptConfig } from "../engine/types.js";
import { corpusText } from "./corpora.js";
import { host } from "./host.js";

export interface TrainedLayers {
  config: Partial<GptConfig>;
  weights: Float32Array;
  vocabulary: string[];
  valLoss: number;
}

const steps = 300;
const training = { steps, batch_size: 8 };
const plan = {
  evaluate_every: steps,
  evaluate_batches: 1,
  sample_every: steps,
  sample_tokens: 1,
  final_tokens: 1,
  prompt: "\n",
  temperature: 0.8,
  top_k: 20,
};

export class LayerTraining {
  failure: string | undefined;
  readonly steps = steps;
  readonly #onChange: () => void;
  readonly #done = new Map<string, TrainedLayers>();
  #run: { key: string; run: Run } | undefined;
  #fetching = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The finished model of these settings. */
  get(config: Partial<GptConfig>): TrainedLayers | undefined {
    return this.#done.get(JSON.stringify(config));
  }

  /** The step that a training under way has reached. */
  get step(): number | undefined {
    return this.#run?.run.step ?? (this.#fetching ? 0 : undefined);
  }

  async train(config: Partial<GptConfig> & { positions: string }): Promise<void> {
    this.stop();
    this.failure = undefined;
    this.#fetching = true;
    this.#onChange();
    try {
      const text = await corpusText("moby-dick", "");
      if (!this.#fetching) return;
      const run = new Run(host, { text, config, training, plan });
      const key = JSON.stringify(config);
      this.#run = { key, run };
      run.subscribe(() => void this.#follow(key, run, config));
      run.resume();
    } catch (error) {
      this.failure = (error as Error).message;
    } finally {
      this.#fetching = false;
      this.#onChange();
    }
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#fetching = false;
    this.#run?.run.dispose();
    this.#run = undefined;
    this.#onChange();
  }

  async #follow(key: string, run: Run, config: Partial<GptConfig>): Promise<void> {
    if (this.#run?.run !== run) return;
    if (run.error !== undefined) {
      this.failure = run.error;
      this.stop();
      return;
    }
    if (run.state === "finished" && run.result && !this.#done.has(key)) {
      try {
        const weights = flatWeights(await run.ask({ question: "parameters" }));
        const vocabulary = run.created?.vocabulary ?? [];
        this.#done.set(key, { config, weights, vocabulary, valLoss: run.result.val_loss });
      } catch (error) {
        // Stopped meanwhile, which nobody needs to hear about.
        if (this.#run?.run === run) this.failure = (error as Error).message;
      }
      if (this.#run?.run === run) this.stop();
      return;
    }
    this.#onChange();
  }
}
