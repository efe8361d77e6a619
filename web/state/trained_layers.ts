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
  /** The settings whose text is being fetched. */
  #fetching: string | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The finished model of these settings. */
  get(config: Partial<GptConfig>): TrainedLayers | undefined {
    return this.#done.get(JSON.stringify(config));
  }

  /** The step that a training of these settings has reached, if one is under way. */
  stepOf(config: Partial<GptConfig>): number | undefined {
    const key = JSON.stringify(config);
    if (this.#fetching === key) return 0;
    return this.#run?.key === key ? this.#run.run.step : undefined;
  }

  async train(config: Partial<GptConfig> & { positions: string }): Promise<void> {
    this.stop();
    this.failure = undefined;
    const key = JSON.stringify(config);
    this.#fetching = key;
    this.#onChange();
    try {
      const text = await corpusText("moby-dick", "");
      // Stopped, or asked for others, meanwhile.
      if (this.#fetching !== key) return;
      this.#fetching = undefined;
      const run = new Run(host, { text, config, training, plan });
      this.#run = { key, run };
      run.subscribe(() => void this.#follow(key, run, config));
      run.resume();
    } catch (error) {
      this.failure = (error as Error).message;
      this.#fetching = undefined;
    }
    this.#onChange();
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#fetching = undefined;
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
