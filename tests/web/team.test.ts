// A leader and its helpers over real ports, with a session that only notes who computed what.

import { expect, test, vi } from "vitest";
import type { FromHelper, ToHelper } from "../../web/engine/protocol.js";
import { Team } from "../../web/engine/team.js";
import type { Session } from "../../web/engine/types.js";

vi.mock("../../web/engine/module.js", () => ({ call: <T>(work: () => T) => work() }));

/** Its weights are the number of steps taken. */
class NotingSession {
  notes: string[] = [];
  steps = 0;
  config = () => ({});
  num_parameters = () => 3;
  draw = () => this.notes.push("draw");
  hand_out = (numbers: Float32Array) => void numbers.fill(this.steps);
  compute_shards = (first: number, count: number) => this.notes.push(`own ${first}+${count}`);
  accept_shards = (first: number, count: number, gradient: Float32Array, losses: number[]) =>
    this.notes.push(`helper ${first}+${count}: gradient ${gradient.join()}, losses ${losses.join()}`);
  update = () => ({ step: ++this.steps });
  step = () => {
    this.notes.push("alone");
    return this.update();
  };
}

type Task = Extract<ToHelper, { type: "shards" }>;

/** A team of one helper that does with its tasks what `work` says. */
async function teamOf(work: (task: Task, answer: (answer: FromHelper) => void) => void) {
  const session = new NotingSession();
  const lost: number[] = [];
  const team = new Team(session as unknown as Session, 4, true, (id) => lost.push(id));
  const { port1, port2 } = new MessageChannel();
  const answer = (message: FromHelper) => port2.postMessage(message);
  port2.onmessage = ({ data }: MessageEvent<ToHelper>) => {
    if (data.type === "model") answer({ type: "ready" });
    else work(data, answer);
  };
  team.add(7, port1);
  await vi.waitFor(() => expect(team.workers).toBe(2));
  return { team, session, lost };
}

/** The right answer: the weights plus a half, and as many losses as shards. */
function computed({ task, count, numbers, ids }: Task): FromHelper {
  return { type: "shards", task, numbers: numbers.map((x) => x + 0.5), ids, losses: Array<number>(count).fill(0.25) };
}

test("a helper computes its share of every step from the weights of that step", async () => {
  const { team, session, lost } = await teamOf((task, answer) => answer(computed(task)));
  for (let i = 1; i <= 2; ++i) expect((await team.step()).step).toBe(i);
  expect(session.notes).toEqual([
    "draw",
    "own 0+2",
    "helper 2+2: gradient 0.5,0.5,0.5, losses 0.25,0.25",
    "draw",
    "own 0+2",
    "helper 2+2: gradient 1.5,1.5,1.5, losses 0.25,0.25",
  ]);
  expect(lost).toEqual([]);
  team.remove(7);
  expect(team.workers).toBe(1);
});

test("an answer to an earlier step is not taken for one to this", async () => {
  let before: Task | undefined;
  const { team, session } = await teamOf((task, answer) => {
    if (before) answer(computed(before));
    before = { ...task, numbers: task.numbers.slice() };
    answer(computed(task));
  });
  await team.step();
  await team.step();
  expect(session.notes.filter((note) => note.startsWith("helper"))).toEqual([
    "helper 2+2: gradient 0.5,0.5,0.5, losses 0.25,0.25",
    "helper 2+2: gradient 1.5,1.5,1.5, losses 0.25,0.25",
  ]);
  team.remove(7);
});

test("a helper that hangs is let go, its share computed here, and what it says later is not heard", async () => {
  let late = () => {};
  const { team, session, lost } = await teamOf((task, answer) => {
    late = () => answer(computed(task));
  });
  const began = performance.now();
  expect((await team.step()).step).toBe(1);
  expect(performance.now() - began).toBeGreaterThan(900);
  expect(lost).toEqual([7]);
  late();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await team.step()).step).toBe(2);
  expect(session.notes).toEqual(["draw", "own 0+2", "own 2+2", "alone"]);
});

test("a helper that is taken away in the middle of a step leaves its share to the leader at once", async () => {
  const { team, session, lost } = await teamOf(() => {});
  const step = team.step();
  const began = performance.now();
  team.remove(7);
  expect((await step).step).toBe(1);
  expect(performance.now() - began).toBeLessThan(900);
  expect(session.notes).toEqual(["draw", "own 0+2", "own 2+2"]);
  expect(lost).toEqual([]);
});
