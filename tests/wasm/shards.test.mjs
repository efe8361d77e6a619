// One training step shared by several threads, each with a module of its own: gradients travel as transferred
// ArrayBuffers, and the weights come out the same to the last bit however many threads took part.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import createPoslab from "../../build/wasm/poslab.mjs";

const text = "Round the rugged rock the ragged rascal ran; so did the rest.\n".repeat(30);
const shape = { n_layer: 2, n_head: 2, n_embd: 24, block_size: 16, positions: "learned", seed: 5 };
const steps = 12;
const batch_size = 10;
const idsLength = 2 * batch_size * shape.block_size;

/** The nodes of the sum (0 + 1) + (2 + 3) that each of `count` workers computes. */
const shares = { 1: [[0, 4]], 2: [[0, 2], [2, 2]], 3: [[0, 2], [2, 1], [3, 1]], 4: [[0, 1], [1, 1], [2, 1], [3, 1]] };

async function help() {
  const core = await createPoslab();
  const helper = new core.ShardHelper(workerData);
  parentPort.on("message", ({ numbers, ids, first, count }) => {
    const losses = helper.compute(numbers, ids, first, count);
    parentPort.postMessage({ numbers, ids, losses }, [numbers.buffer, ids.buffer]);
  });
}

async function train(workers) {
  const core = await createPoslab();
  const session = new core.Session(text, { ...core.default_config(), ...shape });
  session.begin_training({ ...core.default_training(), steps, batch_size });
  const [own, ...others] = shares[workers];
  const helpers = others.map((share) => ({
    share,
    worker: new Worker(new URL(import.meta.url), { workerData: session.config() }),
    numbers: new Float32Array(session.num_parameters()),
    ids: new Int32Array(idsLength),
  }));
  try {
    for (let step = 0; step < steps; ++step) {
      session.draw();
      const replies = helpers.map(({ share: [first, count], worker, numbers, ids }) => {
        session.hand_out(numbers, ids);
        worker.postMessage({ numbers, ids, first, count }, [numbers.buffer, ids.buffer]);
        return once(worker, "message");
      });
      session.compute_shards(...own);
      for (const [i, helper] of helpers.entries()) {
        const [{ losses, ...buffers }] = await replies[i];
        session.accept_shards(...helper.share, buffers.numbers, losses);
        Object.assign(helper, buffers);
      }
      assert.equal(session.update().step, step + 1);
    }
    return session.weights_hash();
  } finally {
    await Promise.all(helpers.map(({ worker }) => worker.terminate()));
    session.delete();
  }
}

if (isMainThread) {
  test("1, 2, 3 and 4 threads that share every step reach the same bits as undivided steps", async () => {
    const core = await createPoslab();
    const session = new core.Session(text, { ...core.default_config(), ...shape });
    session.begin_training({ ...core.default_training(), steps, batch_size });
    for (let step = 0; step < steps; ++step) session.step();
    const alone = session.weights_hash();
    session.delete();
    for (const workers of [1, 2, 3, 4]) assert.equal(await train(workers), alone, `${workers} workers`);
  });

  test("buffers of the wrong length and ids that no character has are refused, and the step can go on", async () => {
    const core = await createPoslab();
    const refusal = (work) => {
      try {
        work();
      } catch (thrown) {
        return core.getExceptionMessage(thrown)[1];
      }
      return "nothing refused";
    };
    const session = new core.Session(text, { ...core.default_config(), ...shape });
    const n = session.num_parameters();
    session.begin_training({ ...core.default_training(), steps, batch_size });
    const ids = new Int32Array(idsLength);
    const numbers = new Float32Array(n);
    session.draw();
    session.hand_out(numbers, ids);
    const short = numbers.slice(1);
    assert.match(refusal(() => session.hand_out(numbers, ids.slice(1))), /ids has 319 numbers; it must have 320/);
    assert.match(refusal(() => session.hand_out(short, ids)), new RegExp(`numbers has ${n - 1} numbers; it must have ${n}`));
    assert.match(refusal(() => session.accept_shards(2, 2, short, [1, 1])), new RegExp(`gradient has ${n - 1} numbers`));
    assert.match(refusal(() => session.accept_shards(2, 2, numbers, [1])), /1 losses came for 2 shards/);
    const helper = new core.ShardHelper(session.config());
    assert.match(refusal(() => helper.compute(short, ids, 2, 2)), new RegExp(`numbers has ${n - 1} numbers`));
    assert.match(refusal(() => helper.compute(numbers, ids.slice(1), 2, 2)), /ids has 319 numbers; .* windows of 16 tokens/);
    assert.match(refusal(() => helper.compute(numbers, ids.map((id) => -id), 2, 2)), /token id is -\d+/);
    const losses = helper.compute(numbers, ids, 2, 2);
    session.compute_shards(0, 2);
    session.accept_shards(2, 2, numbers, losses);
    assert.equal(session.update().step, 1);
    helper.delete();
    session.delete();
  });
} else {
  await help();
}
