// The package's public face: a small GPT that trains where you call it, and the position formulae as plain functions.
// Everything is computed by the core; this file only checks the types of what it is given and keeps time.

import { expect, expectOptions, floats, given, shown, type Shape } from "./arguments.js";
import { call, loadModule, type LoadOptions } from "./module.js";
import { nextTask } from "./tasks.js";
import type {
  Baselines,
  Encoded,
  Generated,
  GptConfig,
  Matrix,
  Parameter,
  Positions,
  RopePairing,
  Session,
  SinusoidalLayout,
  Split,
  TextStats,
  TextTensor,
  TrainConfig,
} from "./types.js";

export interface GptOptions extends Partial<Omit<GptConfig, "positions" | "rope_pairing">> {
  /** What the model learns from; its characters are the vocabulary. */
  text: string;
  positions?: Positions;
  rope_pairing?: RopePairing;
}

export interface TrainOptions extends Partial<TrainConfig> {
  /** Called after every step. */
  onStep?: (step: StepReport) => void;
  /** Stops the training before its last step when aborted. */
  signal?: AbortSignal;
}

export interface StepReport {
  step: number;
  loss: number;
  gradNorm: number;
  learningRate: number;
  /** Training speed since the training began; callbacks count in. */
  tokensPerSecond: number;
}

const configShape: Shape = {
  text: "string",
  vocab_size: "integer",
  block_size: "integer",
  n_layer: "integer",
  n_head: "integer",
  n_embd: "integer",
  positions: "string",
  causal: "boolean",
  tie_weights: "boolean",
  embedding_scale: "number",
  sinusoidal_scale: "number",
  sinusoidal_base: "number",
  rope_base: "number",
  rope_pairing: "string",
  rotary_fraction: "number",
  seed: "integer",
};
const trainingShape: Shape = {
  steps: "integer",
  batch_size: "integer",
  learning_rate: "number",
  min_lr_ratio: "number",
  warmup_steps: "integer",
  weight_decay: "number",
  beta1: "number",
  beta2: "number",
  grad_clip: "number",
  onStep: "function",
  signal: "signal",
};
const generateShape: Shape = { temperature: "number", top_k: "integer", seed: "integer", use_cache: "boolean" };

export class GPT {
  #session: Session | undefined;
  #training = false;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Loads the module if need be, reads the text and draws the initial weights. */
  static async create(options: GptOptions, load?: LoadOptions): Promise<GPT> {
    expectOptions("GPT.create", options, configShape);
    expect("text", options.text, "string");
    await loadModule(load);
    const { text, ...rest } = options;
    const session = call((core) => new core.Session(text, { ...core.default_config(), ...given(rest) }));
    return new GPT(session);
  }

