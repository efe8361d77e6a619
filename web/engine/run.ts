// The page's end of one training run in its own worker: its state, its curves, its samples, and the buttons' verbs.
// Panels read the fields and call the verbs; `subscribe` tells them when something changed.

import type {
  AnswerOf,
  AskOf,
  Created,
  FromWorker,
  Questions,
  Result,
  RunSettings,
} from "./protocol.js";
import type { Demand, HelperPool } from "./helper_pool.js";
import { WorkerHandle, type Host } from "./worker_handle.js";

/** What a reader sees of a run. `failed` says why in `error`; `dead` means that its worker is gone. */
export type RunState = "loading" | "ready" | "running" | "paused" | "evaluating" | "finished" | "failed" | "dead";

export interface RunHost extends Host {
  /** Lends the runs workers that the page can spare. */
  helpers: HelperPool;
}

export class Run {
  readonly settings: RunSettings;
  state: RunState = "loading";
  error: string | undefined;
  created: Created | undefined;
  step = 0;
  /** Training losses; the loss of step 1 is at index 0. */
  losses: number[] = [];
  val: { step: number; loss: number }[] = [];
  sample: { step: number; text: string } | undefined;
  result: Result | undefined;
  tokensPerSecond: number | undefined;
  secondsLeft: number | undefined;
  /** How many workers train it at present. */
  workers = 1;
  /** While evaluating: the part of the validation split that is measured, in [0, 1]. */
  measured = 0;

  readonly host: RunHost;
  readonly #listeners = new Set<(run: Run) => void>();
  #handle: WorkerHandle;
  #startWhenReady = false;
  /** Told to go on, which its worker has not reported yet: what it reported before that is no news. */
  #resumed = false;

  constructor(host: RunHost, settings: RunSettings) {
    this.host = host;
    this.settings = settings;
    this.#handle = this.#open();
    host.helpers.update(this);
  }

  get positions(): string {
    return this.settings.config.positions;
  }

  get steps(): number {
    return this.settings.training.steps;
  }

  /** True while buttons that move the training make sense. */
  get busy(): boolean {
    return this.state === "running" || this.state === "evaluating" || this.state === "loading";
  }

  /** True when it was measured before its last step. */
  get stoppedEarly(): boolean {
    return this.state === "finished" && this.step < this.steps;
  }

  get demand(): Demand {
    return { workers: this.settings.workers ?? "auto", busy: this.busy, training: this.state === "running" };
  }

  addHelper(id: number, port: MessagePort): void {
    this.#handle.post({ type: "add_helper", id, port }, [port]);
  }

  removeHelper(id: number): void {
    this.#handle.post({ type: "remove_helper", id });
  }

  subscribe(listener: (run: Run) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts or goes on; before the model exists, as soon as it does. */
  resume(): void {
    if (this.state === "loading") this.#startWhenReady = true;
    if (this.state !== "ready" && this.state !== "paused") return;
    this.#handle.post({ type: "resume" });
    this.#resumed = true;
    this.state = "running";
    this.#changed();
  }

  pause(): void {
    this.#startWhenReady = false;
    this.#resumed = false;
    this.#handle.post({ type: "pause" });
  }

  /** One step, then paused. */
  advance(): void {
    if (this.state === "failed") return;
    this.#handle.post({ type: "step" });
  }

  /** Ends the training early; the result is measured. */
  stop(): void {
    if (this.state === "failed") return;
    this.#resumed = false;
    this.#handle.post({ type: "stop" });
  }

  /** Back to the same start; a run whose worker is gone gets a new one. */
  reset(): void {
    if (this.#handle.alive && this.created) {
      this.#handle.post({ type: "reset" });
    } else {
      this.#handle.dispose();
      this.#clear();
      this.created = undefined;
      this.state = "loading";
      this.#handle = this.#open();
      this.#changed();
    }
  }

  /** Asks the model as the last whole step left it. */
  async ask<K extends keyof Questions>(
    ask: Extract<AskOf<Questions>, { question: K }>,
  ): Promise<AnswerOf<Questions, K>> {
    return (await this.#handle.ask((id) => ({ type: "ask", id, ask }))) as AnswerOf<Questions, K>;
  }

  dispose(): void {
    this.#handle.dispose();
    this.host.helpers.remove(this);
    this.#listeners.clear();
  }

  #open(): WorkerHandle {
    const handle = new WorkerHandle(
      this.host,
      (message) => this.#receive(message),
      (sentence) => {
        this.state = "dead";
        this.error = sentence;
        this.#idle();
        this.#changed();
      },
    );
    handle.post({ type: "create", settings: this.settings });
    return handle;
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "created":
        this.created = message.created;
        this.state = "ready";
        if (this.#startWhenReady) this.resume();
        this.#startWhenReady = false;
        break;
      case "progress":
        if (this.#resumed && (message.phase === "ready" || message.phase === "paused")) {
          this.state = "running";
        } else if (this.state !== "failed") {
          this.#resumed = false;
          this.state = message.phase;
        }
        this.step = message.step;
        for (let i = 0; i < message.losses.length; ++i) {
          this.losses[message.first - 1 + i] = message.losses[i] as number;
        }
        this.val.push(...message.val);
        this.tokensPerSecond = message.tokens_per_second;
        this.secondsLeft = message.seconds_left;
        this.workers = message.workers;
        this.measured = message.measured;
        break;
      case "sample":
        this.sample = { step: message.step, text: message.text };
        break;
      case "result":
        this.result = message.result;
        this.sample = { step: message.result.step, text: message.result.sample };
        break;
      case "reset_done":
        this.#clear();
        this.state = "ready";
        break;
      case "helper_lost":
        this.host.helpers.lost(message.id);
        return;
      case "failed":
        this.state = "failed";
        this.error = message.message;
        this.#idle();
        break;
      case "loaded":
      case "pong":
      case "answer":
      case "refused":
        return;
    }
    this.#changed();
  }

  #clear(): void {
    this.step = 0;
    this.losses = [];
    this.val = [];
    this.sample = undefined;
    this.result = undefined;
    this.error = undefined;
    this.#idle();
  }

  #idle(): void {
    this.#resumed = false;
    this.tokensPerSecond = undefined;
    this.secondsLeft = undefined;
  }

  #changed(): void {
    this.host.helpers.update(this);
    for (const listener of this.#listeners) listener(this);
  }
}
