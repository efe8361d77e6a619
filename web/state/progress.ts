// What the learner can do, as the checklist keeps it: items ticked by hand, and exercises that tick themselves when one
// of the page's panels says that they were passed. Kept in this browser where it allows that.

export type ExerciseName = "explain" | "derive" | "build-sinusoidal" | "build-rope" | "break" | "spot-the-bug";

export const exerciseTitles: Record<ExerciseName, string> = {
  explain: "exercise 1",
  derive: "exercise 2",
  "build-sinusoidal": "exercise 3, the table",
  "build-rope": "exercise 3, RoPE",
  break: "exercise 4",
  "spot-the-bug": "spot the bug",
};

/** What a panel's `poslab-passed` event says. */
export interface Passed {
  exercise: ExerciseName;
}

export interface ChecklistItem {
  name: string;
  /** What comes after "I can". */
  sentence: string;
  /** The exercise that ticks it. */
  exercise?: ExerciseName;
}

export const checklist: readonly ChecklistItem[] = [
  { name: "order-blind", sentence: "say why attention without positions cannot tell one order of words from another" },
  { name: "explain", sentence: "explain positions with a theatre, and say where that picture stops", exercise: "explain" },
  { name: "derive", sentence: "derive that attention without positions only reorders its outputs", exercise: "derive" },
  { name: "sum", sentence: "say what is added to what at the input of the first block, and why the widths must agree" },
  { name: "learned-end", sentence: "say what a learned table does at its last row, and which of its rows training moves" },
  { name: "wave", sentence: "write down the sine and cosine of pair i, and say which columns wave slowly" },
  { name: "build", sentence: "build the sinusoidal table from scratch, right in every cell", exercise: "build-sinusoidal" },
  { name: "relative-waves", sentence: "say why the product of two sinusoidal rows depends on their distance only" },
  { name: "rope", sentence: "turn vectors by their positions, right in every cell", exercise: "build-rope" },
  { name: "alibi", sentence: "say what ALiBi takes off a score, and along which axis" },
  { name: "mask", sentence: "say why a causal mask leaks order although no position is given" },
  { name: "break", sentence: "predict what a GPT without positions loses, and measure it", exercise: "break" },
  { name: "mistakes", sentence: "tell faulty position code from code that is merely different", exercise: "spot-the-bug" },
  { name: "tying", sentence: "say how many weights a tied head saves, and between which two tables" },
];

const storageName = "poslab-progress";
const fileMark = "position-lab-progress";
const mostBytes = 100_000;

function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined; // a sandboxed frame has none, and says so by throwing
  }
}

class Progress {
  /** Whether this browser keeps what is ticked. */
  kept = true;
  readonly #ticked = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor() {
    this.kept = storage() !== undefined;
    this.#recall();
    // Another tab has ticked or cleared something.
    globalThis.addEventListener("storage", ({ key }) => {
      if (key !== storageName && key !== null) return;
      this.#recall();
      this.#tell();
    });
    globalThis.addEventListener("poslab-passed", (event) => {
      const { exercise } = (event as CustomEvent<Passed>).detail;
      for (const item of checklist) if (item.exercise === exercise) this.set(item.name, true);
    });
  }

  has(name: string): boolean {
    return this.#ticked.has(name);
  }

  get count(): number {
    return this.#ticked.size;
  }

  set(name: string, on: boolean): void {
    this.#recall();
    if (on) this.#ticked.add(name);
    else this.#ticked.delete(name);
    this.#changed();
  }

  /** Gives back what was ticked, for `add`. */
  clear(): string[] {
    this.#recall();
    const cleared = [...this.#ticked];
    this.#ticked.clear();
    this.#changed();
    return cleared;
  }

  add(names: Iterable<string>): void {
    this.#recall();
    for (const name of names) this.#ticked.add(name);
    this.#changed();
  }

  /** The file for a teacher. */
  written(): string {
    const ticked = checklist.filter(({ name }) => this.has(name)).map(({ name }) => name);
    return `${JSON.stringify({ format: fileMark, version: 1, ticked }, null, 2)}\n`;
  }

  /** Takes over a file; throws a sentence about one that is none of ours, and then changes nothing. */
  read(text: string): void {
    const names = readNames(text);
    this.#ticked.clear();
    for (const name of names) this.#ticked.add(name);
    this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over what is stored, which other tabs write too. Each change is made to the latest state and touches its own
   * items alone, so for each item the last tick or untick of any tab stands. */
  #recall(): void {
    if (!this.kept) return; // what is stored is older than what is here
    try {
      const text = storage()?.getItem(storageName);
      if (text === undefined || text === null) return;
      const names = namesIn(text).filter(isItem);
      this.#ticked.clear();
      for (const name of names) this.#ticked.add(name);
    } catch {
      // What is no progress at all is not worth a complaint.
    }
  }

  #changed(): void {
    this.#keep();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #keep(): void {
    try {
      const place = storage();
      this.kept = place !== undefined;
      place?.setItem(storageName, this.written());
    } catch {
      this.kept = false; // full, or switched off
    }
  }
}

const isItem = (name: unknown): name is string => checklist.some((item) => item.name === name);

/** The names in a file, all of them of this list. */
function readNames(text: string): string[] {
  const names = namesIn(text);
  for (const name of names) {
    if (!isItem(name)) throw new Error(`The file ticks ${JSON.stringify(name)}, which is no item of this list.`);
  }
  return names.filter(isItem);
}

/** Whatever is ticked in a text, which another version of this page may have written with another list. */
function namesIn(text: string): unknown[] {
  if (text.length > mostBytes) throw new Error(`The file has ${text.length} characters; a progress file has a few hundred.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON; open one that this page has saved.");
  }
  const { format, version, ticked } = (typeof content === "object" && content ? content : {}) as Record<string, unknown>;
  if (format !== fileMark) throw new Error(`The file is JSON, but its "format" is not "${fileMark}".`);
  if (version !== 1) throw new Error(`The file's "version" is ${JSON.stringify(version)}; this page reads version 1.`);
  if (!Array.isArray(ticked)) throw new Error('The file\'s "ticked" is not a list of names.');
  return ticked as unknown[];
}

export const progress = new Progress();
