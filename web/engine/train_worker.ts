// The training loop, inside a worker. It owns one Session, moves only when told, and gives way a dozen times a second so
// that "pause" gets in. Timers drive nothing, so a hidden tab trains as fast as a visible one. A step that helpers share
// waits for them; questions are answered meanwhile, and what moves the training comes after the step.

import { given } from "./arguments.js";
import { call } from "./module.js";
import { nextTask } from "./tasks.js";
import { Team } from "./team.js";
import type { Ask, Created, FromWorker, Phase, PositionTable, RunSettings, SamplePlan } from "./protocol.js";
import type { Session, TrainConfig } from "./types.js";

/** Giving way takes a fifth of a millisecond in Chromium; nobody notices that a pause comes so much later. */
const sliceMs = 80;
const reportMs = 300;
const speedWindowMs = 2000;

type Post = (message: FromWorker, transfer?: Transferable[]) => void;

export class Trainer {
  readonly #session: Session;
  readonly #training: TrainConfig;
  readonly #plan: SamplePlan;
  readonly #post: Post;
  readonly #team: Team;
  #phase: Phase = "ready";
  #step = 0;
  #busy = false;
  /** Whether a step is under way, and what was told until it is done. */
  #moving = false;
  #told: (() => void)[] = [];
  // What the next progress message will carry.
  #first = 1;
  #losses: number[] = [];
  #val: { step: number; loss: number }[] = [];
  #reportedAt = 0;
  /** Which final evaluation this is, and how far it has come. */
  #evaluation = 0;
  #measured = 0;
  // Speed: (time, tokens) marks of the last two seconds, and the time spent training in all.
  #marks: { time: number; tokens: number; step: number }[] = [];
  #tokens = 0;
  #spentMs = 0;

  constructor({ text, config, training, plan, workers = "auto" }: RunSettings, post: Post) {
    this.#post = post;
    this.#plan = plan;
    this.#session = call((core) => new core.Session(text, { ...core.default_config(), ...given(config) }));
    this.#training = call((core) => ({ ...core.default_training(), ...given(training) }));
    call(() => this.#session.begin_training(this.#training));
    const { block_size } = this.#session.config();
    this.#team = new Team(this.#session, 2 * this.#training.batch_size * block_size, workers !== "auto", (id) =>
      post({ type: "helper_lost", id }),
    );
  }

  describe(): Created {
    const session = this.#session;
    return call(() => ({
      config: session.config(),
      training: this.#training,
      parameters: session.num_parameters(),
      tokens: session.num_tokens(),
      vocabulary: session.vocabulary(),
      baselines: session.baselines(),
    }));
  }

  /** Measures the untrained model, so that the curves begin at the same point. */
  begin(): void {
    this.#validate();
    this.#sample();
    this.#report();
  }

  addHelper(id: number, port: MessagePort): void {
    this.#team.add(id, port);
  }

  removeHelper(id: number): void {
    this.#team.remove(id);
  }

