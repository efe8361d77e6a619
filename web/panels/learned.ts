// Panel `learned`: the table of trained positions as it grows, how alike its rows become, which of them never moved, and
// where it ends. Tables from files open here too.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { formatCount, formatValue } from "../draw/ticks.js";
import type { PositionTable } from "../engine/protocol.js";
import type { Run } from "../engine/run.js";
import type { OpenedTable } from "../parts/table_opener.js";
import { lab } from "../state/host.js";
import { sizes } from "../state/sizes.js";
import {
  movedByShortTexts,
  movedSinceStart,
  movementSentence,
  renderMovement,
  shortTrainingRows,
  shortTrainingSteps,
} from "./learned/movement.js";
import { figureOf, meanLikeness, renderTable, type TableFigure, type View } from "./learned/table_figure.js";
import { renderProblem } from "./fields.js";
import { declarationsOf } from "./panel.js";
import { RunPanel, runStyles } from "./run_panel.js";
import { base, controls } from "./styles.js";
import { cosineTerm } from "./terms.js";

/** The core makes no models for longer texts. */
const longestContext = 4096;

interface Shown {
  table: PositionTable;
  figure: TableFigure;
  moved: Float64Array;
}

export class LearnedPanel extends RunPanel {
  static override properties = declarationsOf("learned");
  static override styles = [
    base,
    controls,
    runStyles,
    css`
      .pair,
      .further {
        display: grid;
        gap: 1.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .further {
        margin-top: 1.5rem;
      }
      @container (min-width: 900px) {
        .pair.both,
        .further {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }
      }
      h3 {
        margin-top: 0;
      }
      section + section {
        margin-top: 1.25rem;
      }
      section p {
        margin: 0.5rem 0;
        max-width: 60ch;
      }
      .refusal {
        min-height: 3.5em;
      }
      @media print {
        section:has(poslab-table-opener) {
          display: none;
        }
      }
    `,
  ];

  override readonly panel = "learned";
  declare view: View;
  declare short: number;
  protected override readonly smallScheme = "learned";
  @state() private shown: Shown | undefined;
  @state() private opened: (OpenedTable & { figure: TableFigure }) | undefined;
  @state() private openedProblem: string | undefined;
  @state() private experiment: { length: number; distances: Float64Array } | undefined;
  @state() private experimentState: "idle" | "running" | { problem: string } = "idle";
  @state() private answer: { asked: number; sentence: string; refused: boolean } | undefined;

  constructor() {
    super();
    this.useFallbacks("learned");
  }

  protected override get chosen(): string {
    return "learned";
  }

  protected override accepts(run: Run): boolean {
    return run.positions === "learned";
  }

  protected override async inspect(run: Run): Promise<() => void> {
    const table = await run.ask({ question: "position_table" });
    if (!table) return () => {};
    const shown = { table, figure: figureOf(table, table.similarity), moved: await movedSinceStart(run, table) };
    return () => (this.shown = shown);
  }

  override render() {
    return html`<figure>
      ${this.renderComplaints()} ${this.#table()}
      <figcaption>
        A learned table begins as noise, in which any two rows have a cosine near 0. ${cosineTerm} Nothing tells the model
        which rows stand side by side, so what likeness the squares beside the diagonal show it has
        learned.${this.#likeness()}
      </figcaption>
      <div class="further">
        <section aria-labelledby="open"><h3 id="open">Open another table</h3>
          <poslab-table-opener @table=${(event: CustomEvent<OpenedTable>) => void this.#open(event.detail)}></poslab-table-opener>
          ${renderProblem(this.openedProblem)}
        </section>
        <div>${this.#moved()} ${this.#end()}</div>
      </div>
    </figure>`;
  }

