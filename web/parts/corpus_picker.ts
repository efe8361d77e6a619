// Chooses the text to train on: a book, a list of names, or the reader's own, pasted or from a file. What was typed
// stays, whatever happens to the training.

import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { controls } from "../panels/styles.js";
import { corpora, type CorpusName } from "../state/corpora.js";

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
      input[type="file"] {
        max-width: 100%;
        font-size: 0.8125rem;
      }
    `,
  ];

  @property() corpus: CorpusName = "moby-dick";
  @property({ type: Boolean }) disabled = false;
  /** What the reader gave as the own text. */
  @state() ownText = "";
  @state() private over = false;
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
    return html`<div
      class="own ${this.over ? "over" : ""}"
      @dragover=${(event: DragEvent) => {
        event.preventDefault();
        this.over = true;
      }}
      @dragleave=${() => (this.over = false)}
      @drop=${(event: DragEvent) => {
        event.preventDefault();
        this.over = false;
        void this.#read(event.dataTransfer?.files[0]);
      }}
    >
      <textarea
        aria-label="Your own text"
        placeholder="Paste text here, or drop a text file"
        spellcheck="false"
        .value=${this.ownText}
        @input=${(event: Event) => {
          this.ownText = (event.target as HTMLTextAreaElement).value;
        }}
      ></textarea>
      <input
        type="file"
        accept="text/*,.txt,.md,.csv"
        aria-label="A text file from this computer"
        @change=${(event: Event) => void this.#read((event.target as HTMLInputElement).files?.[0])}
      />
      ${this.problem ? html`<p class="warning" role="alert">${this.problem}</p>` : nothing}
    </div>`;
  }

  #choose(name: CorpusName): void {
    this.corpus = name;
    this.dispatchEvent(new CustomEvent<CorpusName>("corpus", { detail: name }));
  }

  async #read(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      this.ownText = await file.text();
      this.problem = "";
    } catch (error) {
      this.problem = `${file.name} could not be read: ${(error as Error).message}`;
    }
  }
}
