// The wasm module as TypeScript sees it. Names are the core's own (core/config.h), so one word means one thing in C++,
// in this package, in the address of the page and in its text.

import type { LessonCore } from "./lesson_types.js";

export type Positions = "none" | "learned" | "sinusoidal" | "rope" | "alibi";
export type RopePairing = "half" | "adjacent";
export type SinusoidalLayout = "interleaved" | "concatenated";
export type Split = "train" | "val";

export interface GptConfig {
  vocab_size: number;
  block_size: number;
  n_layer: number;
  n_head: number;
  n_embd: number;
  positions: string;
  causal: boolean;
  tie_weights: boolean;
  embedding_scale: number | undefined;
  sinusoidal_scale: number;
  sinusoidal_base: number;
  rope_base: number;
  rope_pairing: string;
  rotary_fraction: number;
  seed: number;
}

export interface TrainConfig {
  steps: number;
  batch_size: number;
  learning_rate: number;
  min_lr_ratio: number;
  warmup_steps: number;
  weight_decay: number;
  beta1: number;
  beta2: number;
  grad_clip: number;
}

export interface StepMetrics {
  step: number;
  loss: number;
  grad_norm: number;
  learning_rate: number;
  tokens: number;
}

/** Nats per token on the validation split; `uniform` is ln V. */
export interface Baselines {
  uniform: number;
  unigram: number;
  bigram: number;
}

export interface GenerateOptions {
  temperature: number;
  top_k: number;
  seed: number;
  use_cache: boolean;
}

export interface TextStats {
  words: number;
  known_words: number;
  lines: number;
  mean_line_length: number;
}

/** A named or unnamed array of numbers with its shape, row-major. */
export interface Matrix {
  shape: number[];
  data: Float32Array;
}

export interface Parameter extends Matrix {
  name: string;
}

/** What a model says of a text, with the token ids it read and the characters it does not know. */
export interface TextTensor extends Matrix {
  ids: Int32Array;
  skipped: string[];
}

export interface Generated {
  text: string;
  skipped: string[];
}

export interface Encoded {
  ids: Int32Array;
  skipped: string[];
}

export interface PositionScheme {
  name: string;
  title: string;
  summary: string;
}

export interface Session {
  delete(): void;
  config(): GptConfig;
  num_parameters(): number;
  num_tokens(): { train: number; val: number };
  vocabulary(): string[];
  begin_training(config: TrainConfig): void;
  step(): StepMetrics;
  /** A step in parts, for several workers: draw, hand out, compute and accept all shards, update. */
  draw(): void;
  hand_out(numbers: Float32Array, ids: Int32Array): void;
  compute_shards(first: number, count: number): void;
  accept_shards(first: number, count: number, gradient: Float32Array, losses: number[]): void;
  update(): StepMetrics;
  reset(): void;
  evaluate(split: string, maxBatches: number): number;
  /** The same in pieces: the mean loss of the part, in [0, 1], that has been measured. */
  begin_evaluation(split: string): void;
  continue_evaluation(): { part: number; loss: number };
  baselines(): Baselines;
  generate(prompt: string, nTokens: number, options: GenerateOptions): Generated;
  encode(text: string): Encoded;
  decode(ids: Int32Array | number[]): string;
  logits(text: string): TextTensor;
  attention(text: string): TextTensor;
  parameters(): Parameter[];
  parameter(name: string): Parameter;
  position_table(): Matrix | undefined;
  text_stats(text: string): TextStats;
  weights_hash(): string;
}

/** Computes shards of another worker's steps. */
export interface ShardHelper {
  delete(): void;
  /** `numbers` holds the weights and gets the gradient; returns the losses of the shards. */
  compute(numbers: Float32Array, ids: Int32Array, first: number, count: number): number[];
}

/** The core's functions, as `wasm/bridge.cpp` and the lesson's tables beside it offer them. */
export interface Core extends LessonCore {
  Session: new (text: string, config: GptConfig) => Session;
  ShardHelper: new (config: GptConfig) => ShardHelper;
  default_config(): GptConfig;
  default_training(): TrainConfig;
  default_generation(): GenerateOptions;
  position_schemes(): PositionScheme[];
  simd_backend(): string;
  sinusoidal(n: number, d: number, base: number, layout: string, first: number): Matrix;
  rope(x: Float32Array, position: number, pairing: string, base: number): Float32Array;
  alibi_slopes(nHead: number): Float32Array;
  row_similarity(data: Float32Array, rows: number, columns: number): Matrix;
  wavelengths(d: number, base: number): Float64Array;
}
