// What the lesson's measurements and exercises give, as `wasm/bridge_lesson.cpp` and
// `wasm/bridge_exercises.cpp` offer them. Tables have their rows one after another.

import type { GptConfig, Matrix } from "./types.js";

/** A claim checked by number: `holds` when the largest deviation over all cases is within the tolerance. */
export interface Proof {
  claim: string;
  cases: number;
  largest: number;
  tolerance: number;
  holds: boolean;
}

/** One place of the forward pass: how far f(P X) is from P f(X). */
export interface PermutationStage {
  /** "input", "h.0.attn" (what attention alone gave), "h.0" (after the block), …, "logits". */
  name: string;
  /** Over tokens, the largest Euclidean distance of the two rows. */
  largest: number;
  /** `largest` over the mean norm of the rows. */
  relative: number;
  /** One for each place of the reordered text. */
  distances: Float64Array;
}

/** What the attention of one layer gave, deviations as a share of the mean norm of its rows. */
export interface LayerBlindness {
  /** attn(P X) = P attn(X). */
  moves_along: Proof;
  /** The deviation of the token at each place of P X. */
  shares: Float64Array;
  /** The last token's row stays when only the tokens before it are reordered. */
  last_kept: Proof;
}

export interface InputRows {
  token: Matrix;
  position: Matrix;
  sum: Matrix;
  token_norms: Float64Array;
  position_norms: Float64Array;
}

/** Token ids of a text, and the characters that the vocabulary does not have. */
export interface Tokenized {
  ids: number[];
  skipped: string;
}

/** A learned table after training on short texts, and how far each row moved. */
export interface ShortTextTraining {
  table: Matrix;
  distance: Float64Array;
}

export interface Neighbour {
  row: number;
  cosine: number;
}

export interface ParameterCounts {
  groups: { name: string; count: number }[];
  tied: number;
  untied: number;
  tied_proof: Proof;
  untied_proof: Proof;
}

export interface EquivarianceStep {
  name: string;
  equality: string;
  left: Matrix;
  right: Matrix;
  deviation: number;
  holds: boolean;
}

export interface Equivariance {
  x: Matrix;
  permutation: Matrix;
  order: number[];
  steps: EquivarianceStep[];
}

export interface RopeStretching {
  /** "none", "linear", "ntk", "dynamic_ntk", "yarn" or "llama3" */
  stretch: string;
  factor: number;
  trained_length: number;
  /** Of the text at hand; only dynamic_ntk asks. */
  length: number;
}

export interface RopeFrequencies {
  /** Radians per position, one for each pair. */
  frequencies: Float64Array;
  /** What queries and keys are multiplied by besides (YaRN). */
  attention_factor: number;
}

export interface LossByPosition {
  trained_length: number;
  windows: number;
  /** Nats, for each position. */
  loss: Float64Array;
  /** Nats, over each stretch of the trained length. */
  mean: Float64Array;
  last_half: number;
}

export interface AttentionByOffset {
  /** Offset (query minus key) of the first column: 0 with a mask, else -(T-1). */
  first: number;
  /** [layer, head, offset] */
  weight: Matrix;
}

export interface Readout {
  name: string;
  r2: number;
}

export interface NpyArray extends Matrix {
  dtype: string;
  fortran_order: boolean;
}

/** What the start of a .npy file says of it: its numbers are bytes [begin, end). */
export interface NpyHeader {
  dtype: string;
  fortran_order: boolean;
  shape: number[];
  begin: number;
  end: number;
}

