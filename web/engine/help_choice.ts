// Whether a run's helpers are worth their trouble: both ways are tried and the faster one is kept for a while. What is
// chosen changes the time of a step, never its bits.

const trials = 5;
/** Steps after which both ways are tried again, since what else the machine does may have changed. */
const holds = 1000;

export class Choice {
  /** Milliseconds of the tried steps: with helpers, then without. */
  #tried: [number[], number[]] = [[], []];
  #keeps = 0;
  /** Whether the faster way is the one with helpers; until a trial has ended it is taken to be. */
  prefersHelp = true;

  /** Forgets what was measured, as when there are more or fewer helpers than before. */
  restart(): void {
    this.#tried = [[], []];
    this.#keeps = 0;
    this.prefersHelp = true;
  }

  /** Whether the next step is to be shared. */
  get next(): boolean {
    const [shared, alone] = this.#tried;
    return this.#keeps > 0 ? this.prefersHelp : shared.length <= alone.length;
  }

  /** Tells how long a step took. */
  took(shared: boolean, ms: number): void {
    if (this.#keeps > 0) {
      this.#keeps -= 1;
      return;
    }
    const [withHelp, alone] = this.#tried;
    (shared ? withHelp : alone).push(ms);
    if (withHelp.length < trials || alone.length < trials) return;
    this.prefersHelp = median(withHelp) <= median(alone);
    this.#tried = [[], []];
    this.#keeps = holds;
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
