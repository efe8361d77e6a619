// Holds this package's types against those that the compiler made from the bridge. A call that the module lacks, or a
// field that only one side has, is a type error here. The module may have calls that this package does not use.

import type * as Made from "../../build/wasm/poslab.mjs";
import type * as Lesson from "./lesson_types.js";
import type * as Ours from "./types.js";

type SameNames<A, B> = [Exclude<keyof A, keyof B>, Exclude<keyof B, keyof A>] extends [never, never] ? true : false;

type HasNames<A, B> = [Exclude<keyof A, keyof B>] extends [never] ? true : false;

type Checks = [
  HasNames<Ours.Core, Made.MainModule>,
  HasNames<Ours.Session, Made.Session>,
  HasNames<Ours.ShardHelper, Made.ShardHelper>,
  SameNames<Ours.GptConfig, Made.GptConfig>,
  SameNames<Ours.TrainConfig, Made.TrainConfig>,
  SameNames<Ours.StepMetrics, Made.StepMetrics>,
  SameNames<Ours.GenerateOptions, Made.GenerateOptions>,
  SameNames<Ours.Baselines, Made.Baselines>,
  SameNames<Ours.TextStats, Made.TextStats>,
  SameNames<Ours.PositionScheme, Made.PositionScheme>,
  SameNames<Ours.TextTensor, Made.TextTensor>,
  SameNames<Ours.Parameter, Made.NamedTensor>,
  SameNames<Lesson.Proof, Made.Proof>,
  SameNames<Lesson.PermutationStage, Made.PermutationStage>,
  SameNames<Lesson.LayerBlindness, Made.LayerBlindness>,
  SameNames<Lesson.InputRows, Made.InputRows>,
  SameNames<Lesson.Tokenized, Made.Tokenized>,
  SameNames<Lesson.ShortTextTraining, Made.ShortTextTraining>,
  SameNames<Lesson.NpyHeader, Made.NpyHeader>,
  SameNames<Lesson.Neighbour, Made.Neighbour>,
  SameNames<Lesson.ParameterCounts, Made.ParameterCounts>,
  SameNames<Lesson.EquivarianceStep, Made.EquivarianceStep>,
  SameNames<Lesson.Equivariance, Made.Equivariance>,
  SameNames<Lesson.RopeStretching, Made.RopeStretching>,
  SameNames<Lesson.RopeFrequencies, Made.RopeFrequencies>,
  SameNames<Lesson.LossByPosition, Made.LossByPosition>,
  SameNames<Lesson.AttentionByOffset, Made.AttentionByOffset>,
  SameNames<Lesson.Readout, Made.Readout>,
  SameNames<Lesson.NpyArray, Made.NpyArray>,
  SameNames<Lesson.SafetensorsEntry, Made.SafetensorsEntry>,
  SameNames<Lesson.Mistake, Made.Mistake>,
  SameNames<Lesson.Grade, Made.Grade>,
  SameNames<Lesson.RopeTask, Made.RopeTask>,
  SameNames<Lesson.BugReport, Made.BugReport>,
];

/** The made module under our types, which call a string a string. */
export function asCore(module: Made.MainModule): Ours.Core {
  const same: Checks extends true[] ? Made.MainModule : never = module;
  return same as unknown as Ours.Core;
}
