// The same trainings in the reproducible module and in turbo, for any browser, and what a test may expect of them.

const steps = 50;

/**
 * How far apart the losses of a step, counted from 0, may be. Turbo rounds once where the other module rounds twice, so
 * both begin with the same seven digits; every update carries the difference on.
 * @param {number} step
 */
const tolerance = (step) => 2e-7 * (step + 1);

/**
 * The losses of every step by scheme, and what the module calls its vectors.
 * @typedef {{ backend: string, losses: Record<string, number[]> }} Training
 * @typedef {{ reproducible: Training, turbo: Training }} Trainings
 */

/**
 * @param {string} address
 * @param {string[]} schemes
 * @returns {Promise<Training>}
 */
async function train(address, schemes) {
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

/**
 * `folder`: the address that poslab.{mjs,wasm} and poslab_turbo.{mjs,wasm} lie under, ending in a slash.
 * @param {string} folder
 * @param {string[]} schemes
 * @returns {Promise<Trainings>}
 */
export async function turboAgainstReproducible(folder, schemes) {
  return {
    reproducible: await train(`${folder}poslab.mjs`, schemes),
    turbo: await train(`${folder}poslab_turbo.mjs`, schemes),
  };
}

/**
 * What is wrong with trainings of these schemes, in sentences: nothing where turbo differs in last digits only.
 * @param {Trainings} trainings
 * @param {string[]} schemes
 * @returns {string[]}
 */
export function faultsOf({ reproducible, turbo }, schemes) {
  const faults = [];
  const backends = `${reproducible.backend} and ${turbo.backend}`;
  if (backends !== "wasm-simd128 and wasm-relaxed-simd") faults.push(`The modules compute with ${backends}.`);
  for (const scheme of schemes) {
    const [usual = [], fast = []] = [reproducible.losses[scheme], turbo.losses[scheme]];
    if (usual.length !== steps || fast.length !== steps) {
      faults.push(`${scheme}: ${usual.length} and ${fast.length} losses instead of ${steps}.`);
    }
    const [first, last] = [usual[0], usual[steps - 1]];
    if (!(last < first - 0.1)) faults.push(`${scheme}: from a loss of ${first} to ${last} nothing is learned.`);
    for (const [step, loss] of usual.entries()) {
      // This way round, because a loss that is no number is near nothing.
      if (!(Math.abs(fast[step] - loss) <= tolerance(step))) {
        faults.push(`${scheme}, step ${step + 1}: ${fast[step]} in turbo is too far from ${loss}.`);
      }
    }
  }
  return faults;
}
