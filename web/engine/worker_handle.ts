// The page's end of one worker: starts it, hands it the module, matches answers to questions, and notices when it dies.
// A worker that was closed or ran out of memory often says nothing, so silence is watched as well as errors.

import type { FromWorker, ToWorker } from "./protocol.js";

/** How this page gets at workers and at the module's bytes. */
export interface Host {
  createWorker(): Worker;
  /** The bytes of poslab.wasm, gzipped, in base64. */
  wasm(): Promise<string>;
}

const tickMs = 2000;
const patience = 4; // ticks without any word

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class WorkerHandle {
  readonly #worker: Worker;
  readonly #onMessage: (message: FromWorker) => void;
  readonly #onDeath: (sentence: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #silentTicks = 0;
  #alive = true;
  /** Messages that wait until the module's bytes are sent. */
  #outbox: [ToWorker, Transferable[]][] | undefined = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: Host, onMessage: (message: FromWorker) => void, onDeath: (sentence: string) => void) {
    this.#onMessage = onMessage;
    this.#onDeath = onDeath;
    this.#worker = host.createWorker();
    this.#worker.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(event.data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#die(`The worker stopped with an error: ${event.message || "it could not be started"}.`);
    };
    this.#worker.onmessageerror = () => this.#die("The worker sent something that could not be read.");
    host.wasm().then(
      (wasm) => {
        if (!this.#alive) return;
        const waiting = this.#outbox ?? [];
        this.#outbox = undefined;
        this.post({ type: "load", wasm });
        for (const [message, transfer] of waiting) this.post(message, transfer);
        this.#timer = setInterval(() => this.#tick(), tickMs);
      },
      (error: unknown) => this.#die(error instanceof Error ? error.message : String(error)),
    );
  }

  get alive(): boolean {
    return this.#alive;
  }

  post(message: ToWorker, transfer: Transferable[] = []): void {
    if (!this.#alive) return;
    if (this.#outbox) this.#outbox.push([message, transfer]);
    else this.#worker.postMessage(message, transfer);
  }

  /** Sends a question made by `message` with a fresh id and waits for its answer. */
  ask(message: (id: number) => ToWorker): Promise<unknown> {
    if (!this.#alive) return Promise.reject(new Error("The worker is gone."));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.post(message(id));
    });
  }

  dispose(): void {
    this.#end("The run was closed.");
  }

  #receive(message: FromWorker): void {
    this.#silentTicks = 0;
    if (message.type === "answer" || message.type === "refused") {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.type === "answer") waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.message));
    } else {
      this.#onMessage(message);
    }
  }

  #tick(): void {
    this.#silentTicks += 1;
    if (this.#silentTicks > patience) {
      this.#die(`The worker has not answered for ${(patience * tickMs) / 1000} seconds; it was probably ended.`);
    } else {
      this.post({ type: "ping" });
    }
  }

  #die(sentence: string): void {
    if (!this.#alive) return;
    this.#end(sentence);
    this.#onDeath(sentence);
  }

  #end(sentence: string): void {
    this.#alive = false;
    clearInterval(this.#timer);
    this.#worker.terminate();
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(sentence));
    this.#waiting.clear();
  }
}
