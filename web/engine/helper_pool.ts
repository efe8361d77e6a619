// The page's spare cores: helper workers, and which run each of them helps. Runs that train get what the page leaves of the
// processor, shared fairly; what is shared changes when runs start, pause, end or are closed. Nothing of a step comes
// through here: a helper and its run's worker talk through a port of their own.

import type { FromWorker, Workers } from "./protocol.js";
import { mostWorkers } from "./shares.js";
import { WorkerHandle, type Host } from "./worker_handle.js";

export interface Demand {
  workers: Workers;
  /** Takes a core by itself. */
  busy: boolean;
  /** Can use helpers at present. */
  training: boolean;
}

/** How many helpers each run gets. */
export function allot(cores: number, demands: readonly Demand[]): number[] {
  const helpers = demands.map(({ workers, training }) => (training && workers !== "auto" ? workers - 1 : 0));
  let spare = cores - demands.filter(({ busy }) => busy).length;
  for (const count of helpers) spare -= count;
  // Up to two workers each, then up to four: a third would only wait, since it leaves one of them two of the four shards.
  for (const [before, after] of [[0, 1], [1, mostWorkers - 1]] as const) {
    for (const [i, { workers, training }] of demands.entries()) {
      if (!training || workers !== "auto" || helpers[i] !== before || spare < after - before) continue;
      helpers[i] = after;
      spare -= after - before;
    }
  }
  return helpers;
}

/** A run as the pool sees it. */
export interface Helped {
  readonly demand: Demand;
  /** Whose workers and module its helpers have. */
  readonly host: Host;
  /** A helper listens at the other end of the port. */
  addHelper(id: number, port: MessagePort): void;
  removeHelper(id: number): void;
}

interface Helper {
  id: number;
  host: Host;
  handle: WorkerHandle;
}
interface Membership {
  helpers: Helper[];
  /** Helpers that failed it since it began to train. */
  failures: number;
}

/** A helper that nobody needs is kept for a while, since a pause may be short. */
const idleMs = 10_000;
/** A run that so many helpers failed goes on without, since the next would probably fail as well. */
const mostFailures = 3;

export class HelperPool {
  readonly #cores: number;
  readonly #members = new Map<Helped, Membership>();
  #idle: Helper[] = [];
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** Shares the cores out anew. To be called whenever a run was made or changed what it does. */
  update(run: Helped): void {
    if (!this.#members.has(run)) this.#members.set(run, { helpers: [], failures: 0 });
    this.#share();
  }

  /** Forgets a run that is closed. Its helpers end with it unless another run takes them over. */
  remove(run: Helped): void {
    this.#idle.push(...(this.#members.get(run)?.helpers ?? []));
    this.#members.delete(run);
    this.#share();
    this.#endIdle();
  }

  /** Ends a helper that does not answer any more or cannot help. */
  lost(id: number): void {
    for (const [run, member] of this.#members) {
      const helper = member.helpers.find((each) => each.id === id);
      if (!helper) continue;
      helper.handle.dispose();
      this.#failed(run, member, id);
    }
    const idle = this.#idle.findIndex((helper) => helper.id === id);
    if (idle >= 0) this.#idle.splice(idle, 1)[0]?.handle.dispose();
    this.#share();
  }

  #share(): void {
    const members = [...this.#members];
    const wanted = allot(this.#cores, members.map(([run]) => run.demand));
    const counts = members.map(([run, member], i) => {
      if (!run.demand.training) member.failures = 0;
      return member.failures < mostFailures ? (wanted[i] as number) : 0;
    });
    // First who has too many, so that their helpers are there for the others.
    for (const [i, [run, { helpers }]] of members.entries()) {
      for (const helper of helpers.splice(counts[i] as number)) {
        run.removeHelper(helper.id);
        helper.handle.post({ type: "leave" });
        this.#idle.push(helper);
      }
    }
    for (const [i, [run, { helpers }]] of members.entries()) {
      while (helpers.length < (counts[i] as number)) {
        const helper = this.#idleOf(run.host) ?? this.#start(run.host);
        helpers.push(helper);
        const { port1, port2 } = new MessageChannel();
        helper.handle.post({ type: "help", port: port1 }, [port1]);
        run.addHelper(helper.id, port2);
      }
    }
    if (this.#idle.length === 0) this.#endIdle();
    else this.#idleTimer ??= setTimeout(() => this.#endIdle(), idleMs);
  }

  #idleOf(host: Host): Helper | undefined {
    const at = this.#idle.findIndex((helper) => helper.host === host);
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0];
  }

  #start(host: Host): Helper {
    const id = this.#nextId++;
    const heard = (message: FromWorker) => {
      if (message.type === "failed") this.lost(id);
    };
    return { id, host, handle: new WorkerHandle(host, heard, () => this.lost(id)) };
  }

  #failed(run: Helped, member: Membership, id: number): void {
    member.helpers = member.helpers.filter((helper) => helper.id !== id);
    member.failures += 1;
    run.removeHelper(id);
  }

  #endIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    for (const { handle } of this.#idle) handle.dispose();
    this.#idle = [];
  }
}
