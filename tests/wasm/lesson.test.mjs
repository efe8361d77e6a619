// The lesson's calls as the page's worker makes them: arguments and results cross the bridge whole, refusals arrive as
// sentences. What the numbers must be, tests/core says.
import assert from "node:assert/strict";
import { test } from "node:test";
import createPoslab from "../../build/wasm/poslab.mjs";

const core = await createPoslab();
const fresh = new Float32Array(0);
const config = (more) => ({ ...core.default_config(), vocab_size: 5, block_size: 8, n_layer: 2, n_head: 2, n_embd: 8, ...more });

function refusal(work) {
  try {
    work();
  } catch (thrown) {
    return core.getExceptionMessage(thrown)[1];
  }
  return "";
}

const table = (n, d, cell) => Float32Array.from({ length: n * d }, (_, i) => cell(Math.floor(i / d), i % d));
const wave = (p, cosine, exponent) => (cosine ? Math.cos : Math.sin)(p / 10000 ** exponent);

test("order-blindness of a fresh and of given weights", () => {
  const blind = core.permutation_error(config({ positions: "none", causal: false }), fresh, [0, 1, 2, 3], [3, 1, 0, 2]);
  assert.deepEqual(blind.map((s) => s.name), ["input", "h.0.attn", "h.0", "h.1.attn", "h.1", "logits"]);
  for (const stage of blind) {
    assert.ok(stage.relative < 1e-5, `${stage.name} ${stage.relative}`);
    assert.equal(stage.distances.length, 4);
  }
  const rope = core.permutation_error(config({ positions: "rope", causal: false }), fresh, [0, 1, 2, 3], [3, 1, 0, 2]);
  assert.ok(rope[1].relative > 1e-4);

  const { tied } = core.parameter_counts(config({ positions: "none" }));
  const still = core.permutation_error(config({ positions: "none" }), new Float32Array(tied), [0, 1], [1, 0]);
  assert.equal(still.at(-1).largest, 0);
  assert.match(
    refusal(() => core.permutation_error(config(), new Float32Array(3), [0, 1], [1, 0])),
    /^weights has 3 numbers; a model of this config has \d+\.$/,
  );
  assert.equal(
    refusal(() => core.permutation_error(config(), fresh, [0, 1.5], [1, 0])),
    "token id is 1.5; it must be a whole number from 0 to 4.",
  );
});

test("where order-blindness ends, and how often waves go round", () => {
  const layers = core.order_blindness(config({ positions: "none" }), fresh, [0, 1, 2, 3], [2, 1, 0, 3]);
  assert.deepEqual(layers.map((layer) => layer.moves_along.claim), ["h.0.moves_along", "h.1.moves_along"]);
  assert.deepEqual(layers.map((layer) => layer.last_kept.holds), [true, false]);
  for (const { moves_along, shares } of layers) assert.equal(Math.max(...shares), moves_along.largest);
  assert.equal(
    refusal(() => core.order_blindness(config(), fresh, [0, 1], [0, 2])),
    "a place of order is 2; it must be a whole number from 0 to 1.",
  );
  const turns = core.turns(core.wavelengths(8, 10000)[1], 8, 10000);
  assert.equal(turns.length, 4);
  assert.equal(turns[1], 1);
});

test("input rows and nearest rows", () => {
  const rows = core.input_rows(config({ positions: "learned" }), fresh, [4, 4, 2]);
  assert.deepEqual(rows.sum.shape, [3, 8]);
  assert.equal(rows.sum.data[3], Math.fround(rows.token.data[3] + rows.position.data[3]));
  assert.equal(rows.token_norms[0], rows.token_norms[1]);
  assert.deepEqual(core.nearest_rows(new Float32Array([1, 0, 0, 1, 2, 0]), 3, 2, 0, 5), [
    { row: 2, cosine: 1 },
    { row: 1, cosine: 0 },
  ]);
});

test("proofs hold", () => {
  const q = new Float32Array([1, 2, 3, 4]);
  const k = new Float32Array([4, -1, 0.5, 2]);
  const proofs = [
    core.sinusoidal_diagonals(40, 16, 10000),
    core.sinusoidal_shift(40, 16, 5, 10000),
    core.rope_distance(q, k, 32, "half", 10000),
    core.rope_norm(q, 32, "adjacent", 10000),
    core.rope_pairings(q, 32, 10000),
    ...core.rope_proofs(8, 4, 1, 10000),
    ...core.alibi_proofs(4, 16),
  ];
  for (const proof of proofs) assert.ok(proof.holds && proof.cases > 0, JSON.stringify(proof));
  assert.equal(core.sinusoidal_diagonals(40, 5, 10000).holds, false);
  const shares = core.rope_contributions(q, k, 5, 2, "half", 10000);
  const score = core.rope_score(q, k, 5, 2, "half", 10000);
  assert.ok(Math.abs(shares.reduce((a, b) => a + b) - score) < 1e-5);
  assert.deepEqual(core.alibi_bias(2, 3).shape, [2, 3, 3]);
  assert.deepEqual(core.shift_matrix(1, 4, 10000).shape, [4, 4]);

  const yarn = core.rope_frequencies(64, 10000, { stretch: "yarn", factor: 4, trained_length: 64, length: 64 });
  assert.equal(yarn.frequencies.length, 32);
  assert.equal(yarn.attention_factor.toFixed(6), "1.138629");
  assert.match(
    refusal(() => core.rope_frequencies(64, 10000, { stretch: "x", factor: 4, trained_length: 64, length: 64 })),
    /^stretch is "x"; it must be one of none, linear,/,
  );

  const counts = core.parameter_counts(config({ vocab_size: 65, block_size: 32, n_embd: 32, positions: "learned" }));
  assert.deepEqual([counts.tied, counts.untied], [28576, 30656]);
  assert.ok(counts.tied_proof.holds && counts.untied_proof.holds);

  const { steps, order } = core.equivariance(4, 3, 7);
  assert.equal(order.length, 4);
  assert.deepEqual(steps.map((s) => s.name), ["queries", "keys", "values", "scores", "softmax", "output", "mlp"]);
  assert.ok(steps.every((s) => s.holds && s.left.data.length === s.right.data.length));
});

