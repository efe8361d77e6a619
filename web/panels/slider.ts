// A number as a slider, a field and a way back: one template for all panels.

import { html, type TemplateResult } from "lit";
import type { Field } from "./fields.js";

export interface SliderOptions {
  /** Steps of the slider; the field takes any number that is allowed. */
  step?: number;
  /** The greatest value the slider itself reaches, when the field allows more than is sensible to slide over. */
  slideTo?: number;
  /** Slides over the exponent of ten. */
  logarithmic?: boolean;
}

export function renderSlider({ prop, value, invalid, change }: Field, options: SliderOptions): TemplateResult {
  if ((prop.kind !== "integer" && prop.kind !== "number") || typeof value !== "number") {
    throw new Error(`${prop.name} is not a number of ${prop.panel}.`);
  }
  const { title } = prop;
  const most = Math.min(prop.most, options.slideTo ?? prop.most);
  const along = options.logarithmic ? Math.log10 : (x: number) => x;
  // No more digits than a place on the slider has.
  const rounded = (x: number) => (prop.kind === "integer" ? Math.round(x) : Number(x.toPrecision(3)));
  const back = options.logarithmic ? (x: number) => rounded(10 ** x) : (x: number) => x;
  const step = options.logarithmic ? 0.01 : (options.step ?? (prop.kind === "integer" ? 1 : 0.01));
  const fallback = String(prop.fallback);
  const reset = (event: Event) => {
    const field = (event.currentTarget as HTMLElement).parentElement?.querySelector<HTMLInputElement>("[type=number]");
    // What was typed may be a value that was not taken, which the next rendering would leave alone.
    if (field) field.value = fallback;
    change(fallback);
  };
  return html`<div class="slider" role="group" aria-label=${title}>
    <span class="label">${title}</span>
    <input
      type="range"
      aria-label=${title}
      aria-valuetext=${String(value)}
      min=${along(prop.least)}
      max=${along(most)}
      step=${step}
      .value=${String(along(value))}
      @input=${(event: Event) => {
        const slid = back(Number((event.target as HTMLInputElement).value));
        change(String(Math.min(Math.max(slid, prop.least), most)));
      }}
    />
    <input
      type="number"
      name=${prop.name}
      aria-label=${title}
      step="any"
      .value=${String(value)}
      aria-invalid=${invalid}
      @change=${(event: Event) => change((event.target as HTMLInputElement).value)}
    />
    <button type="button" aria-label="Reset ${title}" title="Back to ${fallback}" ?disabled=${value === prop.fallback && !invalid} @click=${reset}>
      ↺
    </button>
  </div>`;
}
