// A matrix figure: the drawing, a cell cursor for pointer and keyboard, and the value of that cell in words.

import { css, html, LitElement, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { cellAt, drawHeatmap, heightFor, widthFor, type Box, type Cell, type Heatmap, type Theme } from "../draw/heatmap.js";
import { formatValue } from "../draw/ticks.js";
import { controls } from "../panels/styles.js";
import { nextFrame } from "./frame.js";

/** A cell's value as a sentence. */
export type Describe = (row: number, col: number, value: number) => string;

/** What the picture depends on; the words change more often. */
const painted = ["data", "aspect", "height", "maxHeight", "cursor", "width"];

export class MatrixFigure extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      canvas {
        display: block;
        max-width: 100%;
        touch-action: pan-x pan-y pinch-zoom;
        cursor: crosshair;
        /* Read by the drawing code: the theme's colours. */
        color: var(--ink);
        border-color: var(--soft);
        background-color: var(--paper);
        border-radius: 3px;
      }
      output {
        display: block;
        min-height: 1.45em;
        margin-top: 0.4rem;
        padding-inline-start: 46px;
      }
      @container (max-width: 480px) {
        output {
          min-height: 2.9em;
          padding-inline-start: 0;
        }
      }
      .hint {
        color: var(--soft);
      }
      @media print {
        .hint {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) data: Heatmap | undefined;
  @property({ attribute: false }) describe: Describe = (_row, _col, value) => String(value);
  /** What the matrix shows, for readers who do not see it. */
  @property() label = "";
  /** Height of a cell over its width; 0 = the fixed height below. */
  @property({ type: Number }) aspect = 1;
  @property({ type: Number }) height = 320;
  @property({ type: Number, attribute: "max-height" }) maxHeight = 560;
  @state() private cursor: Cell | undefined;
  @state() private spoken = false;
  @state() private width = 0;
  /** What is seen, with its numbers, for readers who do not see it. */
  #seen = "";
  readonly #resize = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry?.contentRect.width ?? 0);
  });
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #print = matchMedia("print");
  // At once: paper is white whatever the screen shows, and printing waits for no frame.
  readonly #paintNow = () => this.#paint();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize.observe(this);
    this.#dark.addEventListener("change", this.#paintNow);
    this.#print.addEventListener("change", this.#paintNow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
    this.#dark.removeEventListener("change", this.#paintNow);
    this.#print.removeEventListener("change", this.#paintNow);
  }

  /** In a frame after its panel's: together they would hold up the page. */
  protected override async scheduleUpdate(): Promise<void> {
    await nextFrame();
    await super.scheduleUpdate();
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has("data")) this.#seen = this.data ? summaryOf(this.data) : "";
  }

  override render() {
    const text = this.#sentence();
    return html`<canvas
        tabindex="0"
        role="application"
        aria-roledescription="matrix"
        aria-label="${this.label} ${this.#seen} Arrow keys move from cell to cell."
        @pointermove=${(event: PointerEvent) => event.pointerType === "mouse" && this.#point(event)}
        @pointerleave=${(event: PointerEvent) => event.pointerType === "mouse" && this.#leave()}
        @click=${(event: PointerEvent) => this.#point(event)}
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
        @focus=${() => this.#focus()}
      ></canvas>
      <output aria-live=${this.spoken ? "polite" : "off"}
        >${text ?? html`<span class="hint">Point at a cell or use the arrow keys.</span>`}</output
      >`;
  }

  protected override updated(changes: PropertyValues): void {
    if (painted.some((name) => changes.has(name))) this.#paint();
  }

  #paint(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const ctx = canvas?.getContext("2d");
    if (!canvas || !ctx || !this.data || this.width === 0) return;
    const box = this.#box();
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(box.width * ratio);
    const height = Math.round(box.height * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${box.width}px`;
      canvas.style.height = `${box.height}px`;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawHeatmap(ctx, this.data, box, themeOf(canvas), this.#cursorInside());
  }

  /** The whole width, but no wider than cells of the wanted shape allow at the greatest height. */
  #box(): Box {
    const { rows, cols } = this.data ?? { rows: 1, cols: 1 };
    if (this.aspect === 0) return { x: 0, y: 0, width: this.width, height: this.height };
    const wanted = heightFor(this.width, rows, cols, this.aspect);
    const height = Math.round(Math.min(Math.max(wanted, 150), this.maxHeight));
    const width = Math.min(this.width, Math.round(widthFor(height, rows, cols, this.aspect)));
    return { x: 0, y: 0, width: wanted > this.maxHeight ? width : this.width, height };
  }

  #cursorInside(): Cell | undefined {
    const { cursor, data } = this;
    return cursor && data && cursor.row < data.rows && cursor.col < data.cols ? cursor : undefined;
  }

  #sentence(): string | undefined {
    const cell = this.#cursorInside();
    if (!cell || !this.data) return undefined;
    const value = this.data.values[cell.row * this.data.cols + cell.col] as number;
    return this.describe(cell.row, cell.col, value);
  }

  #point(event: PointerEvent): void {
    if (!this.data) return;
    this.spoken = false;
    this.#move(cellAt(this.data, this.#box(), event.offsetX, event.offsetY));
  }

  #leave(): void {
    if (this.shadowRoot?.activeElement === null) this.#move(undefined);
  }

  #focus(): void {
    if (!this.cursor) this.#move({ row: 0, col: 0 });
  }

  #key(event: KeyboardEvent): void {
    const { data } = this;
    if (!data) return;
    const { row, col } = this.#cursorInside() ?? { row: 0, col: 0 };
    const far = event.ctrlKey || event.metaKey;
    const steps: Record<string, Cell> = {
      ArrowUp: { row: row - 1, col },
      ArrowDown: { row: row + 1, col },
      ArrowLeft: { row, col: col - 1 },
      ArrowRight: { row, col: col + 1 },
      PageUp: { row: row - 10, col },
      PageDown: { row: row + 10, col },
      Home: { row: far ? 0 : row, col: 0 },
      End: { row: far ? data.rows - 1 : row, col: data.cols - 1 },
    };
    const to = steps[event.key];
    if (!to) return;
    event.preventDefault();
    this.spoken = true;
    const inside = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
    this.#move({ row: inside(to.row, data.rows), col: inside(to.col, data.cols) });
  }

  #move(cell: Cell | undefined): void {
    this.cursor = cell;
    this.dispatchEvent(new CustomEvent<Cell | undefined>("cell", { detail: cell }));
  }
}

/** Size, and smallest and largest value with the cells that hold them. */
function summaryOf({ rows, cols, values, masked }: Heatmap): string {
  let low = -1;
  let high = -1;
  for (let row = 0, cell = 0; row < rows; ++row) {
    for (let col = 0; col < cols; ++col, ++cell) {
      if (masked?.(row, col)) continue;
      const value = values[cell] as number;
      if (low < 0 || value < (values[low] as number)) low = cell;
      if (high < 0 || value > (values[high] as number)) high = cell;
    }
  }
  if (low < 0) return "";
  const say = (cell: number) =>
    `${formatValue(values[cell] as number, 3)} in row ${Math.floor(cell / cols)}, column ${cell % cols}`;
  const size = `${rows} ${rows === 1 ? "row" : "rows"}, ${cols} ${cols === 1 ? "column" : "columns"}`;
  return `${size}; smallest ${say(low)}, largest ${say(high)}.`;
}

function themeOf(canvas: HTMLCanvasElement): Theme {
  const style = getComputedStyle(canvas);
  return {
    ink: style.color,
    faint: style.borderTopColor,
    font: style.fontFamily,
  };
}
