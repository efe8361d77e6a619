// What the page and a worker say to each other. Two unions, one for each direction; nothing else crosses. One worker
// script plays each role: a training worker owns one Session, its helpers compute shards of its steps, the lab worker
// answers pure questions.

import type { LessonQuestions } from "./lesson_protocol.js";
import type {
  Baselines,
  Generated,
  GptConfig,
  Matrix,
  Parameter,
  PositionScheme,
  SinusoidalLayout,
  Split,
  TextStats,
  TextTensor,
  TrainConfig,
} from "./types.js";

/** Where a training stands, as its worker sees it. */
export type Phase = "ready" | "running" | "paused" | "evaluating" | "finished";

export interface SamplePlan {
  /** Evaluate on the validation split every so many steps, over so many batches. */
  evaluate_every: number;
  evaluate_batches: number;
  /** Write a sample every so many steps. */
  sample_every: number;
  sample_tokens: number;
  /** Length of the text whose words are counted at the end. */
  final_tokens: number;
  prompt: string;
  temperature: number;
  top_k: number;
}

/** Questions a training worker answers between two steps, or while helpers do their share of one, with the type of the answer. */
export interface Questions {
  attention: { ask: { text: string }; answer: TextTensor };
  generate: {
    ask: { prompt: string; tokens: number; temperature: number; top_k: number; seed: number };
    answer: Generated;
  };
  evaluate: { ask: { split: Split; max_batches: number }; answer: number };
  position_table: { ask: object; answer: PositionTable | undefined };
  parameters: { ask: object; answer: Parameter[] };
  weights_hash: { ask: object; answer: string };
}
export interface PositionTable extends Matrix {
  /** Cosine of every row with every other. */
  similarity: Float32Array;
  step: number;
}

/** Questions the lab worker answers without any training. */
export interface LabQuestions extends LessonQuestions {
  sinusoidal: {
    ask: { n: number; d: number; base: number; layout: SinusoidalLayout; first: number };
    answer: Matrix & { similarity: Float32Array; wavelengths: Float64Array };
  };
  rope: { ask: { x: Float32Array; position: number; pairing: string; base: number }; answer: Float32Array };
  alibi_slopes: { ask: { n_head: number }; answer: Float32Array };
  about: { ask: object; answer: About };
}
export interface About {
  schemes: PositionScheme[];
  config: GptConfig;
  training: TrainConfig;
  simd_backend: string;
}

export type AskOf<Q> = { [K in keyof Q]: { question: K } & (Q[K] extends { ask: infer A } ? A : never) }[keyof Q];
export type AnswerOf<Q, K extends keyof Q> = Q[K] extends { answer: infer A } ? A : never;
export type Ask = AskOf<Questions>;
export type LabAsk = AskOf<LabQuestions>;

export type ToWorker =
  /** The bytes of poslab.wasm, gzipped, in base64; they are unpacked where nobody waits for a frame. */
  | { type: "load"; wasm: string }
  | { type: "create"; settings: RunSettings }
  | { type: "resume" }
  | { type: "pause" }
  | { type: "step" }
  | { type: "stop" }
  | { type: "reset" }
  /** To a training worker: one that helps listens at the other end of the port, or does no longer. */
  | { type: "add_helper"; id: number; port: MessagePort }
  | { type: "remove_helper"; id: number }
  /** To a helper: compute what is asked for through the port, or for nobody. */
  | { type: "help"; port: MessagePort }
  | { type: "leave" }
  | { type: "ping" }
  | { type: "ask"; id: number; ask: Ask }
  | { type: "ask_lab"; id: number; ask: LabAsk };

/** How many workers train a run: what the page can spare, or so many always. */
export type Workers = "auto" | 1 | 2 | 3 | 4;

export interface RunSettings {
  text: string;
  config: Partial<GptConfig> & { positions: string };
  training: Partial<TrainConfig> & { steps: number };
  plan: SamplePlan;
  /** "auto" unless given. */
  workers?: Workers;
}

export interface Created {
  config: GptConfig;
  training: TrainConfig;
  parameters: number;
  tokens: { train: number; val: number };
  /** One string for each token id. */
  vocabulary: string[];
  baselines: Baselines;
}

export interface Progress {
  phase: Phase;
  step: number;
  /** Training losses since the last progress message; the first belongs to step `first`. */
  first: number;
  losses: Float32Array;
  /** Validation losses since then. */
  val: { step: number; loss: number }[];
  tokens_per_second: number | undefined;
  seconds_left: number | undefined;
  /** How many share the steps at present. */
  workers: number;
  /** While evaluating: the part of the validation split that is measured, in [0, 1]. */
  measured: number;
}

export interface Result {
  step: number;
  /** Over the whole validation split. */
  val_loss: number;
  sample: string;
  stats: TextStats;
  seconds: number;
}

export type FromWorker =
  | { type: "loaded" }
  | { type: "created"; created: Created }
  | ({ type: "progress" } & Progress)
  | { type: "sample"; step: number; text: string }
  | { type: "result"; result: Result }
  | { type: "reset_done" }
  /** A helper did not answer in time. */
  | { type: "helper_lost"; id: number }
  | { type: "failed"; message: string; step: number }
  | { type: "pong" }
  | { type: "answer"; id: number; value: unknown }
  | { type: "refused"; id: number; message: string };

// --- between a training worker and a helper, through their port ---

/** Shards [first, first + count) of a step. */
export type Share = readonly [first: number, count: number];

/** The arrays are transferred, so they travel to and fro without a copy. */
export type ToHelper =
  | { type: "model"; config: GptConfig }
  | {
      type: "shards";
      task: number;
      first: number;
      count: number;
      /** The weights. */
      numbers: Float32Array<ArrayBuffer>;
      ids: Int32Array<ArrayBuffer>;
    };

export type FromHelper =
  | { type: "ready" }
  | {
      type: "shards";
      task: number;
      /** The gradient. */
      numbers: Float32Array<ArrayBuffer>;
      ids: Int32Array<ArrayBuffer>;
      /** Of each shard. */
      losses: number[];
    };
