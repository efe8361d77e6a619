// The same trainings in the reproducible module and in turbo, for any browser: needs the folder with both modules' files.

/** Resolves to the losses of every step by scheme, and to what the module calls its vectors. */
async function train(address, schemes, steps) {
  const { default: create } = await import(address);
  const core = await create();
  const text = Array.from({ length: 400 }, (_, i) => "the quick brown fox ".charAt((i * i + (i >> 3)) % 20)).join("").repeat(5);
  const losses = {};
  for (const positions of schemes) {
    const shape = { n_layer: 2, n_head: 4, n_embd: 32, block_size: 32, positions, seed: 1 };
    const session = new core.Session(text, { ...core.default_config(), ...shape });
    session.begin_training({ ...core.default_training(), steps, batch_size: 8, learning_rate: 3e-3, warmup_steps: 5 });
    losses[positions] = Array.from({ length: steps }, () => session.step().loss);
    session.delete();
  }
  return { backend: core.simd_backend(), losses };
}

/** `folder`: the address that poslab.{mjs,wasm} and poslab_turbo.{mjs,wasm} lie under, ending in a slash. */
export async function turboAgainstReproducible(folder, schemes, steps) {
  return {
    reproducible: await train(`${folder}poslab.mjs`, schemes, steps),
    turbo: await train(`${folder}poslab_turbo.mjs`, schemes, steps),
  };
}
