// The three classic mistakes, each run for real: what it gives, and what the cure gives.

import type { BugReport, PermutationStage } from "../../engine/lesson_types.js";
import { flatWeights } from "../../engine/lesson_protocol.js";
import { Run } from "../../engine/run.js";
import { corpusText } from "../../state/corpora.js";
import { host, lab } from "../../state/host.js";
import { configFor, planFor, sizes, trainingFor } from "../../state/sizes.js";

export const handMadeWords = ["dog", "bites", "man"];

export interface HandMade {
  /** Inside the model, from its input to its output. */
  without: PermutationStage[];
  withPositions: PermutationStage[];
}

/** A model put together by hand, two layers without a mask; the sentence is read forwards and backwards. */
export async function runHandMade(): Promise<HandMade> {
  const shape = { n_layer: 2, n_head: 4, n_embd: 32, block_size: 8, causal: false, vocab_size: handMadeWords.length };
  const ids = handMadeWords.map((_, id) => id);
  const order = [...ids].reverse();
  const measured = (positions: string) =>
    lab.ask({ question: "permutation_error", config: { ...shape, positions }, ids, order });
  return { without: await measured("none"), withPositions: await measured("sinusoidal") };
}

export const pastTheEnd = { schemes: ["sinusoidal", "alibi"], steps: 400, factor: 4, windows: 24, size: "tiny" } as const;

export interface PastTheEnd {
  trainedLength: number;
  /** Loss over each stretch of the trained length, by scheme. */
  means: { scheme: string; mean: Float64Array }[];
  /** What a learned table says to the first position past the end. */
  refusal: string;
}

/** Trains two small models and reads on past the length they were trained on. */
export class PastTheEndRun {
  // Runs of this panel's own: other panels go on showing what the reader trained.
  #runs: Run[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** "120 of 400 steps" while it trains. */
  get progress(): string {
    const steps = Math.min(...this.#runs.map(({ step }) => step));
    return Number.isFinite(steps) ? `${steps} of ${pastTheEnd.steps} steps` : "loading the book";
  }

  async measure(): Promise<PastTheEnd> {
    const { schemes, steps, size, factor, windows } = pastTheEnd;
    const text = await corpusText("moby-dick", "");
    this.close();
    this.#runs = schemes.map((positions) => {
      const config = configFor(size, positions, 0);
      return new Run(host, { text, config, training: trainingFor(size, steps), plan: planFor(steps) });
    });
    const done = this.#runs.map((run) => finished(run, this.#onChange));
    for (const run of this.#runs) run.resume();
    await Promise.all(done);
    const means: PastTheEnd["means"] = [];
    for (const run of this.#runs) {
      const weights = flatWeights(await run.ask({ question: "parameters" }));
      const config = run.created?.config ?? {};
      const { mean } = await lab.ask({ question: "loss_by_position", text, config, weights, factor, windows });
      means.push({ scheme: run.positions, mean });
    }
    this.close();
    const trainedLength = sizes[size].block_size;
    return { trainedLength, means, refusal: await refusalPast(trainedLength) };
  }

  close(): void {
    for (const run of this.#runs) run.dispose();
    this.#runs = [];
  }
}

function finished(run: Run, onChange: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = run.subscribe(() => {
      onChange();
      if (run.state === "finished") {
        stop();
        resolve();
      } else if (run.state === "failed" || run.state === "dead") {
        stop();
        reject(new Error(run.error ?? "The training stopped."));
      }
    });
  });
}

async function refusalPast(length: number): Promise<string> {
  const { n_head, n_embd } = sizes.tiny;
  const config = { positions: "learned", n_layer: 1, n_head, n_embd, block_size: length, vocab_size: 1 };
  try {
    await lab.ask({ question: "input_rows", config, ids: Array.from({ length: length + 1 }, () => 0) });
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`A learned table with ${length} rows gave a row for position ${length}.`);
}

export function runBroadcast(seed: number): Promise<BugReport> {
  return lab.ask({ question: "run_bug", name: "broadcast_over_batch", seed });
}
