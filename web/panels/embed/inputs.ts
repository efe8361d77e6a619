// Gets what enters the first block, for a sentence of the reader's: with the vectors of a run, or of a model that nobody
// has trained.

import { flatWeights } from "../../engine/lesson_protocol.js";
import type { InputRows, Neighbour } from "../../engine/lesson_types.js";
import type { Run } from "../../engine/run.js";
import type { GptConfig, Matrix } from "../../engine/types.js";
import { lab } from "../../state/host.js";
import { sizes } from "../../state/sizes.js";

export interface Inputs {
  ids: number[];
  /** One character for each id of the sentence. */
  tokens: string[];
  /** Characters that the model does not know. */
  skipped: string[];
  rows: InputRows;
  /** The whole token table, one row for each of the vocabulary. */
  table: Matrix;
  vocabulary: string[];
  /** Steps of training; undefined for a fresh model. */
  step: number | undefined;
  blockSize: number;
}

const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));

/** What a fresh model can read: line ends, ASCII and the letters of western Europe. */
const freshVocabulary = [...`\n${range(0x20, 0x7e)}${range(0xc0, 0xff)}`];

function freshConfig(positions: string): Partial<GptConfig> {
  const { n_head, n_embd, block_size } = sizes.lab;
  // The first block's input does not depend on how many blocks follow.
  return { positions, n_layer: 1, n_head, n_embd, block_size, vocab_size: freshVocabulary.length };
}

async function encode(vocabulary: readonly string[], text: string) {
  if (text === "") throw new Error("Your sentence is empty; write at least one character.");
  const { ids, skipped } = await lab.ask({ question: "tokenize", vocabulary: vocabulary.join(""), text });
  return { ids, skipped: [...skipped], tokens: ids.map((id) => vocabulary[id] ?? "") };
}

export async function inputsOfRun(run: Run, phrase: string): Promise<Inputs> {
  if (!run.created) throw new Error("The model is not there yet.");
  const { config, vocabulary } = run.created;
  const { step } = run;
  const encoded = await encode(vocabulary, phrase);
  const parameters = await run.ask({ question: "parameters" });
  const table = parameters.find(({ name }) => name === "wte.weight");
  if (!table) throw new Error("The model has no token table.");
  const weights = flatWeights(parameters);
  const rows = await lab.ask({ question: "input_rows", config, weights, ids: encoded.ids });
  return { ...encoded, rows, table, vocabulary, step, blockSize: config.block_size };
}

export async function inputsOfFreshModel(positions: string, phrase: string): Promise<Inputs> {
  const vocabulary = freshVocabulary;
  const encoded = await encode(vocabulary, phrase);
  const config = freshConfig(positions);
  const rows = await lab.ask({ question: "input_rows", config, ids: encoded.ids });
  // Every token once: without positions its row is the input.
  const all = vocabulary.map((_, id) => id);
  const everything = { ...freshConfig("none"), block_size: all.length };
  const { token } = await lab.ask({ question: "input_rows", config: everything, ids: all });
  return { ...encoded, rows, table: token, vocabulary, step: undefined, blockSize: sizes.lab.block_size };
}

/** The tokens whose rows point most nearly the same way. */
export function nearestTokens({ table }: Inputs, id: number, count: number): Promise<Neighbour[]> {
  const [rows = 0, columns = 0] = table.shape;
  return lab.ask({ question: "nearest_rows", table: table.data, rows, columns, row: id, count });
}
