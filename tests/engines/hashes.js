// Trains the model of the fixture with every position scheme, its steps whole and shared by one to four workers, and
// reports the hashes of the weights.
import createPoslab from "/module/poslab.mjs";
import { report } from "./report.js";

/** The nodes of the sum (0 + 1) + (2 + 3) that each of so many workers computes; the first is this page. */
const layouts = { 1: [[0, 4]], 2: [[0, 2], [2, 2]], 3: [[0, 2], [2, 1], [3, 1]], 4: [[0, 1], [1, 1], [2, 1], [3, 1]] };

const helpers = [1, 2, 3].map(() => new Worker("shard_worker.js", { type: "module" }));

function ask(helper, message, transfer = []) {
  return new Promise((done, fail) => {
    helper.onmessage = ({ data }) => done(data);
    helper.onerror = (event) => fail(new Error(`A worker failed: ${event.message}`));
    helper.postMessage(message, transfer);
  });
}

async function shareStep(session, { batch_size }, [own, ...others]) {
  session.draw();
  const idsLength = 2 * batch_size * session.config().block_size;
  const replies = others.map(([first, count], i) => {
    const numbers = new Float32Array(session.num_parameters());
    const ids = new Int32Array(idsLength);
    session.hand_out(numbers, ids);
    return ask(helpers[i], { numbers, ids, first, count }, [numbers.buffer, ids.buffer]);
  });
  session.compute_shards(...own);
  for (const [i, reply] of replies.entries()) {
    const { numbers, losses } = await reply;
    session.accept_shards(...others[i], numbers, losses);
  }
  session.update();
}

async function hashOf(core, { text, model, training }, positions, layout) {
  const session = new core.Session(text, { ...core.default_config(), ...model, positions });
  const plan = { ...core.default_training(), ...training };
  session.begin_training(plan);
  if (layout) await Promise.all(helpers.map((helper) => ask(helper, { config: session.config() })));
  for (let step = 0; step < plan.steps; ++step) {
    if (layout) await shareStep(session, plan, layout);
    else session.step();
  }
  const hash = session.weights_hash();
  session.delete();
  return hash;
}

report(async () => {
  const table = await (await fetch("/table")).json();
  const core = await createPoslab();
  const hashes = {};
  for (const { name } of core.position_schemes()) {
    hashes[name] = { whole: await hashOf(core, table, name) };
    for (const [workers, layout] of Object.entries(layouts)) {
      hashes[name][workers] = await hashOf(core, table, name, layout);
    }
  }
  return hashes;
});
