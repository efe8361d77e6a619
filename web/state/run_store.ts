// All runs of the page, so that a panel can show the model that another panel trains.

import type { Run } from "../engine/run.js";

type Listener = () => void;

class RunStore {
  readonly #groups = new Map<object, readonly Run[]>();
  readonly #listeners = new Set<Listener>();
  #unsubscribe: (() => void)[] = [];

  /** Every run, those of the latest owner first. */
  get runs(): readonly Run[] {
    return [...this.#groups.values()].reverse().flat();
  }

  /** Replaces the runs of one owner. */
  set(owner: object, runs: readonly Run[]): void {
    this.#groups.delete(owner);
    if (runs.length > 0) this.#groups.set(owner, runs);
    for (const stop of this.#unsubscribe) stop();
    this.#unsubscribe = this.runs.map((run) => run.subscribe(() => this.#tell()));
    this.#tell();
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const runStore = new RunStore();
