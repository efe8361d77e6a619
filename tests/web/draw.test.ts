import { expect, test } from "vitest";
import { cellAt, heightFor, plotOf, widthFor, type Heatmap } from "../../web/draw/heatmap.js";
import { colourOf, divergingScale, largestOf, shareScale } from "../../web/draw/scales.js";
import { formatDuration, formatDeviation, formatValue, tickIndices, tickStep } from "../../web/draw/ticks.js";

const brightness = (colour: string) => (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);

test("the diverging scale is white at zero, red above, blue below, and clamps", () => {
  const scale = divergingScale(2);
  expect(brightness(colourOf(scale, 0))).toBeGreaterThan(700);
  const [red, , blueOfRed] = (colourOf(scale, 2).match(/\d+/g) ?? []).map(Number);
  const [redOfBlue, , blue] = (colourOf(scale, -2).match(/\d+/g) ?? []).map(Number);
  expect(red).toBeGreaterThan(blueOfRed ?? 0);
  expect(blue).toBeGreaterThan(redOfBlue ?? 0);
  expect(colourOf(scale, 99)).toBe(colourOf(scale, 2));
  expect(colourOf(scale, Number.NaN)).toBe(colourOf(scale, -2));
});

test("an all-zero matrix still has a scale", () => {
  const scale = divergingScale(largestOf([0, 0]));
  expect([scale.low, scale.high]).toEqual([-1, 1]);
});

test("the scale of shares gets steadily brighter from 0 to 1", () => {
  const scale = shareScale();
  const steps = Array.from({ length: 11 }, (_, i) => brightness(colourOf(scale, i / 10)));
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

test("ticks are round numbers, far enough apart, and count from the first index", () => {
  expect(tickStep(6, 34)).toBe(10);
  expect(tickStep(40, 34)).toBe(1);
  expect(tickIndices(100, 6, 34)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  expect(tickIndices(10, 6, 20, 7)).toEqual([3, 8]);
});

test("numbers are written for readers", () => {
  expect(formatValue(-0.0001, 3)).toBe("−0.00010");
  expect(formatValue(-0.5)).toBe("−0.50");
  expect(formatValue(0)).toBe("0.00");
  expect(formatDuration(12.4)).toBe("12 s");
  expect(formatDuration(200)).toBe("3 min");
  expect(formatDuration(3720)).toBe("1 h 2 min");
});

test("a point belongs to the cell under it and to none outside the plot", () => {
  const data: Heatmap = {
    rows: 4,
    cols: 8,
    values: new Float32Array(32),
    scale: shareScale(),
    rowTitle: "",
    colTitle: "",
  };
  const box = { x: 0, y: 0, width: 500, height: 300 };
  const plot = plotOf(box);
  expect(cellAt(data, box, plot.x + 1, plot.y + 1)).toEqual({ row: 0, col: 0 });
  expect(cellAt(data, box, plot.x + plot.width - 1, plot.y + plot.height - 1)).toEqual({ row: 3, col: 7 });
  expect(cellAt(data, box, plot.x - 1, plot.y + 1)).toBeUndefined();
  expect(cellAt(data, box, plot.x + 1, plot.y + plot.height + 1)).toBeUndefined();
});

test("width and height for square cells agree", () => {
  const height = heightFor(500, 10, 20, 1);
  expect(widthFor(height, 10, 20, 1)).toBeCloseTo(500);
});

test("a deviation shows its power of ten, and a large one its digits", () => {
  expect([0, 2.44e-7, 9.99e-10, 0.5, 12.3456, 1234.5, Number.NaN].map(formatDeviation).map((text) => text.replaceAll("\u00a0", " "))).toEqual([
    "0",
    "2.4 × 10⁻⁷",
    "1.0 × 10⁻⁹",
    "0.500",
    "12.346",
    "1235",
    "NaN",
  ]);
});
