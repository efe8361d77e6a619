// The package `position-lab`. Importing it loads the wasm module, so that every function works at once.

import { loadModule } from "./module.js";

await loadModule();

export { GPT, alibiSlopes, rope, sinusoidal } from "./gpt.js";
export type { GenerateSettings, GptOptions, SinusoidalOptions, StepReport, TrainOptions } from "./gpt.js";
export type * from "./types.js";
