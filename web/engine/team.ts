// The leader's end of a run that several workers train: hands out shards of each step, computes its own, adds what comes
// back. Weights go to a helper and its gradient comes back in one buffer that travels to and fro, straight from worker to
// worker. A helper that leaves, dies or hangs costs time but no step: the leader computes what is missing itself.

import { Choice } from "./help_choice.js";
import { call } from "./module.js";
import type { FromHelper, Share, ToHelper } from "./protocol.js";
import { shares } from "./shares.js";
import { nextTask } from "./tasks.js";
import type { Session, StepMetrics } from "./types.js";

/** A helper has this many times as long for a share as the leader needs for it, after the leader is done itself. */
const patience = 10;
const leastPatienceMs = 1000;

export class Team {
  readonly #session: Session;
  readonly #batchIds: number;
  readonly #always: boolean;
  readonly #onLost: (id: number) => void;
  readonly #choice = new Choice();
  #helpers: Helper[] = [];

  /** batchIds: how many ids a batch has, inputs and targets. always: share every step, whether that is faster or not. */
  constructor(session: Session, batchIds: number, always: boolean, onLost: (id: number) => void) {
    this.#session = session;
    this.#batchIds = batchIds;
    this.#always = always;
    this.#onLost = onLost;
  }

  /** How many workers share the steps at present. */
  get workers(): number {
    return this.#always || this.#choice.prefersHelp ? 1 + this.#ready.length : 1;
  }

  get #ready(): Helper[] {
    return this.#helpers.filter(({ ready }) => ready);
  }

  /** Takes in a helper that listens at the other end of the port. It gets work as soon as it has made its model. */
  add(id: number, port: MessagePort): void {
    const { config, size } = call(() => ({ config: this.#session.config(), size: this.#session.num_parameters() }));
    const buffers = { numbers: new Float32Array(size), ids: new Int32Array(this.#batchIds) };
    this.#helpers.push(new Helper(id, port, buffers, () => this.#choice.restart()));
    port.postMessage({ type: "model", config } satisfies ToHelper);
  }

  /** Lets a helper go, also in the middle of a step. */
  remove(id: number): void {
    for (const helper of this.#helpers) if (helper.id === id) helper.close();
    this.#helpers = this.#helpers.filter((helper) => helper.id !== id);
    this.#choice.restart();
  }

  async step(): Promise<StepMetrics> {
    const helpers = this.#ready;
    if (helpers.length === 0) return call(() => this.#session.step());
    const shared = this.#always || this.#choice.next;
    const began = performance.now();
    const metrics = shared ? await this.#share(helpers) : call(() => this.#session.step());
    this.#choice.took(shared, performance.now() - began);
    return metrics;
  }

  async #share(helpers: Helper[]): Promise<StepMetrics> {
    const session = this.#session;
    const [own, ...others] = shares[1 + helpers.length] as [Share, ...Share[]];
    call(() => session.draw());
    const replies = helpers.map((helper, i) => helper.compute(session, others[i] as Share));
    const began = performance.now();
    call(() => session.compute_shards(...own));
    const msPerShard = (performance.now() - began) / own[1];
    for (const [i, helper] of helpers.entries()) {
      const [first, count] = others[i] as Share;
      const limit = Math.max(leastPatienceMs, patience * msPerShard * count);
      const losses = await this.#within(limit, helper, replies[i] as Reply);
      call(() => {
        if (losses) session.accept_shards(first, count, helper.numbers, losses);
        else session.compute_shards(first, count);
      });
    }
    return call(() => session.update());
  }

  /** The reply, or undefined when there is none in time; such a helper is let go. */
  async #within(ms: number, helper: Helper, reply: Reply): Promise<number[] | undefined> {
    let answered = false;
    const giveUp = async () => {
      // The leader may have been busy all the while with an answer at the door.
      await nextTask();
      if (answered) return;
      this.remove(helper.id);
      this.#onLost(helper.id);
    };
    const timer = setTimeout(() => void giveUp(), ms);
    const losses = await reply;
    answered = true;
    clearTimeout(timer);
    return losses;
  }
}

type Reply = Promise<number[] | undefined>;

/** One helper as the leader sees it. */
class Helper {
  readonly id: number;
  ready = false;
  /** Weights when it leaves, a gradient when it comes back; empty while it is away. */
  numbers: Float32Array<ArrayBuffer>;
  readonly #port: MessagePort;
  #ids: Int32Array<ArrayBuffer>;
  #tasks = 0;
  #answer: ((losses: number[] | undefined) => void) | undefined;

  constructor(
    id: number,
    port: MessagePort,
    buffers: { numbers: Float32Array<ArrayBuffer>; ids: Int32Array<ArrayBuffer> },
    onReady: () => void,
  ) {
    this.id = id;
    this.numbers = buffers.numbers;
    this.#ids = buffers.ids;
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromHelper>) => {
      if (data.type === "ready") {
        this.ready = true;
        onReady();
      } else if (data.task === this.#tasks) {
        this.numbers = data.numbers;
        this.#ids = data.ids;
        this.#reply(data.losses);
      }
    };
  }

  /** Hands out a share of the batch just drawn. Resolves with its losses when `numbers` holds its gradient, or with
   * undefined when the helper was let go. */
  compute(session: Session, [first, count]: Share): Reply {
    const { numbers } = this;
    const ids = this.#ids;
    call(() => session.hand_out(numbers, ids));
    const message: ToHelper = { type: "shards", task: ++this.#tasks, first, count, numbers, ids };
    this.#port.postMessage(message, [numbers.buffer, ids.buffer]);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  close(): void {
    this.ready = false;
    this.#port.onmessage = null;
    this.#port.close();
    this.#reply(undefined);
  }

  #reply(losses: number[] | undefined): void {
    this.#answer?.(losses);
    this.#answer = undefined;
  }
}
