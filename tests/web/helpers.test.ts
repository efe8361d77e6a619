// Which run gets how many helpers, when helpers start and end, and when a run prefers to do without.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Choice } from "../../web/engine/help_choice.js";
import { allot, HelperPool, type Demand, type Helped } from "../../web/engine/helper_pool.js";
import type { FromWorker, ToWorker } from "../../web/engine/protocol.js";
import type { Host } from "../../web/engine/worker_handle.js";

const training: Demand = { workers: "auto", busy: true, training: true };
const measuring: Demand = { workers: "auto", busy: true, training: false };
const paused: Demand = { workers: "auto", busy: false, training: false };
const fixed = (workers: 1 | 2 | 3 | 4): Demand => ({ ...training, workers });

test("training runs get the cores that are left, two workers each before any gets four", () => {
  expect(allot(1, [training])).toEqual([0]);
  expect(allot(2, [training])).toEqual([1]);
  expect(allot(2, [training, training])).toEqual([0, 0]);
  expect(allot(3, [training, training])).toEqual([1, 0]);
  expect(allot(4, [training])).toEqual([3]);
  expect(allot(4, [training, training])).toEqual([1, 1]);
  expect(allot(6, [training, training])).toEqual([3, 1]);
  expect(allot(16, [training, training, training])).toEqual([3, 3, 3]);
});

test("no run gets three workers of itself: four shards make shares of 2, 1 and 1, as slow as two workers", () => {
  expect(allot(3, [training])).toEqual([1]);
  expect(allot(5, [training, training])).toEqual([1, 1]);
});

test("runs that measure take a core and no helper, paused ones neither", () => {
  expect(allot(2, [training, measuring])).toEqual([0, 0]);
  expect(allot(2, [training, paused])).toEqual([1, 0]);
  expect(allot(2, [paused, training, paused])).toEqual([0, 1, 0]);
});

test("a number of workers that somebody asked for is kept to, and leaves the others less", () => {
  expect(allot(1, [fixed(4)])).toEqual([3]);
  expect(allot(8, [fixed(1), fixed(3)])).toEqual([0, 2]);
  expect(allot(4, [fixed(2), training])).toEqual([1, 1]);
  expect(allot(4, [fixed(3), training])).toEqual([2, 0]);
  expect(allot(4, [{ ...paused, workers: 3 }, training])).toEqual([0, 3]);
});

/** A worker that only records. */
class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: ((event: { data: FromWorker }) => void) | undefined;
  onerror: ((event: { preventDefault(): void; message: string }) => void) | undefined;
  got: ToWorker["type"][] = [];
  ended = false;
  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage({ type }: ToWorker): void {
    this.got.push(type);
  }
  terminate(): void {
    this.ended = true;
  }
}

const hostOf = (wasm = ""): Host => ({
  createWorker: () => new FakeWorker() as unknown as Worker,
  wasm: () => Promise.resolve(wasm),
});
const usual = hostOf();

class FakeRun implements Helped {
  helpers: number[] = [];
  constructor(
    public demand: Demand,
    readonly host = usual,
  ) {}
  addHelper(id: number): void {
    this.helpers.push(id);
  }
  removeHelper(id: number): void {
    this.helpers = this.helpers.filter((each) => each !== id);
  }
}

const living = () => FakeWorker.all.filter(({ ended }) => !ended).length;

