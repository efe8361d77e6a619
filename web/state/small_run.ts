// A small training of a panel's own, for a reader who has no race at hand, as in an embedded panel.

import { corpusText } from "./corpora.js";
import { Race } from "./race.js";

export class SmallRun {
  readonly race = new Race();
  #failure: string | undefined;

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Trains a tiny model with the given scheme; the text is loaded first. */
  async train(positions: string, onChange: () => void): Promise<void> {
    this.#failure = undefined;
    onChange();
    try {
      const text = await corpusText("moby-dick", "");
      await this.race.open({ schemes: [positions], size: "tiny", steps: 600, seed: 0, corpus: "moby-dick" }, text);
      this.race.resume();
    } catch (error) {
      this.#failure = (error as Error).message;
    }
    onChange();
  }
}
