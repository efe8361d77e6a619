// The plain controls of one setting, bound to its line in the PROPS list: the list says what it is called on screen.

import { html, nothing, type TemplateResult } from "lit";
import type { Prop, PropValue } from "../state/props.js";

export interface Field {
  prop: Prop;
  value: PropValue;
  /** What was typed last was not taken. */
  invalid: boolean;
  change: (text: string) => void;
}

export interface Option {
  name: string;
  title: string;
}

/** One of the values of a choice. */
export function renderRadio({ prop, value, change }: Field, name: string, title: string, disabled = false): TemplateResult {
  return html`<label class="choice"
    ><input
      type="radio"
      name=${prop.name}
      value=${name}
      .checked=${value === name}
      ?disabled=${disabled}
      @change=${() => change(name)}
    />${title}</label
  >`;
}

export function renderSelect({ prop, value, change }: Field, options: readonly Option[], note?: string): TemplateResult {
  return html`<label
    ><span class="label">${prop.title}</span>
    <select name=${prop.name} @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
      ${options.map(({ name, title }) => html`<option value=${name} .selected=${name === value}>${title}</option>`)}
    </select>
    ${note === undefined ? nothing : html`<span class="label under">${note}</span>`}
  </label>`;
}

export function renderText({ prop, value, invalid, change }: Field): TemplateResult {
  return html`<label class="line"
    ><span class="label">${prop.title}</span>
    <input
      type="text"
      name=${prop.name}
      autocomplete="off"
      spellcheck="false"
      .value=${String(value)}
      aria-invalid=${invalid}
      @input=${(event: Event) => change((event.target as HTMLInputElement).value)}
    />
  </label>`;
}

export function renderNumber({ prop, value, invalid, change }: Field): TemplateResult {
  return html`<label
    ><span class="label">${prop.title}</span>
    <input
      type="number"
      name=${prop.name}
      min="0"
      step="1"
      .value=${String(value)}
      aria-invalid=${invalid}
      @change=${(event: Event) => change((event.target as HTMLInputElement).value)}
    />
  </label>`;
}

/** What went wrong, if anything did. */
export function renderProblem(sentence: string | undefined): TemplateResult | typeof nothing {
  return sentence === undefined ? nothing : html`<p class="warning" role="alert">${sentence}</p>`;
}
