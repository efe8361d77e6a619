// Exercise `build`: the learner builds position encodings wherever they like and hands the numbers in, or writes a
// function here; the core compares, shows the first wrong cell and names the likely mistake.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import type { Heatmap } from "../draw/heatmap.js";
import { formatValue } from "../draw/ticks.js";
import type { Grade } from "../engine/lesson_types.js";
import type { Matrix } from "../engine/types.js";
import { FileDrop, renderFileButton } from "../parts/files.js";
import { lab } from "../state/host.js";
import { limitMs, runFunction } from "../state/sandbox.js";
import { matrixOfFile, matrixOfText } from "./build/hand_in.js";
import { questionStyles, renderTableQuestion, type TableAnswer } from "./build/table_question.js";
import { csvOf, tasks, type TaskName } from "./build/tasks.js";
import { doubtOfTable, doubtOfTurned, heatmapOf, renderVerdict, verdictStyles, type Doubt } from "./build/verdict.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { declarationsOf } from "./panel.js";
import { base, controls } from "./styles.js";

interface Outcome {
  grade: Grade;
  doubt: Doubt | undefined;
  heatmap: Heatmap;
  source: string;
}

/** The vectors that RoPE is asked to turn. */
const turned = { n: 8, d: 8, seed: 3 };

/** A longer text would hold the page up while the field lays out its lines. */
const mostInField = 200_000;

/** An untouched start would fit several mistakes at once. */
function requireFilled({ data }: Matrix): void {
  if (data.length > 1 && data.every((x) => x === data[0])) {
    throw new Error(`Every number is ${data[0]}; fill the matrix first.`);
  }
}

