// Chooses the text to train on: a book, a list of names, or the reader's own, pasted or from a file. What was typed
// stays, whatever happens to the training.

import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { controls } from "../panels/styles.js";
import { corpora, type CorpusName } from "../state/corpora.js";
import { FileDrop, renderFileButton } from "./files.js";

const names = Object.keys(corpora) as CorpusName[];

export class CorpusPicker extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
      }
      *,
      ::before {
        box-sizing: border-box;
      }
      fieldset {
        border: 0;
        margin: 0;
        padding: 0;
        min-width: 0;
      }
      legend,
      .note {
        padding: 0;
        margin: 0 0 0.2rem;
        color: var(--soft);
        font-size: 0.8125rem;
      }
      textarea {
        min-height: 7rem;
        resize: vertical;
        font: 0.8125rem/1.4 var(--mono);
      }
      .own {
        display: grid;
        gap: 0.5rem;
        margin-top: 0.4rem;
      }
      .own.over textarea {
        border: 2px dashed var(--accent);
      }
    `,
  ];

  @property() corpus: CorpusName = "moby-dick";
  @property({ type: Boolean }) disabled = false;
  /** What the reader gave as the own text. */
  @state() ownText = "";
  readonly #drop: FileDrop = new FileDrop(this, (file) => void this.#read(file));
  @state() private problem = "";

  override render() {
    return html`<fieldset ?disabled=${this.disabled}>
      <legend>Text to learn from</legend>
      ${names.map(
        (name) =>
          html`<label class="choice"
            ><input
              type="radio"
              name="corpus"
              value=${name}
              .checked=${this.corpus === name}
              @change=${() => this.#choose(name)}
            />${corpora[name].title}</label
          >`,
      )}
      <p class="note">${corpora[this.corpus].note}</p>
      ${this.corpus === "own" ? this.#own() : nothing}
    </fieldset>`;
  }

  #own() {
    return html`<div class="own ${this.#drop.over ? "over" : ""}">
      <textarea
        aria-label="Your own text"
        placeholder="Paste text here, or drop a text file"
        spellcheck="false"
        .value=${this.ownText}
        @input=${(event: Event) => this.#give((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${renderFileButton("Choose a text file from this computer", "text/*,.txt,.md,.csv", (file) => void this.#read(file))}
      ${this.problem ? html`<p class="warning" role="alert">${this.problem}</p>` : nothing}
    </div>`;
  }

  #choose(name: CorpusName): void {
    this.corpus = name;
    this.dispatchEvent(new CustomEvent<CorpusName>("corpus", { detail: name }));
  }

  #give(text: string): void {
    this.ownText = text;
    this.dispatchEvent(new Event("text"));
  }

  async #read(file: File | undefined): Promise<void> {
    if (!file || this.disabled) return;
    if (this.corpus !== "own") this.#choose("own");
    try {
      this.#give(await file.text());
      this.problem = "";
    } catch (error) {
      this.problem = `${file.name} could not be read: ${(error as Error).message}`;
    }
  }
}
