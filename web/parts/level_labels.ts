// Where the words of a horizontal line stand in a chart: as far to the right as they can without covering a curve.

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The place of a label above or below the line at `y`, inside `area`: the first one that covers nothing, going from
 * right to left, or else the one that covers least. */
export function placeLabel(
  width: number,
  height: number,
  y: number,
  area: Box,
  gap: number,
  covers: (box: Box) => number,
): Box {
  const strides = 12;
  const room = Math.max(0, area.right - area.left - width - 2 * gap);
  let best: { box: Box; covered: number } | undefined;
  for (let stride = 0; stride <= strides; ++stride) {
    const right = area.right - gap - (room * stride) / strides;
    for (const bottom of [y - gap, y + gap + height]) {
      const box = { left: right - width, right, top: bottom - height, bottom };
      if (box.top < area.top || box.bottom > area.bottom) continue;
      const covered = covers(box);
      if (covered === 0) return box;
      if (!best || covered < best.covered) best = { box, covered };
    }
  }
  return best?.box ?? { left: area.right - gap - width, right: area.right - gap, top: y - gap - height, bottom: y - gap };
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

type Column = ArrayLike<number | null | undefined>;

/** How many pieces of a curve run through a box. The curve has a value at each index or none; `xOf` and `yOf` give pixels. */
export function piecesInside(
  column: Column,
  first: number,
  last: number,
  box: Box,
  xOf: (index: number) => number,
  yOf: (value: number) => number,
): number {
  let pieces = 0;
  let before: { x: number; y: number } | undefined;
  for (let index = previousValue(column, first); index < column.length; ++index) {
    const value = column[index];
    if (value === null || value === undefined) continue;
    const here = { x: xOf(index), y: yOf(value) };
    const from = before ?? here;
    if (crosses(from, here, box)) ++pieces;
    before = here;
    if (index > last) break;
  }
  return pieces;
}

/** A curve that leaps over empty indices enters a box from the last value before it. */
function previousValue(column: Column, index: number): number {
  for (let i = Math.max(0, Math.min(index, column.length - 1)); i > 0; --i) {
    if (typeof column[i] === "number") return i;
  }
  return 0;
}

/** Whether a piece of a line has a point in a box. */
function crosses(a: { x: number; y: number }, b: { x: number; y: number }, box: Box): boolean {
  if (b.x < box.left || a.x > box.right) return false;
  const at = (x: number) => (a.x === b.x ? b.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x));
  const ys = a.x === b.x ? [a.y, b.y] : [at(Math.max(a.x, box.left)), at(Math.min(b.x, box.right))];
  return Math.max(...ys) >= box.top && Math.min(...ys) <= box.bottom;
}