export class BuildPanel extends ExercisePanel {
  static override properties = declarationsOf("build");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    verdictStyles,
    questionStyles,
    css`
      textarea {
        font: 0.8125rem/1.4 var(--mono);
        white-space: pre;
      }
      textarea::placeholder {
        white-space: pre-wrap;
      }
      .given {
        margin-bottom: 0.75rem;
      }
      .given .buttons {
        margin-top: 0.5rem;
      }
      .over textarea {
        border: 2px dashed var(--accent);
      }
      .files {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
        margin-block: 0.6rem;
      }
      pre {
        font: 0.8125rem/1.4 var(--mono);
      }
      @media print {
        textarea {
          display: none;
        }
        pre {
          font-size: 7pt;
        }
      }
      poslab-code {
        margin-block: 0.6rem;
      }
      .given textarea {
        min-height: 10rem;
      }
    `,
  ];

  override readonly panel = "build";
  declare task: TaskName;
  declare build_n: number;
  declare build_d: number;
  declare build_base: number;
  declare build_pairing: string;
  declare build_rows: string;
  @state() private pasted: Record<TaskName, string> = { sinusoidal: "", rope: "" };
  /** About a paste that did not go into the field. */
  @state() private beside: string | undefined;
  @state() private codes: Record<TaskName, string> = { sinusoidal: tasks.sinusoidal.start, rope: tasks.rope.start };
  @state() private writing = false;
  readonly #drop: FileDrop = new FileDrop(this, (file) => this.#takeFile(file));
  @state() private working = false;
  @state() private outcome: Outcome | undefined;
  @state() private problem: string | undefined;
  @state() private inputs: Matrix | undefined;
  @state() private tableAnswer: TableAnswer | undefined;
  #attempt = 0;

  constructor() {
    super();
    this.useFallbacks("build");
  }

  protected override willUpdate(): void {
    if (this.task === "rope" && !this.inputs) void this.#getInputs();
  }

  async #getInputs(): Promise<Matrix> {
    // The X of the derivation: random numbers that the core draws alike everywhere.
    this.inputs ??= (await lab.ask({ question: "equivariance", ...turned })).x;
    return this.inputs;
  }

  override render() {
    return html`<figure>
      <div class="layout">
        <div class="controls">
          <fieldset>
            <legend>What you build</legend>
            ${this.renderRadio("task", "sinusoidal", "a sinusoidal table")}
            ${this.renderRadio("task", "rope", "turned vectors (RoPE)")}
          </fieldset>
          ${this.renderSlider("build_base", { logarithmic: true })}
          ${this.task === "sinusoidal" ? this.#sinusoidalControls() : this.#ropeControls()}
        </div>
        <div>
          ${this.renderComplaints()} ${this.task === "sinusoidal" ? this.#sinusoidalTask() : this.#ropeTask()}
          ${this.#handIn()} ${this.#function()} ${this.#onPaper()}
          <div role="status">${this.#result()}</div>
          ${this.outcome ? this.#figure(this.outcome) : nothing}
          ${renderTableQuestion(this.tableAnswer, (answer) => (this.tableAnswer = answer))}
        </div>
      </div>
      <figcaption>
        Notice what a mistake looks like before you read its name: a wrong exponent shows in the columns, a wrong count
        of positions in the rows.
      </figcaption>
    </figure>`;
  }

  /** A verdict is about what was asked for; once that changes, it says nothing more. */
  protected override change(name: string, text: string): boolean {
    this.#attempt += 1;
    this.outcome = undefined;
    this.problem = undefined;
    this.beside = undefined;
    this.working = false;
    return super.change(name, text);
  }

  protected override matters(name: string): boolean {
    const ofOne: Record<string, TaskName> = {
      build_n: "sinusoidal",
      build_d: "sinusoidal",
      build_pairing: "rope",
      build_rows: "rope",
    };
    return (ofOne[name] ?? this.task) === this.task;
  }

  #sinusoidalControls() {
    return html`${this.renderSlider("build_n", { slideTo: 128 })}
    ${this.renderSlider("build_d", { slideTo: 64 })}`;
  }

  #ropeControls() {
    return html`<fieldset>
        <legend>Pairs</legend>
        ${this.renderRadio("build_pairing", "half", "half-split: i with i + d/2")} ${this.renderRadio("build_pairing", "adjacent", "adjacent: 2i with 2i + 1")}
      </fieldset>
      <fieldset>
        <legend>The rows are</legend>
        ${this.renderRadio("build_rows", "query", "queries or keys")} ${this.renderRadio("build_rows", "value", "values")}
      </fieldset>`;
  }

  #sinusoidalTask() {
    return html`<p>
      Build the table of sines and cosines, one row a position from 0, any number of rows and columns. Work where you
      like (NumPy at home) and hand the numbers in, or write a small JavaScript function here.
    </p>`;
  }

  #ropeTask() {
    const { inputs } = this;
    return html`<p>
        Here are ${turned.n} vectors of ${turned.d} numbers. Take row p, counted from 0, to position p the way RoPE does, and hand in
        all ${turned.n} rows.
      </p>
      <div class="given">
        <textarea aria-label="The vectors to turn, as CSV" readonly .value=${inputs ? csvOf(inputs) : "Coming …"}></textarea>
        <div class="buttons">
          <button type="button" ?disabled=${!inputs} @click=${() => void this.#save()}>Save them as x.npy</button>
        </div>
      </div>`;
  }

  async #save(): Promise<void> {
    const bytes = await lab.ask({ question: "write_npy", ...(await this.#getInputs()) });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    link.download = "x.npy";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  #handIn() {
    return html`<div class=${this.#drop.over ? "over" : ""}>
      <textarea
        aria-label="Your numbers"
        placeholder="Paste CSV, JSON or a NumPy print-out here, or drop a .npy file"
        spellcheck="false"
        .value=${this.pasted[this.task]}
        @input=${(event: Event) => {
          this.pasted = { ...this.pasted, [this.task]: (event.target as HTMLTextAreaElement).value };
        }}
        @paste=${(event: ClipboardEvent) => this.#paste(event)}
      ></textarea>
      ${this.beside === undefined ? nothing : html`<p class="note beside" role="status">${this.beside}</p>`}
      <div class="files">
        <button type="button" class="primary" @click=${() => this.#attemptWith("Your paste", () => matrixOfText(this.pasted[this.task]))}>
          Check the paste
        </button>
        ${renderFileButton("Choose a file with your numbers", ".npy,.csv,.tsv,.txt,.json", (file) => this.#takeFile(file))}
      </div>
    </div>`;
  }

  /** Files, and texts that are too long for the field, are read without going through it. */
  #paste(event: ClipboardEvent): void {
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text") ?? "";
    if (!file && text.length <= mostInField) return;
    event.preventDefault();
    if (file) return this.#takeFile(file);
    this.#attemptWith("Your paste", () => matrixOfText(text));
    const size = (text.length / 1e6).toFixed(1);
    this.beside = `Your paste of ${size} million characters is too long for this field and was read without it. The field keeps what it held.`;
  }

  #takeFile(file: File | undefined): void {
    if (file) this.#attemptWith(file.name, () => matrixOfFile(file));
  }

  #function() {
    const { functionName } = tasks[this.task];
    return html`<details
      @toggle=${(event: Event) => {
        this.writing ||= (event.target as HTMLDetailsElement).open;
      }}
    >
      <summary>Write a JavaScript function here instead</summary>
      ${this.writing
        ? html`<poslab-code
              label="Your function, in JavaScript"
              .text=${this.codes[this.task]}
              @code=${(event: CustomEvent<string>) => {
                this.codes = { ...this.codes, [this.task]: event.detail };
              }}
            ></poslab-code>
            <div class="buttons">
              <button type="button" class="primary" @click=${() => this.#attemptWith("Your function", () => this.#runCode())}>
                Run and check
              </button>
              <button type="button" @click=${() => (this.codes = { ...this.codes, [this.task]: tasks[this.task].start })}>
                Start over
              </button>
            </div>
            <p class="note">
              <code>${functionName}</code> runs in a worker of its own, without the page, and is stopped after
              ${limitMs / 1000} seconds.
            </p>`
        : nothing}
    </details>`;
  }

  /** Paper cannot scroll, so it gets the texts in full instead of the fields that hold them. */
  #onPaper() {
    const { inputs } = this;
    const code = this.codes[this.task];
    const texts = {
      "The vectors to turn": this.task === "rope" && inputs ? csvOf(inputs) : "",
      "Your numbers": this.pasted[this.task],
      "Your function": code === tasks[this.task].start ? "" : code,
    };
    return Object.entries(texts).map(([title, text]) =>
      text.trim() === "" ? nothing : html`<section class="print-only"><h3>${title}</h3><pre>${text}</pre></section>`,
    );
  }

  async #runCode(): Promise<Matrix> {
    const code = this.codes[this.task];
    const { functionName: name, start } = tasks[this.task];
    if (code.trim() === start.trim()) {
      throw new Error("You have not changed the function yet: write your part where the comment says so, then run it.");
    }
    if (this.task === "rope") {
      const inputs = await this.#getInputs();
      const X = csvOf(inputs)
        .split("\n")
        .map((line) => line.split(",").map(Number));
      return runFunction({ code, name, args: [X, this.build_base], rows: turned.n, columns: turned.d });
    }
    const { build_n: rows, build_d: columns } = this;
    return runFunction({ code, name, args: [rows, columns, this.build_base], rows, columns });
  }

  #attemptWith(source: string, make: () => Promise<Matrix>): void {
    void this.#judge(source, make);
  }

  async #judge(source: string, make: () => Promise<Matrix>): Promise<void> {
    const attempt = (this.#attempt += 1);
    this.working = true;
    this.outcome = undefined;
    this.problem = undefined;
    this.beside = undefined;
    try {
      const matrix = await make();
      requireFilled(matrix);
      const grade = await this.#grade(matrix);
      if (attempt !== this.#attempt) return;
      const doubt = this.task === "rope" ? doubtOfTurned(grade, this.build_rows) : doubtOfTable(grade);
      this.outcome = { grade, doubt, heatmap: heatmapOf(matrix), source };
      if (grade.verdict === "correct" && !doubt) this.pass(tasks[this.task].exercise);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.problem = (error as Error).message;
    }
    this.working = false;
  }

  async #grade({ shape, data }: Matrix): Promise<Grade> {
    const [rows = 0, columns = 0] = shape;
    const wanted = { rows, columns, base: this.build_base };
    if (this.task === "sinusoidal") return lab.ask({ question: "grade_sinusoidal", matrix: data, ...wanted });
    const inputs = await this.#getInputs();
    if (rows !== turned.n || columns !== turned.d) {
      throw new Error(`Your matrix has ${rows} rows of ${columns} numbers; the vectors above are ${turned.n} rows of ${turned.d}.`);
    }
    const task = { pairing: this.build_pairing, role: this.build_rows, first: 0 };
    return lab.ask({ question: "grade_rope", inputs: inputs.data, outputs: data, ...wanted, ...task });
  }

  #result() {
    if (this.working) return html`<p class="quiet">Checking …</p>`;
    if (this.problem !== undefined) return html`<p class="wrong">${this.problem}</p>`;
    const { outcome } = this;
    return outcome ? renderVerdict(outcome.grade, outcome.source, outcome.doubt) : nothing;
  }

  #figure({ heatmap }: Outcome) {
    return html`<h3>What you handed in</h3>
      <poslab-matrix
        .data=${heatmap}
        .aspect=${0}
        .height=${260}
        label="The matrix you handed in, ${heatmap.rows} rows by ${heatmap.cols} columns."
        .describe=${(row: number, col: number, value: number) => `Row ${row}, column ${col}: ${formatValue(value, 6)}`}
      ></poslab-matrix>`;
  }
}
