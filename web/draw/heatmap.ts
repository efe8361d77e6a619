// A matrix as a picture: cells, axes with numbers or tokens, a colour bar, masked cells hatched, a cursor. Pure functions
// of a context, the data and a box; who draws when is not decided here.

import { colourIndex, colourOf, type ColourScale } from "./scales.js";
import { formatValue, tickIndices } from "./ticks.js";

export interface Heatmap {
  rows: number;
  cols: number;
  /** Row-major. */
  values: ArrayLike<number>;
  scale: ColourScale;
  /** Cells that hold no value because looking there is not allowed. */
  masked?: ((row: number, col: number) => boolean) | undefined;
  rowTitle: string;
  colTitle: string;
  /** Words instead of numbers along an axis. */
  rowLabels?: readonly string[] | undefined;
  colLabels?: readonly string[] | undefined;
  firstRow?: number;
  firstCol?: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Theme {
  ink: string;
  faint: string;
  font: string;
}

export interface Cell {
  row: number;
  col: number;
}

const margin = { left: 46, top: 6, right: 62, bottom: 40 };
const barWidth = 12;
const barGap = 12;

/** Where the cells lie inside the box. */
export function plotOf(box: Box): Box {
  return {
    x: box.x + margin.left,
    y: box.y + margin.top,
    width: Math.max(1, box.width - margin.left - margin.right),
    height: Math.max(1, box.height - margin.top - margin.bottom),
  };
}

/** The height that makes cells `aspect` times as high as wide. */
export function heightFor(width: number, rows: number, cols: number, aspect: number): number {
  const plotWidth = Math.max(1, width - margin.left - margin.right);
  return (plotWidth / cols) * aspect * rows + margin.top + margin.bottom;
}

/** The width at which a picture of that height has such cells. */
export function widthFor(height: number, rows: number, cols: number, aspect: number): number {
  const plotHeight = Math.max(1, height - margin.top - margin.bottom);
  return (plotHeight / rows / aspect) * cols + margin.left + margin.right;
}

export function cellAt(data: Heatmap, box: Box, x: number, y: number): Cell | undefined {
  const plot = plotOf(box);
  const col = Math.floor(((x - plot.x) / plot.width) * data.cols);
  const row = Math.floor(((y - plot.y) / plot.height) * data.rows);
  return row >= 0 && row < data.rows && col >= 0 && col < data.cols ? { row, col } : undefined;
}

export function drawHeatmap(
  ctx: CanvasRenderingContext2D,
  data: Heatmap,
  box: Box,
  theme: Theme,
  cursor?: Cell,
): void {
  const plot = plotOf(box);
  ctx.save();
  ctx.clearRect(box.x, box.y, box.width, box.height);
  drawCells(ctx, data, plot, theme);
  drawAxes(ctx, data, box, plot, theme);
  drawColourBar(ctx, data.scale, box, plot, theme);
  if (cursor) drawCursor(ctx, data, plot, cursor);
  ctx.restore();
}

/** The cells alone, filling the box: for thumbnails. */
export function drawCells(ctx: CanvasRenderingContext2D, data: Heatmap, plot: Box, theme: Theme): void {
  if (data.rows === 0 || data.cols === 0) return;
  let picture = pictures.get(data);
  if (!picture) pictures.set(data, (picture = pictureOf(data)));
  if (picture.anyMasked) drawHatch(ctx, plot, theme);
  ctx.save();
  if (picture.anyMasked) clipToAllowed(ctx, data, plot);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(picture.cells, plot.x, plot.y, plot.width, plot.height);
  ctx.restore();
}

interface Picture {
  /** One pixel for each cell. */
  cells: OffscreenCanvas;
  anyMasked: boolean;
}

/** A cursor that moves over a million cells must not paint them all again. */
const pictures = new WeakMap<Heatmap, Picture>();

function pictureOf({ rows, cols, values, scale, masked }: Heatmap): Picture {
  const image = new ImageData(cols, rows);
  const pixels = image.data;
  const { colours } = scale;
  let anyMasked = false;
  for (let row = 0, cell = 0; row < rows; ++row) {
    for (let col = 0; col < cols; ++col, ++cell) {
      if (masked?.(row, col)) {
        anyMasked = true;
        continue;
      }
      const at = colourIndex(scale, values[cell] as number);
      pixels[4 * cell] = colours[at] as number;
      pixels[4 * cell + 1] = colours[at + 1] as number;
      pixels[4 * cell + 2] = colours[at + 2] as number;
      pixels[4 * cell + 3] = 255;
    }
  }
  const cells = new OffscreenCanvas(cols, rows);
  cells.getContext("2d")?.putImageData(image, 0, 0);
  return { cells, anyMasked };
}

/** Keeps smoothing or rounding from painting into masked cells. */
function clipToAllowed(ctx: CanvasRenderingContext2D, data: Heatmap, plot: Box): void {
  ctx.beginPath();
  const width = plot.width / data.cols;
  const height = plot.height / data.rows;
  for (let row = 0; row < data.rows; ++row) {
    let start = -1;
    for (let col = 0; col <= data.cols; ++col) {
      const open = col < data.cols && !data.masked?.(row, col);
      if (open && start < 0) start = col;
      if (!open && start >= 0) {
        ctx.rect(plot.x + start * width, plot.y + row * height, (col - start) * width, height);
        start = -1;
      }
    }
  }
  ctx.clip();
}

function drawHatch(ctx: CanvasRenderingContext2D, plot: Box, theme: Theme): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.x, plot.y, plot.width, plot.height);
  ctx.clip();
  ctx.strokeStyle = theme.faint;
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let offset = -plot.height; offset < plot.width; offset += 6) {
    ctx.moveTo(plot.x + offset, plot.y);
    ctx.lineTo(plot.x + offset + plot.height, plot.y + plot.height);
  }
  ctx.stroke();
  ctx.restore();
}

