// Spot the bug: which of the eight variants the learner has judged, and how well.

import type { BugReport } from "../../engine/lesson_types.js";
import { lab } from "../../state/host.js";

export type Verdict = "faulty" | "harmless";

export interface Variant {
  name: string;
  /** What it does differently. */
  change: string;
  said?: Verdict;
  /** Of its run, once the learner has said something. */
  report?: BugReport;
}

/** So many right answers of eight pass. */
export const passMark = 7;

export class SpotTheBug {
  variants: Variant[] = [];
  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Gets the variants in an order of the seed's, so that their place in the list says nothing. */
  async load(): Promise<void> {
    const names = await lab.ask({ question: "bug_names" });
    const count = names.length;
    const variants: Variant[] = [];
    // 3 and 8 have no common factor, so every variant comes once.
    for (let i = 0; i < count; ++i) {
      const name = names[(3 * i + this.seed) % count] ?? "";
      const { change } = await lab.ask({ question: "run_bug", name, seed: this.seed });
      variants.push({ name, change });
    }
    this.variants = variants;
  }

  /** Takes the learner's word, then runs the variant. The first word counts. */
  async judge(variant: Variant, said: Verdict): Promise<void> {
    if (variant.said) return;
    variant.said = said;
    try {
      variant.report = await lab.ask({ question: "run_bug", name: variant.name, seed: this.seed });
    } catch (error) {
      delete variant.said;
      throw error;
    }
  }

  get judged(): number {
    return this.variants.filter(({ report }) => report).length;
  }

  get right(): number {
    return this.variants.filter(isRight).length;
  }

  get finished(): boolean {
    return this.variants.length > 0 && this.judged === this.variants.length;
  }

  get passed(): boolean {
    return this.finished && this.right >= passMark;
  }
}

export function isRight({ said, report }: Variant): boolean {
  return report !== undefined && (said === "faulty") === report.faulty;
}
