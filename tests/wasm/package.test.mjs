// The package as a program in Node uses it: the functions and the GPT of the README, and how they refuse.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { GPT, alibiSlopes, rope, sinusoidal } from "position-lab";

const text = "The sea was calm. The ship went on.\nWho saw the whale first?\n".repeat(40);
const small = { text, n_layer: 2, n_head: 2, n_embd: 16, block_size: 16, seed: 3 };
const schemes = ["none", "learned", "sinusoidal", "rope", "alibi"];

function near(actual, expected, tolerance = 1e-6) {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) <= tolerance, `element ${i} is ${actual[i]}, expected ${value}`);
  });
}

async function withModel(options, use) {
  const model = await GPT.create({ ...small, ...options });
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

test("the position formulae give the worked values", () => {
  const waves = sinusoidal(100, 64);
  assert.deepEqual(waves.shape, [100, 64]);
  assert.equal(waves.data.length, 6400);
  near(sinusoidal(2, 8).data.slice(8), [0.841471, 0.540302, 0.099833, 0.995004, 0.01, 0.99995, 0.001, 1]);
  near(sinusoidal(2, 5).data.slice(5), [0.841471, 0.540302, 0.025116, 0.999685, 0.000631]);
  near(rope([1, 2, 3, 4], 1, { pairing: "half", base: 10000 }), [-1.984111, 1.959901, 2.462378, 4.0198]);
  near(rope([1, 2, 3, 4], 1, { pairing: "adjacent" }), [-1.14264, 1.922076, 2.959851, 4.0298]);
  near(alibiSlopes(6), [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]);
});

for (const positions of schemes) {
  test(`a GPT with positions "${positions}" learns, reports every step and can be asked`, async () => {
    await withModel({ positions }, async (model) => {
      const before = model.estimateLoss("val");
      const reports = [];
      await model.train({ steps: 60, batch_size: 8, learning_rate: 1e-2, warmup_steps: 5, onStep: (m) => reports.push(m) });
      assert.deepEqual(
        reports.map((m) => m.step),
        Array.from({ length: 60 }, (_, i) => i + 1),
      );
      assert.ok(reports.every((m) => m.loss > 0 && m.gradNorm > 0 && m.tokensPerSecond > 0));
      const after = model.estimateLoss("val");
      assert.ok(Math.abs(before - Math.log(model.config.vocab_size)) < 0.1, `loss before training is ${before}`);
      assert.ok(after < before - 0.5, `validation loss went from ${before} to ${after}`);

      const sample = model.generate("The ", 50, { temperature: 0.8, top_k: 5, seed: 1 });
      assert.equal([...sample].length, 50);
      assert.equal(model.generate("The ", 50, { temperature: 0.8, top_k: 5, seed: 1 }), sample);
      assert.equal(model.generate("The ", 50, { temperature: 0.8, top_k: 5, seed: 1, use_cache: false }), sample);

      const { shape, data } = model.attention("The whale");
      assert.deepEqual(shape, [2, 2, 9, 9]);
      for (let row = 0; row < data.length; row += 9) {
        const sum = data.slice(row, row + 9).reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(sum - 1) < 1e-5, `attention row ${row / 9} sums to ${sum}`);
      }
    });
  });
}

test("encode and decode are inverses, and unknown characters are reported", async () => {
  await withModel({}, (model) => {
    const ids = model.encode("The sea");
    assert.equal(ids.length, 7);
    assert.equal(model.decode(ids), "The sea");
    const { ids: known, skipped } = model.encodeDetailed("The ☃ 𝄞 sea\ud800");
    assert.equal(model.decode(known), "The   sea");
    assert.deepEqual(skipped, ["☃", "𝄞", "\ufffd"]);
    assert.deepEqual(model.generateDetailed("☃", 3).skipped, ["☃"]);
  });
});

test("parameters are named, shaped copies and count up to what the model says", async () => {
  await withModel({ positions: "learned" }, async (model) => {
    const list = model.parameters();
    assert.equal(
      list.reduce((sum, { data }) => sum + data.length, 0),
      model.numParameters,
    );
    for (const { name, shape, data } of list) {
      assert.equal(data.length, shape.reduce((a, b) => a * b, 1), name);
    }
    const wpe = list.find(({ name }) => name === "wpe.weight");
    assert.deepEqual(wpe.shape, [16, 16]);
    wpe.data.fill(7);
    assert.notEqual(model.parameter("wpe.weight").data[0], 7);
    assert.deepEqual([...model.positionTable().data], [...model.parameter("wpe.weight").data]);
  });
  await withModel({ positions: "rope" }, (model) => assert.equal(model.positionTable(), undefined));
});

test("the same seed gives the same run, another seed another, and reset starts over", async () => {
  const run = (options) =>
    withModel(options, async (model) => {
      await model.train({ steps: 5, batch_size: 4 });
      const first = model.weightsHash();
      model.reset();
      await model.train({ steps: 5, batch_size: 4 });
      assert.equal(model.weightsHash(), first);
      return first;
    });
  assert.equal(await run({ seed: 3 }), await run({ seed: 3 }));
  assert.notEqual(await run({ seed: 3 }), await run({ seed: 4 }));
});

test("a training that diverges stops with a sentence and keeps finite weights", async () => {
  await withModel({}, async (model) => {
    await assert.rejects(
      model.train({ steps: 100, learning_rate: 1e6, grad_clip: 0, warmup_steps: 0 }),
      /step \d+ is not a finite number.*learning_rate below 1000000/s,
    );
    for (const { name, data } of model.parameters()) assert.ok(data.every(Number.isFinite), name);
    assert.ok(Number.isFinite(model.estimateLoss("val")));
  });
});

