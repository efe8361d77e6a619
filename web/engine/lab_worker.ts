// Pure questions about formulae, answered by the core without any training.

import { answerLesson, isLessonAsk } from "./lesson_worker.js";
import { call } from "./module.js";
import type { LabAsk } from "./protocol.js";

export function answerLab(ask: LabAsk): unknown {
  return call((core) => {
    if (isLessonAsk(ask)) return answerLesson(core, ask.question, ask);
    switch (ask.question) {
      case "sinusoidal": {
        const table = core.sinusoidal(ask.n, ask.d, ask.base, ask.layout, ask.first);
        const similarity = core.row_similarity(table.data, ask.n, ask.d).data;
        return { ...table, similarity, wavelengths: core.wavelengths(ask.d, ask.base) };
      }
      case "rope":
        return core.rope(ask.x, ask.position, ask.pairing, ask.base);
      case "alibi_slopes":
        return core.alibi_slopes(ask.n_head);
      case "about":
        return {
          schemes: core.position_schemes(),
          config: core.default_config(),
          training: core.default_training(),
          simd_backend: core.simd_backend(),
        };
    }
  });
}
