// Opens a table from a file that is dropped, picked or fetched: says what the file holds, loads the tensor that is chosen,
// shows how far it is, and says in a sentence what went wrong. What was typed stays.

import { css, html, LitElement, nothing } from "lit";
import { state } from "lit/decorators.js";
import { formatCount } from "../draw/ticks.js";
import { controls } from "../panels/styles.js";
import {
  addressSource,
  fileSource,
  loadTable,
  objection,
  openFile,
  type LoadedTable,
  type OpenFile,
  type Source,
  type TableEntry,
} from "../state/tables.js";
import { FileDrop, renderFileButton } from "./files.js";

/** Filled in for whoever wants it; nothing is fetched before the reader says so. */
const gpt2 = "https://huggingface.co/openai-community/gpt2/resolve/main/model.safetensors";

export interface OpenedTable {
  /** Of the file and of the tensor. */
  title: string;
  dtype: string;
  table: LoadedTable;
}

export class TableOpener extends LitElement {
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
      .drop {
        display: grid;
        gap: 0.6rem;
        padding: 0.9rem 1rem;
        border: 1px dashed var(--soft);
        border-radius: 6px;
      }
      .drop.over {
        border-color: var(--accent);
        background: var(--raised);
      }
      p {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .label {
        display: block;
        margin-bottom: 0.2rem;
        color: var(--soft);
        font-size: 0.8125rem;
      }
      .address {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem;
        align-items: end;
      }
      .small {
        padding: 0.1rem 0.6rem;
        min-height: 1.9rem;
      }
      progress {
        width: 100%;
        accent-color: var(--accent);
      }
      .list {
        max-height: 16rem;
        overflow: auto;
        border: 1px solid var(--rule);
        border-radius: 4px;
        padding: 0.4rem 0.6rem;
      }
      .shape {
        color: var(--soft);
        font-variant-numeric: tabular-nums;
      }
      .list label {
        overflow-wrap: anywhere;
      }
    `,
  ];

  readonly #drop: FileDrop = new FileDrop(this, (file) => {
    if (file) void this.#open(() => fileSource(file));
    else this.problem = "That was no file. Drop one .npy or .safetensors file.";
  });
  @state() private address = "";
  @state() private file: OpenFile | undefined;
  @state() private chosen: TableEntry | undefined;
  @state() private progress: { arrived: number; expected: number } | undefined;
  @state() private busy = "";
  @state() private problem = "";
  #abort = new AbortController();

  override render() {
    return html`<div class="drop ${this.#drop.over ? "over" : ""}">
      <p>Drop a <code>.npy</code> or <code>.safetensors</code> file here, or choose one. It stays on this computer.</p>
      <div>
        ${renderFileButton("Choose a table from this computer", ".npy,.safetensors", (file) => void this.#open(() => fileSource(file)))}
      </div>
      <form class="address" @submit=${(event: Event) => this.#fetch(event)}>
        <label
          ><span class="label">Or its address</span>
          <input
            type="text"
            inputmode="url"
            autocomplete="off"
            spellcheck="false"
            placeholder="https://…/model.safetensors"
            .value=${this.address}
            @input=${(event: Event) => (this.address = (event.target as HTMLInputElement).value)}
          />
        </label>
        <button type="submit">Open</button>
      </form>
      <p>
        GPT-2’s own position table is the tensor <code>wpe.weight</code> of its <code>model.safetensors</code>.
        <button type="button" class="small" @click=${() => (this.address = gpt2)}>Fill in its address</button>
      </p>
      ${this.#busy()} ${this.#list()}
      <div role="alert">${this.problem ? html`<p class="warning">${this.problem}</p>` : nothing}</div>
    </div>`;
  }

  #busy() {
    if (!this.busy) return nothing;
    const { progress } = this;
    const share = progress ? progress.arrived / Math.max(1, progress.expected) : undefined;
    return html`<p role="status">
        ${this.busy}${progress ? html` ${formatCount(progress.arrived / 1024)} of ${formatCount(progress.expected / 1024)} KiB` : nothing}
        <button type="button" @click=${() => this.#cancel()}>Stop</button>
      </p>
      ${share === undefined ? html`<progress aria-label="Loading"></progress>` : html`<progress aria-label="Loading" max="1" .value=${share}></progress>`}`;
  }

  #list() {
    const { file } = this;
    if (!file || file.entries.length < 2) return nothing;
    return html`<fieldset class="list">
      <legend>${file.source.name} holds ${formatCount(file.entries.length)} tensors. Only the one you choose is loaded.</legend>
      ${file.entries.map(
        (entry) => html`<label class="choice"
          ><input
            type="radio"
            name="tensor"
            .checked=${entry === this.chosen}
            ?disabled=${objection(entry) !== undefined}
            @change=${() => void this.#load(file, entry)}
          /><span>${entry.name} <span class="shape">${entry.dtype} (${entry.shape.join(", ")})</span></span></label
        >`,
      )}
    </fieldset>`;
  }

  #fetch(event: Event): void {
    event.preventDefault();
    const address = this.address.trim();
    if (address) void this.#open(() => addressSource(address));
    else this.problem = "The address is empty. Paste one that begins with https://.";
  }

  #cancel(): void {
    this.#abort.abort();
    this.busy = "";
    this.progress = undefined;
  }

  async #open(make: () => Source): Promise<void> {
    const signal = this.#begin("Reading the header …");
    try {
      const source = make();
      const file = await openFile(source, { signal });
      if (signal.aborted) return;
      this.file = file;
      this.chosen = undefined;
      this.busy = "";
      const [only] = file.entries;
      if (!only) this.problem = `${source.name} holds no tensors.`;
      else if (file.entries.length === 1) await this.#load(file, only);
    } catch (error) {
      this.#fail(signal, error);
    }
  }

  async #load(file: OpenFile, entry: TableEntry): Promise<void> {
    const signal = this.#begin(`Loading ${entry.name} …`);
    this.chosen = entry;
    try {
      const table = await loadTable(file, entry, {
        signal,
        progress: (arrived, expected) => {
          if (!signal.aborted) this.progress = { arrived, expected };
        },
      });
      if (signal.aborted) return;
      this.busy = "";
      this.progress = undefined;
      const title = entry.name === file.source.name ? entry.name : `${entry.name} of ${file.source.name}`;
      const detail: OpenedTable = { title, dtype: entry.dtype, table };
      this.dispatchEvent(new CustomEvent<OpenedTable>("table", { detail }));
    } catch (error) {
      this.#fail(signal, error);
    }
  }

  #begin(busy: string): AbortSignal {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.problem = "";
    this.busy = busy;
    this.progress = undefined;
    return this.#abort.signal;
  }

  #fail(signal: AbortSignal, error: unknown): void {
    if (signal.aborted) return;
    this.busy = "";
    this.progress = undefined;
    this.problem = (error as Error).message;
  }
}
