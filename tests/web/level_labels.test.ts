import { expect, test } from "vitest";
import { overlap, piecesInside, placeLabel, type Box } from "../../web/parts/level_labels.js";

const area = { left: 0, right: 400, top: 0, bottom: 200 };
const xOf = (index: number) => 10 * index;
const yOf = (value: number) => value;
const inside = (column: (number | null)[], box: Box) =>
  piecesInside(column, Math.floor(box.left / 10), Math.ceil(box.right / 10), box, xOf, yOf);

test("a label stands at the right end above its line while nothing is there", () => {
  expect(placeLabel(100, 14, 100, area, 4, () => 0)).toEqual({ left: 296, right: 396, top: 82, bottom: 96 });
});

test("a label makes way for a curve's end, below the line first", () => {
  // Falls to just above the line at 100 and ends there.
  const column = Array.from({ length: 41 }, (_, i) => 40 + 1.3 * i);
  const box = placeLabel(100, 14, 100, area, 4, (each) => inside(column, each));
  expect(inside(column, box)).toBe(0);
  expect(box.top).toBe(104);
  const both = [column, Array.from({ length: 41 }, () => 110)];
  const further = placeLabel(100, 14, 100, area, 4, (each) => both.reduce((n, one) => n + inside(one, each), 0));
  expect(further.right).toBeLessThan(396);
  for (const one of both) expect(inside(one, further)).toBe(0);
});

test("a curve with values far apart is met between them, too", () => {
  const column: (number | null)[] = Array.from({ length: 41 }, () => null);
  column[0] = 90;
  column[40] = 90;
  expect(inside(column, { left: 150, right: 250, top: 82, bottom: 96 })).toBe(1);
  expect(inside(column, { left: 150, right: 250, top: 100, bottom: 114 })).toBe(0);
});

test("a label with no free place covers as little as it can", () => {
  const box = placeLabel(100, 14, 100, area, 4, ({ left, top }) => (left < 20 && top > 100 ? 1 : 5));
  expect(box).toMatchObject({ left: 4, top: 104 });
  expect(overlap(box, { left: 100, right: 120, top: 110, bottom: 130 })).toBe(true);
  expect(overlap(box, { left: 105, right: 120, top: 110, bottom: 130 })).toBe(false);
});
