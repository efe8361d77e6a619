// A worker as another one's helper: it computes shards of that worker's steps, asked through a port between the two.

import { asError, call } from "./module.js";
import type { FromHelper, ToHelper } from "./protocol.js";
import type { ShardHelper } from "./types.js";

export class ShardWorker {
  readonly #onFailure: (sentence: string) => void;
  #port: MessagePort | undefined;
  #helper: ShardHelper | undefined;

  constructor(onFailure: (sentence: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Helps whoever is at the other end of the port, and no longer whoever was helped before. */
  help(port: MessagePort): void {
    this.leave();
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<ToHelper>) => {
      try {
        this.#obey(port, data);
      } catch (thrown) {
        this.leave();
        this.#onFailure(asError(thrown).message);
      }
    };
  }

  leave(): void {
    this.#port?.close();
    this.#port = undefined;
    this.#helper?.delete();
    this.#helper = undefined;
  }

  #obey(port: MessagePort, message: ToHelper): void {
    if (message.type === "model") {
      this.#helper = call((core) => new core.ShardHelper(message.config));
      port.postMessage({ type: "ready" } satisfies FromHelper);
      return;
    }
    const { task, first, count, numbers, ids } = message;
    const helper = this.#helper;
    if (!helper) throw new Error("This helper has no model yet.");
    const losses = call(() => helper.compute(numbers, ids, first, count));
    const answer: FromHelper = { type: "shards", task, numbers, ids, losses };
    port.postMessage(answer, [numbers.buffer, ids.buffer]);
  }
}
