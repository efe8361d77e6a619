// The race's choice of position schemes, one to four, and of turbo. Pure templates.

import { html, type TemplateResult } from "lit";
import { schemes } from "../../state/schemes.js";
import type { Field } from "../fields.js";

const most = 4;

export function renderSchemes({ prop, value, change }: Field): TemplateResult {
  const chosen = value as readonly string[];
  return html`<fieldset>
    <legend>Positions, one to four</legend>
    ${schemes.map(({ name, title }) => {
      const on = chosen.includes(name);
      const last = on && chosen.length === 1;
      // Keeps the order of the list, so that the first run stays the one the others are compared with.
      const toggled = on ? chosen.filter((each) => each !== name) : [...chosen, name];
      return html`<label class="choice"
        ><input
          type="checkbox"
          name=${prop.name}
          value=${name}
          .checked=${on}
          ?disabled=${last || (!on && chosen.length >= most)}
          @change=${() => change(toggled.join(","))}
        /><i class="chip" data-scheme=${name}></i>${title}</label
      >`;
    })}
  </fieldset>`;
}

export function renderTurbo({ prop, value, change }: Field): TemplateResult {
  return html`<label class="choice"
    ><input
      type="checkbox"
      name=${prop.name}
      .checked=${value === "on"}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked ? "on" : "off")}
    />Turbo: faster, last digits may differ</label
  >`;
}