beforeEach(() => {
  FakeWorker.all = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a helper goes from a run that has to share to the one that is left, and ends when unused for a while", async () => {
  const pool = new HelperPool(2);
  const [first, second] = [new FakeRun(training), new FakeRun(paused)];
  pool.update(first);
  pool.update(second);
  expect([first.helpers, second.helpers]).toEqual([[1], []]);
  second.demand = training;
  pool.update(second);
  expect([first.helpers, second.helpers]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(3000);
  first.demand = paused;
  pool.update(first);
  expect([first.helpers, second.helpers]).toEqual([[], [1]]);
  expect(FakeWorker.all.map(({ got }) => got.filter((type) => type !== "ping"))).toEqual([
    ["load", "help", "leave", "help"],
  ]);
  second.demand = paused;
  pool.update(second);
  expect(living()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(living()).toBe(0);
});

test("the helpers of a run that is closed end with it, except those that another run takes over", () => {
  const pool = new HelperPool(4);
  const [first, second] = [new FakeRun(training), new FakeRun(training)];
  pool.update(first);
  expect(first.helpers).toEqual([1, 2, 3]);
  pool.update(second);
  expect([first.helpers, second.helpers].map(({ length }) => length)).toEqual([1, 1]);
  pool.remove(first);
  expect(second.helpers).toHaveLength(3);
  expect(living()).toBe(3);
  pool.remove(second);
  expect(living()).toBe(0);
});

test("a run is helped by workers of its own host alone, since others have another module", () => {
  const pool = new HelperPool(2);
  const turbo = new FakeRun(training, hostOf("turbo"));
  pool.update(turbo);
  expect(turbo.helpers).toEqual([1]);
  turbo.demand = paused;
  const plain = new FakeRun(training);
  pool.update(plain);
  expect([turbo.helpers, plain.helpers]).toEqual([[], [2]]);
});

test("a helper that fails is replaced, but not for ever", async () => {
  const pool = new HelperPool(2);
  const run = new FakeRun(training);
  pool.update(run);
  await vi.advanceTimersByTimeAsync(0);
  FakeWorker.all.at(-1)?.onmessage?.({ data: { type: "failed", message: "no memory", step: 0 } });
  expect(run.helpers).toEqual([2]);
  FakeWorker.all.at(-1)?.onerror?.({ preventDefault: () => {}, message: "crashed" });
  expect(run.helpers).toEqual([3]);
  pool.lost(3);
  expect(run.helpers).toEqual([]);
  pool.update(run);
  expect(run.helpers).toEqual([]);
  expect(living()).toBe(0);
  // A new attempt after a pause.
  run.demand = paused;
  pool.update(run);
  run.demand = training;
  pool.update(run);
  expect(run.helpers).toEqual([4]);
});

test("an idle helper that fails is ended at once", async () => {
  const pool = new HelperPool(2);
  const run = new FakeRun(training);
  pool.update(run);
  run.demand = paused;
  pool.update(run);
  await vi.advanceTimersByTimeAsync(0);
  expect(living()).toBe(1);
  FakeWorker.all.at(-1)?.onmessage?.({ data: { type: "failed", message: "no memory", step: 0 } });
  expect(living()).toBe(0);
  run.demand = training;
  pool.update(run);
  expect(run.helpers).toEqual([2]);
});

/** Makes a choice of steps that take so long; tells how many of them were shared. */
function sharedSteps(choice: Choice, steps: number, sharedMs: number, aloneMs: number): number {
  let count = 0;
  for (let i = 0; i < steps; ++i) {
    const shared = choice.next;
    choice.took(shared, shared ? sharedMs : aloneMs);
    if (shared) count += 1;
  }
  return count;
}

test("both ways are tried and the faster one is kept until it is time to try again", () => {
  const choice = new Choice();
  expect(sharedSteps(choice, 10, 1, 2)).toBe(5);
  expect(sharedSteps(choice, 1000, 1, 2)).toBe(1000);
  expect(choice.prefersHelp).toBe(true);
  // Helping has become slower meanwhile.
  expect(sharedSteps(choice, 10, 3, 2)).toBe(5);
  expect(choice.prefersHelp).toBe(false);
  expect(sharedSteps(choice, 1000, 3, 2)).toBe(0);
  choice.restart();
  expect(sharedSteps(choice, 10, 1, 2)).toBe(5);
  expect(choice.prefersHelp).toBe(true);
});

test("one slow step does not decide", () => {
  const choice = new Choice();
  for (let i = 0; i < 10; ++i) {
    const shared = choice.next;
    choice.took(shared, i === 0 ? 500 : shared ? 1 : 2);
  }
  expect(choice.prefersHelp).toBe(true);
});