test("token ids, and rows that moved", () => {
  assert.deepEqual(core.tokenize("cab", "abc☃ca☃"), { ids: [0, 1, 2, 2, 0], skipped: "☃" });
  const before = new Float32Array([1, 2, 3, 4]);
  assert.deepEqual(core.row_distances(before, new Float32Array([1, 2, 6, 8]), 2, 2), Float64Array.of(0, 5));
  const short = core.train_on_short_texts("the dog bites the man. ".repeat(20), config({ vocab_size: 0 }), 3, 2);
  assert.deepEqual(short.table.shape, [8, 8]);
  assert.deepEqual([...short.distance.map(Math.sign)], [1, 1, 1, 0, 0, 0, 0, 0]);
});

test("files and pasted text", () => {
  const data = new Float32Array([1, 2, 3, 4, 5, 6]);
  const back = core.read_npy(core.write_npy([2, 3], data));
  assert.deepEqual(back, { dtype: "<f4", fortran_order: false, shape: [2, 3], data });
  const written = core.write_npy([2, 3], data);
  const start = core.npy_header(written.subarray(0, written.length - 24), written.length);
  assert.deepEqual(start, { dtype: "<f4", fortran_order: false, shape: [2, 3], begin: written.length - 24, end: written.length });
  assert.match(refusal(() => core.npy_header(written, written.length - 1)), /24 bytes of data and 23 are there/);
  assert.match(refusal(() => core.read_npy(new Uint8Array(20))), /^This is not a \.npy file/);

  const header = new TextEncoder().encode('{"wpe.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}');
  const file = new Uint8Array(8 + header.length + 24);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  file.set(new Uint8Array(data.buffer), 8 + header.length);
  const prefix = core.safetensors_prefix(file.subarray(0, 8));
  assert.equal(prefix, 8 + header.length);
  const [entry] = core.safetensors_entries(file.subarray(0, prefix), file.length);
  assert.deepEqual(entry, { name: "wpe.weight", dtype: "F32", shape: [2, 3], begin: prefix, end: file.length });
  assert.deepEqual(core.safetensors_decode(entry.dtype, file.subarray(entry.begin, entry.end)), data);

  assert.deepEqual(core.parse_matrix("array([[1., 2., 3.],\n [4., 5., 6.]])"), { shape: [2, 3], data });
  assert.match(refusal(() => core.parse_matrix("1 2\n3 ü")), /^Row 1, column 1 \(counted from 0\) is "ü"/);
});

test("graders and variants", () => {
  const right = table(30, 16, (p, c) => wave(p, c % 2 === 1, (2 * Math.floor(c / 2)) / 16));
  assert.equal(core.grade_sinusoidal(right, 30, 16, 10000).verdict, "correct");
  const own = table(30, 16, (p, c) => wave(p, c % 2 === 1, c / 16));
  const grade = core.grade_sinusoidal(own, 30, 16, 10000);
  assert.deepEqual([grade.verdict, grade.mistakes.map((m) => m.name)], ["mistaken", ["cosine_exponent"]]);
  assert.deepEqual([grade.row, grade.column], [1, 1]);

  const inputs = table(6, 4, (p, c) => p + c * 0.5 - 1);
  const turned = Float32Array.from({ length: 6 }, (_, p) => p).reduce(
    (all, p) => [...all, ...core.rope(inputs.subarray(4 * p, 4 * p + 4), p, "adjacent", 10000)],
    [],
  );
  const task = { pairing: "half", role: "query", base: 10000, first: 0 };
  const other = core.grade_rope(inputs, new Float32Array(turned), 6, 4, task);
  assert.deepEqual([other.verdict, other.mistakes.map((m) => m.name)], ["harmless", ["pairing_other"]]);

  const names = core.mistakes().map((m) => m.name);
  assert.ok(names.includes("cosine_exponent"));
  const faulty = core.bug_names().filter((name) => core.run_bug(name, 0).faulty);
  assert.equal(core.bug_names().length - faulty.length, 2);
});

test("along a window of a text", () => {
  const text = "abcde".repeat(200);
  const rope = core.loss_by_position(text, config({ positions: "rope" }), fresh, 2, 3);
  assert.deepEqual([rope.trained_length, rope.loss.length, rope.mean.length], [8, 16, 2]);
  assert.match(
    refusal(() => core.loss_by_position(text, config({ positions: "learned" }), fresh, 2, 3)),
    /^Position 15 was asked for; a learned table with block_size 8 ends at position 7\.$/,
  );
  const attention = core.attention_by_offset(text, config({ positions: "alibi" }), fresh, 4);
  assert.deepEqual([attention.first, attention.weight.shape], [0, [2, 2, 8]]);
  const readout = core.position_readout(text, config({ positions: "learned" }), fresh, 10);
  assert.deepEqual(readout.map((r) => r.name), ["input", "h.0", "h.1"]);
  assert.ok(readout[0].r2 > 0.5);
});
