// Exercise `explain`: the idea in the learner's own words, hints on demand, a folded answer to compare with. What is
// typed stays in the page.

import { css, html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { ExercisePanel, exerciseStyles } from "./exercise.js";
import { declarationsOf } from "./panel.js";
import { base, controls } from "./styles.js";

const hints = [
  "Who is a guest, whichever seat they take? Which table of the model says that?",
  "What does attention know of a crowd in which nobody has a number?",
  "When does each guest get the number: during the show, or before it starts?",
  "How many seats has a theatre, and on how many positions was a model trained?",
];

const points = [
  "a guest is who they are wherever they sit: the token embedding",
  "attention alone sees a crowd without seat numbers",
  "an encoding pins a number on everybody before the show",
  "where the picture stops: a theatre has all its seats from the start, a model knows only the positions it was trained on",
];

const fewest = 40;

export class ExplainPanel extends ExercisePanel {
  static override properties = declarationsOf("explain");
  static override styles = [
    base,
    controls,
    exerciseStyles,
    css`
      .buttons {
        margin-top: 0.6rem;
      }
    `,
  ];

  override readonly panel = "explain";
  @state() private text = "";
  @state() private shownHints = 0;
  @state() private found = new Set<number>();

  override render() {
    const left = hints.length - this.shownHints;
    return html`<figure>
      <label>
        <span class="label question">Why does a model need positions? Explain it to a friend, with the theatre, and say where that picture stops.</span>
        <textarea
          rows="6"
          .value=${this.text}
          @input=${(event: Event) => {
            this.text = (event.target as HTMLTextAreaElement).value;
          }}
        ></textarea>
      </label>
      <div aria-live="polite">
        ${this.shownHints === 0
          ? nothing
          : html`<ol class="hints">
              ${hints.slice(0, this.shownHints).map((hint) => html`<li>${hint}</li>`)}
            </ol>`}
      </div>
      <div class="buttons">
        <button type="button" ?disabled=${left === 0} @click=${() => (this.shownHints += 1)}>
          ${left === 0 ? "No more hints" : this.shownHints === 0 ? "Give me a hint" : "Another hint"}
        </button>
      </div>
      <details class="answer">
        <summary>The answer</summary>
        <p>
          The guest is who they are wherever they sit; that is the token embedding. Attention alone sees a crowd without
          seat numbers: it can find out who is there, not who sits where. So an encoding pins a number on everybody
          before the show begins, and from then on each guest brings both, who they are and where they sit. The picture
          stops where a text gets longer than those of the training: a theatre has all its seats from the start, but a model
          knows only the positions it was trained on, and often fails beyond them.
        </p>
        <fieldset>
          <legend class="question">Does your text say this too?</legend>
          ${points.map(
            (point, i) =>
              html`<label class="choice"
                ><input type="checkbox" .checked=${this.found.has(i)} @change=${() => this.#toggle(i)} />${point}</label
              >`,
          )}
        </fieldset>
      </details>
      <div role="status">${this.#verdict()}</div>
      <figcaption>Nothing you type here leaves this page, and it is gone when you close it.</figcaption>
    </figure>`;
  }

  #toggle(point: number): void {
    const found = new Set(this.found);
    if (!found.delete(point)) found.add(point);
    this.found = found;
    if (this.#done) this.pass("explain");
  }

  get #done(): boolean {
    return this.found.size === points.length && this.text.trim().length >= fewest;
  }

  #verdict() {
    if (this.#done) return html`<p class="passed">You say that you have explained it. The checklist has it too.</p>`;
    if (this.found.size < points.length) return nothing;
    return html`<p class="wrong">First write a sentence or two of your own; ${fewest} characters will do.</p>`;
  }
}
