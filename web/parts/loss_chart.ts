// Loss curves of a race: training faint, validation strong, three guessers as dashed lines, and the numbers at a step in
// words for pointer and keyboard.

import { css, html, LitElement, unsafeCSS, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import "./language.js";
import uPlot from "uplot";
import plotCss from "uplot/dist/uPlot.min.css?inline";
import { formatValue } from "../draw/ticks.js";
import type { Baselines } from "../engine/types.js";
import { controls } from "../panels/styles.js";
import { nextFrame } from "./frame.js";
import { overlap, piecesInside, placeLabel, type Box } from "./level_labels.js";

/** What the chart needs to know of a run. */
export interface Curve {
  scheme: string;
  title: string;
  colour: string;
  /** The loss of step 1 is at index 0. */
  losses: readonly number[];
  val: readonly { step: number; loss: number }[];
}

interface Level {
  label: string;
  value: number;
}

export class LossChart extends LitElement {
  static override styles = [
    unsafeCSS(plotCss),
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
        --font: system-ui, sans-serif;
      }
      .plot {
        color: var(--ink);
        border-color: var(--rule);
        background-color: var(--paper);
        min-height: 300px;
        touch-action: pan-x pan-y pinch-zoom;
      }
      .key {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.1rem;
        margin-bottom: 0.3rem;
      }
      .key span {
        display: inline-flex;
        align-items: center;
        gap: 0.4rem;
      }
      .thin,
      .thick {
        display: inline-block;
        inline-size: 1.4rem;
        block-size: 0;
        border-top: 1px solid currentColor;
        opacity: 0.6;
      }
      .thick {
        border-top-width: 3px;
        opacity: 1;
      }
      output {
        display: block;
        min-height: 2.9em;
        margin-top: 0.4rem;
      }
      @media print {
        i {
          print-color-adjust: exact;
        }
        output {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) curves: readonly Curve[] = [];
  @property({ attribute: false }) baselines: Baselines | undefined;
  /** The last step of the training. */
  @property({ type: Number }) steps = 0;
  @state() private at: number | undefined;
  @state() private spoken = false;
  #plot: uPlot | undefined;
  #look = "";
  readonly #resize = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && this.#plot && this.#plot.width !== width) this.#plot.setSize({ width, height: 300 });
  });
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #print = matchMedia("print");
  readonly #rebuild = () => {
    this.#look = "";
    this.requestUpdate();
  };
  // At once: paper is white whatever the screen shows, and printing waits for no frame.
  readonly #buildNow = () => {
    if (this.#plot) this.#build();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.#dark.addEventListener("change", this.#rebuild);
    this.#print.addEventListener("change", this.#buildNow);
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#dark.removeEventListener("change", this.#rebuild);
    this.#print.removeEventListener("change", this.#buildNow);
    this.#resize.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#look = "";
  }

  override render() {
    return html`<div class="key">
        ${this.curves.map(
          ({ title, scheme }) => html`<span data-scheme=${scheme}><i class="chip"></i>${title}</span>`,
        )}
        <span class="quiet"><i class="thick"></i>validation</span>
        <span class="quiet"><i class="thin"></i>training batches</span>
      </div>
      <div
        class="plot"
        tabindex="0"
        role="application"
        aria-roledescription="chart"
        aria-label="Loss in nats per character against training step. Left and right arrow keys read the values."
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
      ></div>
      <output aria-live=${this.spoken ? "polite" : "off"}>${this.#sentence()}</output>`;
  }

  /** At first in a frame after its panel's: together they would hold up the page. Later, when there is less to do, in the
   * same one, since each frame takes time from a training. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextFrame();
    await super.scheduleUpdate();
  }

  protected override updated(changes: PropertyValues): void {
    if (this.#look === "" || changes.has("curves") || changes.has("steps") || changes.has("baselines")) void this.#paint();
  }

  async #paint(): Promise<void> {
    const look = JSON.stringify([this.curves.map(({ colour }) => colour), this.steps, this.baselines]);
    if (look !== this.#look) {
      this.#look = look;
      await nextFrame();
      if (!this.isConnected) return;
      this.#build();
    } else {
      this.#plot?.setData(this.#columns());
    }
  }

  #levels(): Level[] {
    if (!this.baselines) return [];
    return [
      { label: "all characters alike, ln V", value: this.baselines.uniform },
      { label: "unigram counts", value: this.baselines.unigram },
      { label: "bigram counts", value: this.baselines.bigram },
    ];
  }

  #columns(): uPlot.AlignedData {
    const last = Math.max(0, ...this.curves.map(({ losses, val }) => Math.max(losses.length, val.at(-1)?.step ?? 0)));
    const xs = Array.from({ length: last + 1 }, (_, step) => step);
    const columns: (number | null)[][] = [];
    for (const { losses, val } of this.curves) {
      columns.push(xs.map((step) => losses[step - 1] ?? null));
      const strong: (number | null)[] = Array.from(xs, () => null);
      for (const { step, loss } of val) strong[step] = loss;
      columns.push(strong);
    }
    return [xs, ...columns];
  }

  #build(): void {
    this.#plot?.destroy();
    const into = this.renderRoot.querySelector<HTMLElement>(".plot");
    if (!into) return;
    const style = getComputedStyle(into);
    const ink = style.color;
    const rule = style.borderTopColor;
    const paper = style.backgroundColor;
    const font = `12px ${style.fontFamily}`;
    const axis = { stroke: ink, font, labelFont: font, ticks: { stroke: rule }, grid: { stroke: rule, width: 1 } };
    const series = this.curves.flatMap(({ colour }): uPlot.Series[] => [
      { stroke: `${colour}55`, width: 1, points: { show: false } },
      { stroke: colour, width: 2.5, spanGaps: true, points: { show: false } },
    ]);
    this.#plot = new uPlot(
      {
        width: Math.max(200, Math.floor(into.clientWidth)),
        height: 300,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
        scales: {
          x: { time: false, range: () => [0, Math.max(1, this.steps)] },
          y: { range: (_plot, low, high) => this.#range(low, high) },
        },
        axes: [
          { ...axis, label: "step", labelSize: 18, size: 34 },
          { ...axis, label: "loss (nats per character)", labelSize: 18, size: 44 },
        ],
        series: [{}, ...series],
        hooks: {
          draw: [(plot) => this.#drawLevels(plot, ink, paper, font)],
          setCursor: [(plot) => this.#hover(plot)],
        },
      },
      this.#columns(),
      into,
    );
  }

  #range(low: number | null, high: number | null): [number, number] {
    const levels = this.#levels().map(({ value }) => value);
    const known = [...levels, low, high].filter((value): value is number => typeof value === "number");
    if (known.length === 0) return [0, 5];
    // One wild batch must not flatten the rest.
    const most = Math.max(...levels, Math.min(high ?? 0, 1.5 * Math.max(0, ...levels)));
    const least = Math.min(...known);
    // Half steps, so that the axis rests while the curves sink.
    return [Math.floor(2 * (least - 0.05)) / 2, most + 0.25];
  }

  #drawLevels(plot: uPlot, ink: string, paper: string, font: string): void {
    const { ctx } = plot;
    const { left, width } = plot.bbox;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.fillStyle = ink;
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.font = font.replace("12px", `${12 * ratio}px`);
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    const levels = this.#levels();
    const area = { left, right: left + width, top: plot.bbox.top, bottom: plot.bbox.top + plot.bbox.height };
    const placed: Box[] = [];
    for (const { value } of levels) {
      const y = plot.valToPos(value, "y", true);
      ctx.globalAlpha = 0.6;
      ctx.beginPath();
      ctx.moveTo(left, y);
      ctx.lineTo(left + width, y);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    for (const { label, value } of levels) {
      const y = plot.valToPos(value, "y", true);
      const words = `${label}: ${formatValue(value)}`;
      const size = [ctx.measureText(words).width, 14 * ratio] as const;
      const box = placeLabel(...size, y, area, 3 * ratio, (each) => this.#covered(plot, each, placed));
      placed.push(box);
      const at = [box.right, box.bottom] as const;
      // A rim in the colour of the paper keeps the words readable where a curve crosses them.
      ctx.save();
      ctx.setLineDash([]);
      ctx.lineJoin = "round";
      ctx.lineWidth = 5 * ratio;
      ctx.strokeStyle = paper;
      ctx.strokeText(words, ...at);
      ctx.restore();
      ctx.fillText(words, ...at);
    }
    ctx.restore();
  }

  /** How much of the curves, and of labels that are already there, a label in this place would cover. */
  #covered(plot: uPlot, box: Box, labels: readonly Box[]): number {
    const [xs, ...columns] = plot.data;
    const stepAt = (x: number) => plot.posToVal((x - plot.bbox.left) / (devicePixelRatio || 1), "x");
    const first = Math.max(0, Math.floor(stepAt(box.left)));
    const last = Math.ceil(stepAt(box.right));
    const xOf = (index: number) => plot.valToPos(xs[index] ?? 0, "x", true);
    const yOf = (value: number) => plot.valToPos(value, "y", true);
    const curves = columns.map((column) => piecesInside(column, first, last, box, xOf, yOf));
    // Two labels over each other are worse than any curve below one.
    return curves.reduce((sum, pieces) => sum + pieces, 0) + 1e6 * labels.filter((label) => overlap(label, box)).length;
  }

  #hover(plot: uPlot): void {
    if (this.#moving) return;
    const at = plot.cursor.idx ?? undefined;
    if (at === this.at) return;
    this.spoken = false;
    this.at = at;
  }

  #moving = false;

  #key(event: KeyboardEvent): void {
    const plot = this.#plot;
    const last = (plot?.data[0].length ?? 1) - 1;
    const stride = Math.max(1, Math.round(this.steps / 50));
    const now = this.at ?? 0;
    const to = { ArrowLeft: now - stride, ArrowRight: now + stride, Home: 0, End: last }[event.key];
    if (!plot || to === undefined) return;
    event.preventDefault();
    this.spoken = true;
    this.at = Math.min(Math.max(to, 0), last);
    this.#moving = true;
    plot.setCursor({ left: plot.valToPos(this.at, "x"), top: 10 });
    this.#moving = false;
  }

  #sentence() {
    const at = this.at;
    if (at === undefined || this.curves.length === 0) {
      return html`<span class="quiet">Point at the curves or use the arrow keys.</span>`;
    }
    const parts = this.curves.map(({ title, losses, val }) => {
      const strong = val.filter(({ step }) => step <= at).at(-1);
      const train = losses[at - 1];
      const words = [
        train === undefined ? undefined : `batch ${formatValue(train)}`,
        strong ? `validation ${formatValue(strong.loss)}` : undefined,
      ];
      return `${title}: ${words.filter(Boolean).join(", ") || "not there yet"}`;
    });
    return html`Step ${at}. ${parts.join("; ")}.`;
  }
}
