// The page's end of the lab worker, shared by all panels that need formulae but no training. It is started by the first
// question and started anew when it died.

import type { AnswerOf, AskOf, LabQuestions } from "./protocol.js";
import { WorkerHandle, type Host } from "./worker_handle.js";

export class Lab {
  readonly #host: Host;
  #handle: WorkerHandle | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Resolves with the core's answer; rejects with its sentence. */
  async ask<K extends keyof LabQuestions>(
    ask: Extract<AskOf<LabQuestions>, { question: K }>,
  ): Promise<AnswerOf<LabQuestions, K>> {
    if (!this.#handle?.alive) {
      let failure = (_: string) => {};
      const failed = new Promise<never>((_, reject) => {
        failure = (sentence) => reject(new Error(sentence));
      });
      failed.catch(() => {});
      this.#handle = new WorkerHandle(
        this.#host,
        (message) => {
          if (message.type === "failed") {
            failure(message.message);
            this.#handle?.dispose();
          }
        },
        failure,
      );
    }
    const answer = await this.#handle.ask((id) => ({ type: "ask_lab", id, ask }));
    return answer as AnswerOf<LabQuestions, K>;
  }
}