/** A tensor of a safetensors file: its bytes are [begin, end) of the file. */
export interface SafetensorsEntry {
  name: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

export interface Mistake {
  name: string;
  title: string;
  harmless: boolean;
  symptom: string;
  cause: string;
  cure: string;
}

export interface Grade {
  /** "correct", "harmless" (another order, as good), "mistaken" or "unknown". */
  verdict: string;
  sentence: string;
  mistakes: Mistake[];
  alternatives: string[];
  n: number;
  d: number;
  tolerance: number;
  largest: number;
  has_wrong_cell: boolean;
  row: number;
  column: number;
  given: number;
  expected: number;
  base: number;
  nearest: string;
  distance: number;
}

export interface RopeTask {
  pairing: string;
  /** "query", "key" or "value" */
  role: string;
  base: number;
  /** Position of the first row. */
  first: number;
}

export interface BugReport {
  name: string;
  change: string;
  property: string;
  right: number;
  variant: number;
  threshold: number;
  faulty: boolean;
  matrix: string;
  expected: Matrix;
  given: Matrix;
  has_wrong_cell: boolean;
  row: number;
  column: number;
  largest: number;
  symptom: string;
  cure: string;
}

type Numbers = ArrayLike<number>;

export interface LessonCore {
  permutation_error(config: GptConfig, weights: Numbers, ids: Numbers, order: Numbers): PermutationStage[];
  order_blindness(config: GptConfig, weights: Numbers, ids: Numbers, order: Numbers): LayerBlindness[];
  input_rows(config: GptConfig, weights: Numbers, ids: Numbers): InputRows;
  tokenize(vocabulary: string, text: string): Tokenized;
  row_distances(before: Numbers, after: Numbers, rows: number, columns: number): Float64Array;
  train_on_short_texts(text: string, config: GptConfig, length: number, steps: number): ShortTextTraining;
  nearest_rows(table: Numbers, rows: number, columns: number, row: number, count: number): Neighbour[];
  sinusoidal_diagonals(n: number, d: number, base: number): Proof;
  sinusoidal_shift(n: number, d: number, k: number, base: number): Proof;
  shift_matrix(k: number, d: number, base: number): Matrix;
  turns(positions: number, d: number, base: number): Float64Array;
  rope_score(q: Numbers, k: Numbers, m: number, n: number, pairing: string, base: number): number;
  rope_contributions(q: Numbers, k: Numbers, m: number, n: number, pairing: string, base: number): Float64Array;
  rope_distance(q: Numbers, k: Numbers, nPositions: number, pairing: string, base: number): Proof;
  rope_norm(x: Numbers, nPositions: number, pairing: string, base: number): Proof;
  rope_pairings(x: Numbers, nPositions: number, base: number): Proof;
  rope_proofs(d: number, cases: number, seed: number, base: number): Proof[];
  rope_frequencies(d: number, base: number, stretching: RopeStretching): RopeFrequencies;
  alibi_bias(nHead: number, n: number): Matrix;
  alibi_proofs(nHead: number, n: number): Proof[];
  parameter_counts(config: GptConfig): ParameterCounts;
  equivariance(n: number, d: number, seed: number): Equivariance;
  loss_by_position(
    text: string,
    config: GptConfig,
    weights: Numbers,
    factor: number,
    windows: number,
  ): LossByPosition;
  attention_by_offset(text: string, config: GptConfig, weights: Numbers, windows: number): AttentionByOffset;
  position_readout(text: string, config: GptConfig, weights: Numbers, windows: number): Readout[];
  npy_header(prefix: Uint8Array, fileSize: number): NpyHeader;
  read_npy(bytes: Uint8Array): NpyArray;
  write_npy(shape: Numbers, data: Numbers): Uint8Array;
  safetensors_prefix(bytes: Uint8Array): number;
  safetensors_entries(prefix: Uint8Array, fileSize: number): SafetensorsEntry[];
  safetensors_decode(dtype: string, bytes: Uint8Array): Float32Array;
  parse_matrix(text: string): Matrix;
  grade_sinusoidal(matrix: Numbers, rows: number, columns: number, base: number): Grade;
  grade_rope(inputs: Numbers, outputs: Numbers, rows: number, columns: number, task: RopeTask): Grade;
  mistakes(): Mistake[];
  bug_names(): string[];
  run_bug(name: string, seed: number): BugReport;
}
