// The questions that the lesson's panels and exercises ask of the lab worker. Names and arguments are the core's.

import type {
  AttentionByOffset,
  BugReport,
  Equivariance,
  Grade,
  InputRows,
  LayerBlindness,
  LossByPosition,
  Mistake,
  Neighbour,
  NpyArray,
  NpyHeader,
  ParameterCounts,
  PermutationStage,
  Proof,
  Readout,
  RopeFrequencies,
  RopeStretching,
  RopeTask,
  SafetensorsEntry,
  ShortTextTraining,
  Tokenized,
} from "./lesson_types.js";
import type { GptConfig, Matrix, Parameter } from "./types.js";

/** A model to measure: what the config leaves out has the core's default; without weights it is the seed's fresh one. */
export interface ModelAsk {
  config: Partial<GptConfig>;
  weights?: Float32Array;
}

/** A model with the text it was made for; measured on the text's validation split. vocab_size follows from the text. */
export interface ReadingAsk extends ModelAsk {
  text: string;
  /** At most so many windows, evenly spread. */
  windows: number;
}

interface Pair {
  q: Float32Array;
  k: Float32Array;
  pairing: string;
  base: number;
}

export interface LessonQuestions {
  permutation_error: { ask: ModelAsk & { ids: number[]; order: number[] }; answer: PermutationStage[] };
  order_blindness: { ask: ModelAsk & { ids: number[]; order: number[] }; answer: LayerBlindness[] };
  input_rows: { ask: ModelAsk & { ids: number[] }; answer: InputRows };
  /** The ids that a model with this vocabulary, one character for each id, gives a text. */
  tokenize: { ask: { vocabulary: string; text: string }; answer: Tokenized };
  row_distances: {
    ask: { before: Float32Array; after: Float32Array; rows: number; columns: number };
    answer: Float64Array;
  };
  train_on_short_texts: {
    ask: { text: string; config: Partial<GptConfig>; length: number; steps: number };
    answer: ShortTextTraining;
  };
  /** How alike any two rows of a table are. */
  row_similarity: { ask: { table: Float32Array; rows: number; columns: number }; answer: Matrix };
  nearest_rows: {
    ask: { table: Float32Array; rows: number; columns: number; row: number; count: number };
    answer: Neighbour[];
  };
  /** Both proofs and the matrix R_k; for an odd d only the first proof, which then fails. */
  sinusoidal_proofs: {
    ask: { n: number; d: number; k: number; base: number };
    answer: { diagonals: Proof; shift: Proof | undefined; shift_matrix: Matrix | undefined };
  };
  /** The hands of all pairs at a position: sine and cosine by turns, wavelengths, and turns made by then and within the
   * whole context. */
  clock: {
    ask: { position: number; d: number; base: number; context: number };
    answer: { hands: Float32Array; wavelengths: Float64Array; turned: Float64Array; within: Float64Array };
  };
  /** One query and one key: the score at (m, n), each pair's share in it, and the proofs for these two vectors. */
  rope_pair: {
    ask: Pair & { m: number; n: number; n_positions: number };
    answer: {
      score: number;
      contributions: Float64Array;
      turned_q: Float32Array;
      turned_k: Float32Array;
      distance: Proof;
      norm_q: Proof;
      norm_k: Proof;
      pairings: Proof;
    };
  };
  /** Scores of q at position m with k at m - distance, for distance 0 … n_distances - 1. */
  rope_scores: { ask: Pair & { m: number; n_distances: number }; answer: Float64Array };
  rope_proofs: { ask: { d: number; cases: number; seed: number; base: number }; answer: Proof[] };
  rope_frequencies: { ask: { d: number; base: number } & RopeStretching; answer: RopeFrequencies };
  alibi_rows: { ask: { n_head: number; n: number }; answer: { bias: Matrix; slopes: Float32Array; proofs: Proof[] } };
  parameter_counts: { ask: { config: Partial<GptConfig> }; answer: ParameterCounts };
  equivariance: { ask: { n: number; d: number; seed: number }; answer: Equivariance };
  loss_by_position: { ask: ReadingAsk & { factor: number }; answer: LossByPosition };
  attention_by_offset: { ask: ReadingAsk; answer: AttentionByOffset };
  position_readout: { ask: ReadingAsk; answer: Readout[] };
  /** prefix: the file's start with its whole header. file_size 0 = unknown. */
  npy_header: { ask: { prefix: Uint8Array; file_size: number }; answer: NpyHeader };
  read_npy: { ask: { bytes: Uint8Array }; answer: NpyArray };
  write_npy: { ask: Matrix; answer: Uint8Array };
  /** How many bytes from the start of a safetensors file, given its first 8, hold its header. */
  safetensors_prefix: { ask: { bytes: Uint8Array }; answer: number };
  /** file_size 0 = unknown. */
  safetensors_entries: { ask: { prefix: Uint8Array; file_size: number }; answer: SafetensorsEntry[] };
  safetensors_decode: { ask: { dtype: string; bytes: Uint8Array }; answer: Float32Array };
  parse_matrix: { ask: { text: string }; answer: Matrix };
  grade_sinusoidal: { ask: { matrix: Float32Array; rows: number; columns: number; base: number }; answer: Grade };
  grade_rope: {
    ask: { inputs: Float32Array; outputs: Float32Array; rows: number; columns: number } & RopeTask;
    answer: Grade;
  };
  mistakes: { ask: object; answer: Mistake[] };
  bug_names: { ask: object; answer: string[] };
  run_bug: { ask: { name: string; seed: number }; answer: BugReport };
}

/** All weights of a model one after another, as ModelAsk wants them. */
export function flatWeights(parameters: readonly Parameter[]): Float32Array {
  const weights = new Float32Array(parameters.reduce((n, { data }) => n + data.length, 0));
  let at = 0;
  for (const { data } of parameters) {
    weights.set(data, at);
    at += data.length;
  }
  return weights;
}