function drawAxes(ctx: CanvasRenderingContext2D, data: Heatmap, box: Box, plot: Box, theme: Theme): void {
  const width = plot.width / data.cols;
  const height = plot.height / data.rows;
  ctx.strokeStyle = theme.faint;
  ctx.fillStyle = theme.ink;
  ctx.lineWidth = 1;
  ctx.font = `12px ${theme.font}`;
  ctx.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.width + 1, plot.height + 1);

  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  const colTicks = data.colLabels
    ? tickIndices(data.cols, width, 10)
    : tickIndices(data.cols, width, 34, data.firstCol ?? 0);
  for (const col of colTicks) {
    const label = data.colLabels?.[col] ?? String((data.firstCol ?? 0) + col);
    const x = plot.x + (col + 0.5) * width;
    if (!data.colLabels) ctx.fillRect(x - 0.5, plot.y + plot.height + 1, 1, 4);
    ctx.fillText(label, x, plot.y + plot.height + 7);
  }
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  const rowTicks = data.rowLabels
    ? tickIndices(data.rows, height, 11)
    : tickIndices(data.rows, height, 20, data.firstRow ?? 0);
  for (const row of rowTicks) {
    const label = data.rowLabels?.[row] ?? String((data.firstRow ?? 0) + row);
    const y = plot.y + (row + 0.5) * height;
    if (!data.rowLabels) ctx.fillRect(plot.x - 5, y - 0.5, 4, 1);
    ctx.fillText(label, plot.x - 8, y);
  }

  ctx.fillStyle = theme.faint;
  ctx.textAlign = "center";
  ctx.textBaseline = "bottom";
  ctx.fillText(data.colTitle, plot.x + plot.width / 2, box.y + box.height - 1);
  ctx.save();
  ctx.translate(box.x + 1, plot.y + plot.height / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textBaseline = "top";
  ctx.fillText(data.rowTitle, 0, 0);
  ctx.restore();
}

function drawColourBar(
  ctx: CanvasRenderingContext2D,
  scale: ColourScale,
  box: Box,
  plot: Box,
  theme: Theme,
): void {
  const x = plot.x + plot.width + barGap;
  const height = Math.min(plot.height, 220);
  for (let i = 0; i < height; ++i) {
    ctx.fillStyle = colourOf(scale, scale.high - ((scale.high - scale.low) * i) / (height - 1));
    ctx.fillRect(x, plot.y + i, barWidth, 1.5);
  }
  ctx.strokeStyle = theme.faint;
  ctx.strokeRect(x - 0.5, plot.y - 0.5, barWidth + 1, height + 1);
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "left";
  ctx.font = `12px ${theme.font}`;
  const middle = (scale.low + scale.high) / 2;
  // Enough digits to tell the three numbers apart.
  const half = (scale.high - scale.low) / 2;
  const digits = half > 0 ? Math.min(4, Math.max(1, 1 - Math.floor(Math.log10(half)))) : 1;
  for (const [value, y, baseline] of [
    [scale.high, plot.y, "top"],
    [middle, plot.y + height / 2, "middle"],
    [scale.low, plot.y + height, "bottom"],
  ] as const) {
    ctx.textBaseline = baseline;
    ctx.fillText(formatValue(value, digits), x + barWidth + 5, y, box.x + box.width - x - barWidth - 5);
  }
}

function drawCursor(ctx: CanvasRenderingContext2D, data: Heatmap, plot: Box, cursor: Cell): void {
  const width = plot.width / data.cols;
  const height = plot.height / data.rows;
  const x = plot.x + cursor.col * width;
  const y = plot.y + cursor.row * height;
  // Two rings, one of which shows on any colour.
  ctx.lineWidth = 2;
  ctx.strokeStyle = "#000";
  ctx.strokeRect(x - 2, y - 2, width + 4, height + 4);
  ctx.strokeStyle = "#fff";
  ctx.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
}
