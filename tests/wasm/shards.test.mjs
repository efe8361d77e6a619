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

/** The nodes of the sum (0 + 1) + (2 + 3) that each of `count` workers computes. */
const shares = { 1: [[0, 4]], 2: [[0, 2], [2, 2]], 3: [[0, 2], [2, 1], [3, 1]], 4: [[0, 1], [1, 1], [2, 1], [3, 1]] };

async function help() {
  const core = await createPoslab();
  const helper = new core.ShardHelper(workerData);
  parentPort.on("message", ({ weights, inputs, targets, first, count }) => {
    const shards = helper.gradient(weights, inputs, targets, first, count);
    parentPort.postMessage(shards, [shards.gradient.buffer, shards.losses.buffer]);
  });
}

async function train(workers) {
  const core = await createPoslab();
  const session = new core.Session(text, { ...core.default_config(), ...shape });
  session.begin_training({ ...core.default_training(), steps, batch_size: 10 });
  const helpers = shares[workers].slice(1).map(() => new Worker(new URL(import.meta.url), { workerData: session.config() }));
  try {
    for (let step = 0; step < steps; ++step) {
      const { inputs, targets } = session.draw();
      const [own, ...others] = shares[workers];
      const replies = others.map(([first, count], i) => {
        const weights = session.weights();
        helpers[i].postMessage({ weights, inputs, targets, first, count }, [weights.buffer]);
        return once(helpers[i], "message");
      });
      session.compute_shards(...own);
      for (const [i, reply] of replies.entries()) session.accept_shards(...others[i], (await reply)[0]);
      assert.equal(session.update().step, step + 1);
    }
    return session.weights_hash();
  } finally {
    await Promise.all(helpers.map((helper) => helper.terminate()));
    session.delete();
  }
}

if (isMainThread) {
  test("1, 2, 3 and 4 threads that share every step reach the same bits as undivided steps", async () => {
    const core = await createPoslab();
    const session = new core.Session(text, { ...core.default_config(), ...shape });
    session.begin_training({ ...core.default_training(), steps, batch_size: 10 });
    for (let step = 0; step < steps; ++step) session.step();
    const alone = session.weights_hash();
    session.delete();
    for (const workers of [1, 2, 3, 4]) assert.equal(await train(workers), alone, `${workers} workers`);
  });
} else {
  await help();
}
