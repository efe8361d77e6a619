// The model sizes a reader chooses from, and what a training of a given length looks at on its way.

import type { SamplePlan } from "../engine/protocol.js";
import type { GptConfig, TrainConfig } from "../engine/types.js";

export type SizeName = "tiny" | "lab" | "nano";

type Shape = Pick<GptConfig, "n_layer" | "n_head" | "n_embd" | "block_size"> & Pick<TrainConfig, "batch_size">;

export const sizes: Record<SizeName, Shape> = {
  tiny: { n_layer: 2, n_head: 4, n_embd: 64, block_size: 32, batch_size: 16 },
  lab: { n_layer: 3, n_head: 4, n_embd: 64, block_size: 64, batch_size: 16 },
  nano: { n_layer: 4, n_head: 4, n_embd: 128, block_size: 64, batch_size: 12 },
};

export const sizeOptions = Object.keys(sizes).map((name) => ({ name, title: name }));

export function describeSize(name: SizeName): string {
  const { n_layer, n_head, n_embd, block_size } = sizes[name];
  return `${n_layer} layers, ${n_head} heads, width ${n_embd}, context (block_size) ${block_size}`;
}

export function configFor(size: SizeName, positions: string, seed: number): Partial<GptConfig> & { positions: string } {
  const { batch_size: _, ...shape } = sizes[size];
  return { ...shape, positions, seed };
}

export function trainingFor(size: SizeName, steps: number): Partial<TrainConfig> & { steps: number } {
  return { steps, batch_size: sizes[size].batch_size };
}

export function planFor(steps: number): SamplePlan {
  return {
    // So seldom and so little that what is measured and written on the way takes less than 1 % of a usual training's time.
    evaluate_every: Math.max(1, Math.round(steps / 20)),
    evaluate_batches: 1,
    sample_every: Math.max(1, Math.round(steps / 15)),
    sample_tokens: 160,
    final_tokens: 600,
    prompt: "\n",
    temperature: 0.8,
    top_k: 20,
  };
}
