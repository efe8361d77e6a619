// Who computes what of a step that several workers share. Apart from team.ts, since the page counts workers by it and has no
// use for the wasm module.

import type { Share } from "./protocol.js";

/** What each of so many workers computes of a step, as nodes of the sum (0 + 1) + (2 + 3); the leader's share first. */
export const shares: Record<number, readonly Share[]> = {
  2: [[0, 2], [2, 2]],
  3: [[0, 2], [2, 1], [3, 1]],
  4: [[0, 1], [1, 1], [2, 1], [3, 1]],
};
export const mostWorkers = 4;
