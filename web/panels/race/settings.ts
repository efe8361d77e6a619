// The race's controls: which schemes, which size, how long, which seed, how fast. Pure templates.

import { html, nothing, type TemplateResult } from "lit";
import { schemes } from "../../state/schemes.js";
import { describeSize, sizes, type SizeName } from "../../state/sizes.js";

export interface SettingsView {
  schemes: readonly string[];
  size: SizeName;
  steps: number;
  seed: number;
  /** Undefined where the browser cannot. */
  turbo: boolean | undefined;
  locked: boolean;
  complains: (name: string) => boolean;
  change: (name: string, text: string) => void;
}

const most = 4;

export function renderSettings(view: SettingsView): TemplateResult {
  return html`<fieldset ?disabled=${view.locked} class="settings">
    <fieldset>
      <legend>Positions, one to four</legend>
      ${schemes.map(({ name, title }) => {
        const on = view.schemes.includes(name);
        const last = on && view.schemes.length === 1;
        return html`<label class="choice"
          ><input
            type="checkbox"
            name="schemes"
            value=${name}
            .checked=${on}
            ?disabled=${last || (!on && view.schemes.length >= most)}
            @change=${() => toggle(view, name)}
          /><i class="chip" data-scheme=${name}></i>${title}</label
        >`;
      })}
    </fieldset>
    <label
      ><span class="label">Size of the model</span>
      <select name="size" @change=${(event: Event) => view.change("size", (event.target as HTMLSelectElement).value)}>
        ${Object.keys(sizes).map((name) => html`<option value=${name} ?selected=${view.size === name}>${name}</option>`)}
      </select>
      <span class="label shape">${describeSize(view.size)}</span>
    </label>
    ${number(view, "steps", "Steps", view.steps)} ${number(view, "seed", "Seed", view.seed)}
    ${view.turbo === undefined
      ? nothing
      : html`<label class="choice"
          ><input
            type="checkbox"
            name="turbo"
            .checked=${view.turbo}
            @change=${(event: Event) => view.change("turbo", (event.target as HTMLInputElement).checked ? "on" : "off")}
          />Turbo: faster, last digits may differ</label
        >`}
  </fieldset>`;
}

/** Keeps the order of the list, so that the first run stays the one the others are compared with. */
function toggle(view: SettingsView, name: string): void {
  const next = view.schemes.includes(name)
    ? view.schemes.filter((each) => each !== name)
    : [...view.schemes, name];
  view.change("schemes", next.join(","));
}

function number(view: SettingsView, name: string, title: string, value: number): TemplateResult {
  return html`<label
    ><span class="label">${title}</span>
    <input
      type="number"
      name=${name}
      min="0"
      step="1"
      .value=${String(value)}
      aria-invalid=${view.complains(name)}
      @change=${(event: Event) => view.change(name, (event.target as HTMLInputElement).value)}
    />
  </label>`;
}