  resume(): void {
    this.#betweenSteps(() => {
      if (this.#phase !== "ready" && this.#phase !== "paused") return;
      this.#phase = "running";
      this.#marks = [];
      this.#report();
      void this.#loop();
    });
  }

  pause(): void {
    this.#betweenSteps(() => {
      // After the last step there is nothing left to pause.
      if (this.#phase !== "running" || this.#atEnd) return;
      this.#phase = "paused";
      this.#report();
    });
  }

  step(): void {
    this.#betweenSteps(() => {
      if (this.#phase !== "ready" && this.#phase !== "paused") return;
      this.#phase = "paused";
      void this.#move().then(() => {
        if (this.#phase !== "paused") return;
        if (this.#atEnd) void this.#finish();
        else this.#report();
      });
    });
  }

  /** Ends the training here and measures what was reached. */
  stop(): void {
    this.#betweenSteps(() => {
      if (this.#phase === "running" || this.#phase === "paused") void this.#finish();
    });
  }

  /** Back to the seed's weights and step 0. */
  reset(): void {
    this.#betweenSteps(() => this.#startOver());
  }

  #startOver(): void {
    call(() => {
      this.#session.reset();
      this.#session.begin_training(this.#training);
    });
    this.#phase = "ready";
    this.#step = 0;
    this.#first = 1;
    this.#losses = [];
    this.#val = [];
    this.#marks = [];
    this.#tokens = 0;
    this.#spentMs = 0;
    this.#post({ type: "reset_done" });
    this.begin();
  }

  answer(ask: Ask): unknown {
    const session = this.#session;
    return call((core) => {
      switch (ask.question) {
        case "attention":
          return session.attention(ask.text);
        case "generate":
          return session.generate(ask.prompt, ask.tokens, {
            temperature: ask.temperature,
            top_k: ask.top_k,
            seed: ask.seed,
            use_cache: true,
          });
        case "evaluate":
          return session.evaluate(ask.split, ask.max_batches);
        case "position_table": {
          const table = session.position_table();
          if (!table) return undefined;
          const [rows = 0, cols = 0] = table.shape;
          const similarity = core.row_similarity(table.data, rows, cols).data;
          return { ...table, similarity, step: this.#step } satisfies PositionTable;
        }
        case "parameters":
          return session.parameters();
        case "weights_hash":
          return session.weights_hash();
      }
    });
  }

  get #atEnd(): boolean {
    return this.#step >= this.#training.steps;
  }

  async #loop(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#phase === "running") {
      if (this.#atEnd) {
        await this.#finish();
        continue;
      }
      const sliceEnd = performance.now() + sliceMs;
      do await this.#move();
      while (this.#phase === "running" && !this.#atEnd && performance.now() < sliceEnd);
      if (this.#phase === "running" && performance.now() - this.#reportedAt > reportMs) this.#report();
      await nextTask();
    }
    this.#busy = false;
  }

  #betweenSteps(work: () => void): void {
    const attempt = () => {
      try {
        work();
      } catch (error) {
        this.#fail(error);
      }
    };
    if (this.#moving) this.#told.push(attempt);
    else attempt();
  }

  /** One step, then what was told meanwhile. */
  async #move(): Promise<void> {
    this.#moving = true;
    await this.#advance().catch((error: unknown) => this.#fail(error));
    this.#moving = false;
    while (!this.#moving && this.#told.length > 0) this.#told.shift()?.();
  }

  async #advance(): Promise<void> {
    const began = performance.now();
    const metrics = await this.#team.step();
    const now = performance.now();
    this.#step = metrics.step;
    this.#losses.push(metrics.loss);
    this.#tokens += metrics.tokens;
    this.#spentMs += now - began;
    this.#marks.push({ time: now, tokens: this.#tokens, step: this.#step });
    if (this.#step % this.#plan.evaluate_every === 0) this.#validate();
    if (this.#step % this.#plan.sample_every === 0) {
      // First, or else the page would show a text of a step that it does not count yet.
      this.#report();
      this.#sample();
    }
  }

  #validate(): void {
    const loss = call(() => this.#session.evaluate("val", this.#plan.evaluate_batches));
    this.#val.push({ step: this.#step, loss });
  }

  #sample(): void {
    const { prompt, sample_tokens, temperature, top_k } = this.#plan;
    const options = { temperature, top_k, seed: 1, use_cache: true };
    const { text } = call(() => this.#session.generate(prompt, sample_tokens, options));
    this.#post({ type: "sample", step: this.#step, text });
  }

  async #finish(): Promise<void> {
    this.#phase = "evaluating";
    this.#measured = 0;
    this.#report();
    const evaluation = ++this.#evaluation;
    try {
      const session = this.#session;
      call(() => session.begin_evaluation("val"));
      let val_loss: number;
      do {
        await nextTask();
        if (this.#phase !== "evaluating" || this.#evaluation !== evaluation) return;
        val_loss = this.#evaluateSlice();
        if (performance.now() - this.#reportedAt > reportMs) this.#report();
      } while (this.#measured < 1);
      const { prompt, final_tokens, temperature, top_k } = this.#plan;
      const options = { temperature, top_k, seed: 1, use_cache: true };
      const result = call(() => {
        const sample = session.generate(prompt, final_tokens, options).text;
        const stats = session.text_stats(sample);
        return { step: this.#step, val_loss, sample, stats, seconds: this.#spentMs / 1000 };
      });
      this.#phase = "finished";
      this.#report();
      this.#post({ type: "result", result });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Goes on with the final evaluation for one slice. The loss so far. */
  #evaluateSlice(): number {
    const sliceEnd = performance.now() + sliceMs;
    return call(() => {
      for (;;) {
        const { part, loss } = this.#session.continue_evaluation();
        this.#measured = part;
        if (part === 1 || performance.now() >= sliceEnd) return loss;
      }
    });
  }

  #fail(error: unknown): void {
    this.#phase = "paused";
    this.#report();
    this.#post({ type: "failed", message: error instanceof Error ? error.message : String(error), step: this.#step });
  }

  #report(): void {
    const now = performance.now();
    this.#reportedAt = now;
    while (this.#marks.length > 2 && now - (this.#marks[0]?.time ?? now) > speedWindowMs) this.#marks.shift();
    const losses = Float32Array.from(this.#losses);
    const oldest = this.#marks[0];
    const newest = this.#marks.at(-1);
    let tokens_per_second: number | undefined;
    let seconds_left: number | undefined;
    if (this.#phase === "running" && oldest && newest && newest.time - oldest.time > 50) {
      const seconds = (newest.time - oldest.time) / 1000;
      tokens_per_second = (newest.tokens - oldest.tokens) / seconds;
      seconds_left = ((this.#training.steps - this.#step) * seconds) / (newest.step - oldest.step);
    }
    this.#post(
      {
        type: "progress",
        phase: this.#phase,
        step: this.#step,
        first: this.#first,
        losses,
        val: this.#val,
        tokens_per_second,
        seconds_left,
        workers: this.#team.workers,
        measured: this.#measured,
      },
      [losses.buffer],
    );
    this.#first = this.#step + 1;
    this.#losses = [];
    this.#val = [];
  }
}