  #call<T>(work: (session: Session) => T): T {
    const session = this.#session;
    if (!session) throw new Error("This model was deleted; create a new one.");
    return call(() => work(session));
  }

  get config(): GptConfig {
    return this.#call((session) => session.config());
  }

  /** How many numbers training adjusts. */
  get numParameters(): number {
    return this.#call((session) => session.num_parameters());
  }

  /** One string for each token id. */
  get vocabulary(): string[] {
    return this.#call((session) => session.vocabulary());
  }

  /**
   * Trains with a fresh optimizer and schedule; the weights go on from where they are. Throws while another training of
   * this model is under way.
   */
  async train(options: TrainOptions = {}): Promise<{ steps: number; loss: number }> {
    expectOptions("train", options, trainingShape);
    if (this.#training) throw new Error("This model is being trained; wait for the end of that, or abort its signal.");
    const { onStep, signal, ...rest } = options;
    const training = call((core) => ({ ...core.default_training(), ...given(rest) }));
    this.#call((session) => session.begin_training(training));
    this.#training = true;
    try {
      return await this.#steps(training.steps, onStep, signal);
    } finally {
      this.#training = false;
    }
  }

  async #steps(
    steps: number,
    onStep: TrainOptions["onStep"],
    signal: AbortSignal | undefined,
  ): Promise<{ steps: number; loss: number }> {
    const began = performance.now();
    let sliceEnd = began + 20;
    let tokens = 0;
    let last = { steps: 0, loss: Number.NaN };
    for (let i = 0; i < steps && !signal?.aborted; ++i) {
      const metrics = this.#call((session) => session.step());
      tokens += metrics.tokens;
      last = { steps: metrics.step, loss: metrics.loss };
      const now = performance.now();
      onStep?.({
        step: metrics.step,
        loss: metrics.loss,
        gradNorm: metrics.grad_norm,
        learningRate: metrics.learning_rate,
        tokensPerSecond: (1000 * tokens) / Math.max(now - began, 1e-3),
      });
      if (now > sliceEnd) {
        await nextTask();
        sliceEnd = performance.now() + 20;
      }
    }
    return last;
  }

  /** Mean loss in nats per token over a split, the whole of it unless `max_batches` says less. */
  estimateLoss(split: Split = "val", options: { max_batches?: number } = {}): number {
    expect("split", split, "string");
    expectOptions("estimateLoss", options, { max_batches: "integer" });
    return this.#call((session) => session.evaluate(split, options.max_batches ?? 0));
  }

  /** Losses of three guessers that know no context, one, or one token of it. */
  baselines(): Baselines {
    return this.#call((session) => session.baselines());
  }

  /** The new text only; characters of the prompt that the model does not know are left out. */
  generate(prompt: string, tokens: number, options: GenerateSettings = {}): string {
    return this.generateDetailed(prompt, tokens, options).text;
  }

  /** As `generate`, with the unknown characters of the prompt. */
  generateDetailed(prompt: string, tokens: number, options: GenerateSettings = {}): Generated {
    expect("prompt", prompt, "string");
    expect("tokens", tokens, "integer");
    expectOptions("generate", options, generateShape);
    const settings = call((core) => ({ ...core.default_generation(), ...given(options) }));
    return this.#call((session) => session.generate(prompt, tokens, settings));
  }

  /** Token ids of a text; characters the model does not know are left out. */
  encode(text: string): number[] {
    return Array.from(this.encodeDetailed(text).ids);
  }

  /** As `encode`, with the unknown characters. */
  encodeDetailed(text: string): Encoded {
    expect("text", text, "string");
    return this.#call((session) => session.encode(text));
  }

  decode(ids: ArrayLike<number>): string {
    if (!(Array.isArray(ids) || ArrayBuffer.isView(ids))) {
      throw new Error(`ids is ${shown(ids)}; it must be a list of token ids.`);
    }
    const list = Array.from(ids);
    list.forEach((id, i) => expect(`ids[${i}]`, id, "integer"));
    return this.#call((session) => session.decode(list));
  }

  /** Attention weights, shape [layer, head, T, T]: row i says how much token i looks at each token. */
  attention(text: string): TextTensor {
    expect("text", text, "string");
    return this.#call((session) => session.attention(text));
  }

  /** Scores of the next token after every token of the text, shape [T, V]. */
  logits(text: string): TextTensor {
    expect("text", text, "string");
    return this.#call((session) => session.logits(text));
  }

  /** Copies of all weights. */
  parameters(): Parameter[] {
    return this.#call((session) => session.parameters());
  }

  /** A copy of one weight by its name. */
  parameter(name: string): Parameter {
    expect("name", name, "string");
    return this.#call((session) => session.parameter(name));
  }

  /** The rows the scheme adds to the token rows, or undefined when it adds none. */
  positionTable(): Matrix | undefined {
    return this.#call((session) => session.position_table());
  }

  /** Words of a text, and how many of them occur in the corpus. */
  textStats(text: string): TextStats {
    expect("text", text, "string");
    return this.#call((session) => session.text_stats(text));
  }

  /** A fingerprint of all weights, the same on every machine for the same training. */
  weightsHash(): string {
    return this.#call((session) => session.weights_hash());
  }

  /** Back to the seed's initial weights. */
  reset(): void {
    this.#call((session) => session.reset());
  }

  /** Frees the model's memory; WebAssembly has no garbage collector. */
  delete(): void {
    this.#session?.delete();
    this.#session = undefined;
  }

  [Symbol.dispose](): void {
    this.delete();
  }
}

export interface GenerateSettings {
  temperature?: number;
  /** 0 = all tokens. */
  top_k?: number;
  seed?: number;
  use_cache?: boolean;
}

export interface SinusoidalOptions {
  base?: number;
  layout?: SinusoidalLayout;
  /** The position of the first row. */
  first?: number;
}

/** The sinusoidal table of n positions and width d, shape [n, d]. */
export function sinusoidal(n: number, d: number, options: SinusoidalOptions = {}): Matrix {
  expect("n", n, "integer");
  expect("d", d, "integer");
  expectOptions("sinusoidal", options, { base: "number", layout: "string", first: "integer" });
  const { base = 10000, layout = "interleaved", first = 0 } = options;
  return call((core) => core.sinusoidal(n, d, base, layout, first));
}

/** One head's query or key, turned as RoPE turns it at a position. */
export function rope(
  x: ArrayLike<number>,
  position: number,
  options: { pairing?: RopePairing; base?: number } = {},
): Float32Array {
  const data = floats("x", x);
  expect("position", position, "number");
  expectOptions("rope", options, { pairing: "string", base: "number" });
  const { pairing = "half", base = 10000 } = options;
  return call((core) => core.rope(data, position, pairing, base));
}

/** The slope of each head's distance penalty. */
export function alibiSlopes(n_head: number): Float32Array {
  expect("n_head", n_head, "integer");
  return call((core) => core.alibi_slopes(n_head));
}