const refusals = [
  [{ positions: "rotary" }, /positions is "rotary"; it must be one of "none", "learned", "sinusoidal", "rope", "alibi"/],
  [{ n_head: 3 }, /n_embd is 16; it must be a multiple of n_head, which is 3/],
  [{ n_layer: 2.5 }, /n_layer is 2\.5; it must be a whole number/],
  [{ n_layer: 0 }, /n_layer is 0; it must be from 1 to/],
  [{ n_layer: "2" }, /n_layer is "2"; it must be a whole number/],
  [{ block_size: -1 }, /block_size is -1; it must be from 1 to/],
  [{ seed: -1 }, /seed is -1; it must be/],
  [{ text: 5 }, /text is 5; it must be a string/],
  [{ text: "too short" }, /9 characters; with block_size 16 it needs at least 170/],
  [{ rope_pairing: "both", positions: "rope" }, /rope_pairing is "both"; it must be "half" or "adjacent"/],
  [{ rotary_fraction: 0.3, positions: "rope" }, /rotary_fraction is 0\.3; of a head width of 8 that is 2\.4/],
  [{ n_embed: 16 }, /"n_embed".*n_embd/s],
];
for (const [options, sentence] of refusals) {
  test(`GPT.create refuses ${JSON.stringify(options)} by name, value and what is allowed`, async () => {
    await assert.rejects(GPT.create({ ...small, ...options }), { name: "Error", message: sentence });
  });
}

test("wrong arguments of every other call are refused by name, value and what is allowed", async () => {
  assert.throws(() => sinusoidal(65536, 4096), /not enough memory.*Choose a smaller n or d/);
  assert.throws(() => sinusoidal(0, 8), /n is 0; it must be a whole number from 1/);
  assert.throws(() => sinusoidal(4, 8, { base: 0.5 }), /base is 0\.5; it must be from 1/);
  assert.throws(() => sinusoidal(4, 8, { layout: "rows" }), /layout is "rows"; it must be "interleaved" or "concatenated"/);
  assert.throws(() => rope([1, 2, 3], 1), /x has 3 numbers.*even/);
  assert.throws(() => rope([1, 2], 1, { pairing: "both" }), /pairing is "both"/);
  assert.throws(() => rope([1, NaN], 1), /x\[1\] is NaN/);
  assert.throws(() => alibiSlopes(0), /n_head is 0; it must be a whole number from 1/);
  await withModel({}, async (model) => {
    await assert.rejects(model.train({ steps: 0 }), /steps is 0; it must be from 1/);
    await assert.rejects(model.train({ learning_rate: NaN }), /learning_rate is NaN/);
    await assert.rejects(model.train({ stepz: 5 }), /"stepz".*steps/s);
    await assert.rejects(model.train({ signal: 3 }), /signal is 3; it must be an AbortSignal/);
    await assert.rejects(model.train(null), /train takes an object of options, got null/);
    const under_way = model.train({ steps: 40 });
    await assert.rejects(model.train({ steps: 5 }), /being trained/);
    assert.equal((await under_way).steps, 40);
    assert.equal((await model.train({ steps: 5 })).steps, 5);
    assert.throws(() => model.estimateLoss("test"), /split is "test"; it must be "train" or "val"/);
    assert.throws(() => model.generate("The", -1), /n_tokens is -1|tokens is -1/);
    assert.throws(() => model.generate("The", 5, { temperature: -1 }), /temperature is -1; it must be from 0 to/);
    assert.throws(() => model.decode([0, 999]), /999; it must be/);
    assert.throws(() => model.attention("☃☃"), /no character that the model knows/);
    assert.throws(() => model.attention("The sea was calm. The"), /Position 20.*block_size 16.*ends at position 15/);
    assert.throws(() => model.parameter("wpe"), /no parameter "wpe".*wpe\.weight/);
  });
});

test("thousands of refusals leave the module as it was", async () => {
  await withModel({}, async (model) => {
    await model.train({ steps: 3, batch_size: 4 });
    // Each of them once used up the module's stack after at most 4,200 times.
    for (let i = 0; i < 5000; ++i) {
      assert.throws(() => alibiSlopes(0), /n_head is 0/);
      assert.throws(() => model.attention("☃☃"), /no character that the model knows/);
      assert.throws(() => model.estimateLoss("test"), /split is "test"/);
    }
    await model.train({ steps: 3, batch_size: 4 });
    await withModel({}, async (other) => {
      for (let i = 0; i < 2; ++i) await other.train({ steps: 3, batch_size: 4 });
      assert.equal(model.weightsHash(), other.weightsHash());
    });
  });
});

test("a model whose activations a module cannot count is refused for want of memory", async () => {
  // 4 windows × 64 heads × 4096 × 4096 attention weights are 2^32 numbers, which is 0 in 32 bits.
  const options = { text: text.repeat(20), positions: "none", block_size: 4096, n_layer: 1, n_head: 64, n_embd: 64 };
  await withModel(options, (model) => {
    assert.throws(() => model.estimateLoss("train", { max_batches: 1 }), /not enough memory/);
    assert.equal([...model.generate("The ", 5)].length, 5);
  });
});

test("a deleted model says so", async () => {
  const model = await GPT.create(small);
  model.delete();
  assert.throws(() => model.generate("a", 1), /deleted/);
});

test("the example trains both models and prints both losses and samples", async () => {
  const script = fileURLToPath(new URL("../examples/with_and_without_positions.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, "20"]);
  const losses = [...stdout.matchAll(/^(learned|none): validation loss (\d\.\d+)$/gm)];
  assert.deepEqual(losses.map((m) => m[1]), ["learned", "none"]);
  assert.ok(losses.every((m) => Number(m[2]) > 2 && Number(m[2]) < 4.5), stdout);
  assert.ok(stdout.length > 400);
});
