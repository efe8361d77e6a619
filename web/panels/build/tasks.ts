// What the exercise `build` asks for, and the code a learner starts from.

import type { Matrix } from "../../engine/types.js";
import type { ExerciseName } from "../../state/progress.js";

export type TaskName = "sinusoidal" | "rope";

export const tasks: Record<TaskName, { exercise: ExerciseName; functionName: string; start: string }> = {
  sinusoidal: {
    exercise: "build-sinusoidal",
    functionName: "positions",
    start: `// n rows, one for each position p = 0, 1, … n - 1; each row has d numbers.
function positions(n, d, base) {
  const rows = [];
  for (let p = 0; p < n; p++) {
    const row = new Array(d).fill(0);
    // Your part: fill the row with the sines and cosines of position p.
    rows.push(row);
  }
  return rows;
}
`,
  },
  rope: {
    exercise: "build-rope",
    functionName: "rope",
    start: `// X holds one vector in each row; row p stands at position p.
function rope(X, base) {
  return X.map((x, p) => {
    const turned = [...x];
    // Your part: turn each pair of numbers by its angle at position p.
    return turned;
  });
}
`,
  },
};

/** A matrix as lines of numbers that a program reads back to the same single-precision numbers. */
export function csvOf({ shape, data }: Matrix): string {
  const [rows = 0, columns = 0] = shape;
  const line = (row: number) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns), (x) => Number(x.toPrecision(9))).join(",");
  return Array.from({ length: rows }, (_, row) => line(row)).join("\n");
}
