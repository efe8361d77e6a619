// A field for code: a plain text field at once, the real editor as soon as its script has come. Where that script may
// not be loaded, the plain field stays and does.

import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { Editor } from "../editor/editor.js";
import { controls } from "../panels/styles.js";
import { loadAsset } from "../state/assets.js";

export class CodeField extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      textarea {
        display: block;
        box-sizing: border-box;
        min-height: 15rem;
        resize: vertical;
        font: 0.875rem/1.5 var(--mono);
        tab-size: 2;
      }
      .editor {
        border: 1px solid var(--rule);
        border-radius: 4px;
        overflow: hidden;
      }
      .editor[hidden] {
        display: none;
      }
      .note {
        margin: 0.3rem 0 0;
        color: var(--soft);
        font-size: 0.8125rem;
      }
    `,
  ];

  @property() label = "Your code";
  @property({ attribute: false }) text = "";
  @state() private ready = false;
  @state() private problem = "";
  #editor: Editor | undefined;

  override render() {
    return html`${this.ready
        ? nothing
        : html`<textarea
            aria-label=${this.label}
            spellcheck="false"
            autocapitalize="off"
            .value=${this.text}
            @input=${(event: Event) => this.#take((event.target as HTMLTextAreaElement).value)}
          ></textarea>`}
      <div class="editor" ?hidden=${!this.ready}></div>
      ${this.problem === ""
        ? nothing
        : html`<p class="note">The editor could not be loaded; this plain field works as well. (${this.problem})</p>`}
      ${this.ready ? html`<p class="note">Tab indents; Escape, then Tab leaves the editor.</p>` : nothing}`;
  }

  protected override firstUpdated(): void {
    loadAsset("editor").then(
      ({ createEditor }) => {
        const parent = this.renderRoot.querySelector<HTMLElement>(".editor");
        if (!parent || !this.isConnected) return;
        this.#editor = createEditor({
          parent,
          root: this.renderRoot as ShadowRoot,
          text: this.text,
          label: this.label,
          onChange: (text) => this.#take(text),
        });
        const hadFocus = this.shadowRoot?.activeElement !== null;
        this.ready = true;
        if (hadFocus) void this.updateComplete.then(() => this.#editor?.focus());
      },
      (error: unknown) => {
        this.problem = (error as Error).message;
      },
    );
  }

  protected override updated(): void {
    if (this.#editor && this.#editor.text !== this.text) this.#editor.text = this.text;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#editor?.destroy();
    this.#editor = undefined;
    this.ready = false;
  }

  #take(text: string): void {
    this.text = text;
    this.dispatchEvent(new CustomEvent<string>("code", { detail: text }));
  }
}
