// The latest answer to a question that keeps changing, as a reader slides: one question is on its way at a time, of those
// that follow meanwhile only the last is asked, and what was answered stays until the next answer is there.

interface Host {
  requestUpdate(): void;
}

export class Answer<T> {
  value: T | undefined;
  /** Why the latest question has no answer. */
  failure: string | undefined;
  readonly #host: Host;
  #key = "";
  #busy = false;
  #next: (() => Promise<T>) | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Asks when `key` is another one than last time. */
  ask(key: unknown, question: () => Promise<T>): void {
    const text = JSON.stringify(key);
    if (text === this.#key) return;
    this.#key = text;
    this.#next = question;
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next) {
      const question = this.#next;
      this.#next = undefined;
      try {
        this.value = await question();
        this.failure = undefined;
      } catch (error) {
        this.failure = (error as Error).message;
      }
      this.#host.requestUpdate();
    }
    this.#busy = false;
  }
}
