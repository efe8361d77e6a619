// The checklist at the end: what the learner can do now. Exercises tick their own items; the rest is the learner's word.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { renderFileButton } from "../parts/files.js";
import { checklist, exerciseTitles, progress } from "../state/progress.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { declarationsOf } from "./panel.js";
import { base, controls } from "./styles.js";

export class ChecklistPanel extends ExercisePanel {
  static override properties = declarationsOf("checklist");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    css`
      ul {
        list-style: none;
        margin: 0 0 0.75rem;
        padding: 0;
      }
      label.choice {
        align-items: start;
        padding-block: 0.3rem;
      }
      label.choice input {
        margin-top: 0.15rem;
      }
      .own {
        color: var(--soft);
      }
      .passed button {
        margin-inline-start: 0.75rem;
      }
      .text {
        display: block;
        margin-top: 0.75rem;
      }
      .text textarea {
        font-family: var(--mono);
      }
    `,
  ];

  override readonly panel = "checklist";
  @state() private problem: string | undefined;
  @state() private said = "";
  /** What "Clear all" took away. */
  @state() private cleared: readonly string[] = [];
  @state() private written = false;

  constructor() {
    super();
    this.follow(progress, () => this.requestUpdate());
  }

  override render() {
    return html`<figure>
      <p class="quiet"><strong>${progress.count} of ${checklist.length}</strong> done. Without notes, I can …</p>
      <ul>
        ${checklist.map(
          ({ name, sentence, exercise }) =>
            html`<li>
              <label class="choice"
                ><input
                  type="checkbox"
                  name=${name}
                  .checked=${progress.has(name)}
                  @change=${(event: Event) => progress.set(name, (event.target as HTMLInputElement).checked)}
                /><span
                  >… ${sentence}${exercise ? html` <span class="own">(ticks itself with ${exerciseTitles[exercise]})</span>` : nothing}</span
                ></label
              >
            </li>`,
        )}
      </ul>
      <div class="buttons">
        <button type="button" @click=${() => this.#save()}>Save as a file</button>
        ${renderFileButton("Open a progress file", ".json,application/json", (file) => void this.#open(file))}
        <button type="button" class="clear" @click=${() => this.#clear()}>Clear all</button>
        <button type="button" @click=${() => this.#print()}>Print a handout</button>
      </div>
      <div role="status">
        ${this.problem === undefined ? nothing : html`<p class="wrong">${this.problem}</p>`}
        ${this.said === "" ? nothing : html`<p class="passed">${this.said} ${this.#undoButton()}</p>`}
      </div>
      ${this.written ? this.#text() : nothing}
      <figcaption>
        ${progress.kept
          ? "Your ticks are kept in this browser and nowhere else. A saved file takes them to another one, or to a teacher."
          : "This page may not keep anything in your browser, so the ticks are gone when you close it. Save them as a file."}
      </figcaption>
    </figure>`;
  }

  #save(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([progress.written()], { type: "application/json" }));
    link.download = "position-lab-progress.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    // A frame may forbid downloads and does not say so; the text is there in any case.
    this.written = !progress.kept || globalThis.parent !== globalThis.self;
  }

  #text() {
    return html`<label class="text"
      ><span class="label"
        >If no file came, copy this text and save it as position-lab-progress.json</span
      ><textarea
        readonly
        rows="8"
        spellcheck="false"
        .value=${progress.written()}
        @focus=${(event: Event) => (event.target as HTMLTextAreaElement).select()}
      ></textarea>
    </label>`;
  }

  #undoButton() {
    if (this.cleared.length === 0) return nothing;
    return html`<button type="button" @click=${() => this.#undo()}>Undo</button>`;
  }

  async #open(file: File): Promise<void> {
    this.said = "";
    this.cleared = [];
    try {
      progress.read(await file.text());
      this.problem = undefined;
      this.said = `${file.name} is read: ${progress.count} of ${checklist.length} done.`;
    } catch (error) {
      this.problem = `${file.name} was not taken over. ${(error as Error).message}`;
    }
  }

  #clear(): void {
    this.cleared = progress.clear();
    this.problem = undefined;
    const { length } = this.cleared;
    this.said = length === 0 ? "" : `${length} ${length === 1 ? "tick is" : "ticks are"} cleared.`;
  }

  #undo(): void {
    progress.add(this.cleared);
    this.cleared = [];
    this.said = "The ticks are back.";
    // The button that had the focus is about to go.
    this.renderRoot.querySelector<HTMLButtonElement>("button.clear")?.focus();
  }

  /** Every panel draws itself first, so that the handout has all the figures. */
  #print(): void {
    globalThis.dispatchEvent(new Event("poslab-wake"));
    setTimeout(() => globalThis.print(), 1500);
  }
}