  /** How alike neighbouring rows of the table in view are, in words. */
  #likeness(): string {
    const figure = this.opened?.figure ?? this.shown?.figure;
    if (!figure || figure.similarity.rows < 3) return "";
    const { neighbours, others, chance } = meanLikeness(figure);
    const measured = ` In the table shown, neighbouring rows have a cosine of ${formatValue(neighbours, 2)} on average, rows farther apart ${formatValue(others, 2)}`;
    if (neighbours - others > chance) return `${measured}: notice how the squares beside the diagonal stand out.`;
    const advice = this.opened ? "" : " This table has not learned its order yet; train longer.";
    return `${measured}: no more of a difference than chance makes.${advice}`;
  }

  #table() {
    const { opened, shown } = this;
    if (opened) {
      const [rows = 0] = opened.table.shape;
      const of = rows < opened.table.allRows ? `, the first ${formatCount(rows)} of ${formatCount(opened.table.allRows)} rows` : "";
      return html`<p class="status">
          <span>${opened.title}: ${opened.table.shape.join(" × ")} numbers of ${opened.dtype}${of}</span>
          <button type="button" @click=${() => (this.opened = undefined)}>Close the file</button>
        </p>
        ${renderTable(opened.figure, "The table of the file", this.view)}`;
    }
    if (!shown || !this.current) {
      return this.renderNoRun("No model with learned positions has been trained yet on this page.");
    }
    return html`${this.renderStatus()} ${this.renderFailure()}
      <div data-step=${shown.table.step}>
        ${renderTable(shown.figure, `The table after ${formatCount(shown.table.step)} steps`, this.view)}
      </div>`;
  }

  async #open(opened: OpenedTable): Promise<void> {
    const { data, shape } = opened.table;
    const [rows = 0, columns = 0] = shape;
    try {
      const similarity = await lab.ask({ question: "row_similarity", table: data, rows, columns });
      this.opened = { ...opened, figure: figureOf(opened.table, similarity.data) };
      this.openedProblem = undefined;
    } catch (error) {
      this.openedProblem = (error as Error).message;
    }
  }

  #moved() {
    const { shown, experiment, experimentState } = this;
    return html`<section aria-labelledby="moved">
      <h3 id="moved">Which rows moved</h3>
      ${shown && !this.opened && this.current
        ? html`${renderMovement(shown.moved, "How far each row of the run's table moved from its start.")}
            <p class="run-moved">
              ${movementSentence("the run’s table", shown.moved)} Every text this run reads is as long as its table.
            </p>`
        : nothing}
      <p>
        A row learns only when a text reaches it. Train another model, whose table has ${shortTrainingRows} rows, for a moment
        on texts that are shorter than that:
      </p>
      ${this.renderSlider("short")}
      <p>
        <button type="button" ?disabled=${experimentState === "running"} @click=${() => void this.#tryShort()}>
          ${experimentState === "running" ? "Training …" : "Train on short texts"}
        </button>
      </p>
      ${renderProblem(typeof experimentState === "object" ? experimentState.problem : undefined)}
      ${experiment
        ? html`${renderMovement(experiment.distances, `How far each row of the other model’s table moved in training on texts of ${experiment.length} characters.`)}
            <p class="short-moved" role="status">
              ${movementSentence(`the other model’s table of ${shortTrainingRows} rows`, experiment.distances)} That took ${shortTrainingSteps} steps on texts of
              ${experiment.length} characters, without weight decay, which would pull every weight a little towards 0 at each step
              and so move all rows.
            </p>`
        : nothing}
    </section>`;
  }

  async #tryShort(): Promise<void> {
    const length = this.short;
    this.experimentState = "running";
    try {
      this.experiment = { length, distances: await movedByShortTexts(length) };
      this.experimentState = "idle";
    } catch (error) {
      this.experimentState = { problem: (error as Error).message };
    }
  }

  /** Rows of the table in view. */
  get #size(): number {
    return this.opened?.table.allRows ?? this.shown?.table.shape[0] ?? sizes.lab.block_size;
  }

  get #tableName(): string {
    if (this.opened) return "The table of the file";
    return this.shown ? "The run’s table" : `A table of ${sizes.lab.block_size} rows`;
  }

  #end() {
    const size = this.#size;
    const answer = this.answer?.asked === size ? this.answer : undefined;
    const heading = html`<h3 id="end">Where it ends</h3>
      <p>${this.#tableName} has rows for positions 0 to ${formatCount(size - 1)} and none for ${formatCount(size)}.</p>`;
    if (size > longestContext) return html`<section aria-labelledby="end">${heading}</section>`;
    return html`<section aria-labelledby="end">
      ${heading}
      <p>
        What does a model with this table say to one position more? Its sentence calls the context, the most positions that
        it reads, by the name it has in code, block_size.
      </p>
      <button type="button" @click=${() => void this.#askFor(size)}>Ask for position ${formatCount(size)}</button>
      <p class="refusal" role="status">
        ${answer ? html`${answer.refused ? "It refuses: " : ""}<q>${answer.sentence}</q>` : nothing}
      </p>
    </section>`;
  }

  /** Lets a fresh model of this length read one token too many. */
  async #askFor(position: number): Promise<void> {
    const config = { positions: "learned", n_layer: 1, n_head: 1, n_embd: 8, vocab_size: 1, block_size: position };
    const ids = Array.from({ length: position + 1 }, () => 0);
    try {
      await lab.ask({ question: "input_rows", config, ids });
      this.answer = { asked: position, sentence: `Position ${position} has a row.`, refused: false };
    } catch (error) {
      this.answer = { asked: position, sentence: (error as Error).message, refused: true };
    }
  }
}
