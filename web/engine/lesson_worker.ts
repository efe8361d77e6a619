// Answers to the lesson's questions: each is a call of the core, or a few that belong together.

import { given } from "./arguments.js";
import type { LessonQuestions, ModelAsk } from "./lesson_protocol.js";
import type { AskOf, LabAsk } from "./protocol.js";
import type { Core, GptConfig } from "./types.js";

type Answers = {
  [K in keyof LessonQuestions]: (core: Core, ask: LessonQuestions[K]["ask"]) => LessonQuestions[K]["answer"];
};

const fresh = new Float32Array(0);
const full = (core: Core, config: Partial<GptConfig>): GptConfig => ({ ...core.default_config(), ...given(config) });
const model = (core: Core, ask: ModelAsk) => [full(core, ask.config), ask.weights ?? fresh] as const;

const answers: Answers = {
  permutation_error: (core, ask) => core.permutation_error(...model(core, ask), ask.ids, ask.order),
  order_blindness: (core, ask) => core.order_blindness(...model(core, ask), ask.ids, ask.order),
  input_rows: (core, ask) => core.input_rows(...model(core, ask), ask.ids),
  tokenize: (core, { vocabulary, text }) => core.tokenize(vocabulary, text),
  row_distances: (core, { before, after, rows, columns }) => core.row_distances(before, after, rows, columns),
  train_on_short_texts: (core, { text, config, length, steps }) =>
    core.train_on_short_texts(text, full(core, config), length, steps),
  row_similarity: (core, { table, rows, columns }) => core.row_similarity(table, rows, columns),
  nearest_rows: (core, { table, rows, columns, row, count }) => core.nearest_rows(table, rows, columns, row, count),
  sinusoidal_proofs: (core, { n, d, k, base }) => ({
    diagonals: core.sinusoidal_diagonals(n, d, base),
    shift: d % 2 === 0 ? core.sinusoidal_shift(n, d, k, base) : undefined,
    shift_matrix: d % 2 === 0 ? core.shift_matrix(k, d, base) : undefined,
  }),
  clock: (core, { position, d, base, context }) => ({
    hands: core.sinusoidal(1, d, base, "interleaved", position).data,
    wavelengths: core.wavelengths(d, base),
    turned: core.turns(position, d, base),
    within: core.turns(context, d, base),
  }),
  rope_pair: (core, { q, k, m, n, n_positions, pairing, base }) => ({
    score: core.rope_score(q, k, m, n, pairing, base),
    contributions: core.rope_contributions(q, k, m, n, pairing, base),
    turned_q: core.rope(q, m, pairing, base),
    turned_k: core.rope(k, n, pairing, base),
    distance: core.rope_distance(q, k, n_positions, pairing, base),
    norm_q: core.rope_norm(q, n_positions, pairing, base),
    norm_k: core.rope_norm(k, n_positions, pairing, base),
    pairings: core.rope_pairings(q, n_positions, base),
  }),
  rope_scores: (core, { q, k, m, n_distances, pairing, base }) =>
    Float64Array.from({ length: n_distances }, (_, distance) =>
      core.rope_score(q, k, m, m - distance, pairing, base),
    ),
  rope_proofs: (core, { d, cases, seed, base }) => core.rope_proofs(d, cases, seed, base),
  rope_frequencies: (core, { d, base, stretch, factor, trained_length, length }) =>
    core.rope_frequencies(d, base, { stretch, factor, trained_length, length }),
  alibi_rows: (core, { n_head, n }) => ({
    bias: core.alibi_bias(n_head, n),
    slopes: core.alibi_slopes(n_head),
    proofs: core.alibi_proofs(n_head, n),
  }),
  parameter_counts: (core, { config }) => core.parameter_counts(full(core, config)),
  equivariance: (core, { n, d, seed }) => core.equivariance(n, d, seed),
  loss_by_position: (core, ask) =>
    core.loss_by_position(ask.text, ...model(core, ask), ask.factor, ask.windows),
  attention_by_offset: (core, ask) => core.attention_by_offset(ask.text, ...model(core, ask), ask.windows),
  position_readout: (core, ask) => core.position_readout(ask.text, ...model(core, ask), ask.windows),
  npy_header: (core, { prefix, file_size }) => core.npy_header(prefix, file_size),
  read_npy: (core, { bytes }) => core.read_npy(bytes),
  write_npy: (core, { shape, data }) => core.write_npy(shape, data),
  safetensors_prefix: (core, { bytes }) => core.safetensors_prefix(bytes),
  safetensors_entries: (core, { prefix, file_size }) => core.safetensors_entries(prefix, file_size),
  safetensors_decode: (core, { dtype, bytes }) => core.safetensors_decode(dtype, bytes),
  parse_matrix: (core, { text }) => core.parse_matrix(text),
  grade_sinusoidal: (core, { matrix, rows, columns, base }) => core.grade_sinusoidal(matrix, rows, columns, base),
  grade_rope: (core, { inputs, outputs, rows, columns, pairing, role, base, first }) =>
    core.grade_rope(inputs, outputs, rows, columns, { pairing, role, base, first }),
  mistakes: (core) => core.mistakes(),
  bug_names: (core) => core.bug_names(),
  run_bug: (core, { name, seed }) => core.run_bug(name, seed),
};

export const isLessonAsk = (ask: LabAsk): ask is AskOf<LessonQuestions> => ask.question in answers;

/** The core's answer to one of the lesson's questions. */
export function answerLesson<K extends keyof LessonQuestions>(
  core: Core,
  question: K,
  ask: LessonQuestions[K]["ask"],
): LessonQuestions[K]["answer"] {
  return answers[question](core, ask);
}
