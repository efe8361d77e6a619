// The flow of the input, drawn: ids pick token rows, places pick position rows, both are added. Every box is a button that
// opens its tensor.

import { css, svg, html, type SVGTemplateResult, type TemplateResult } from "lit";

export type TensorName = "ids" | "token" | "places" | "position" | "add" | "input";

/** What a box says: a title, and a line about the reader's own sentence. */
export interface FlowBox {
  title: string;
  live: string;
}

export type Flow = Record<TensorName, FlowBox>;

export const flowStyles = css`
  .flow {
    display: block;
    width: 100%;
    max-width: 29rem;
    height: auto;
  }
  .flow text {
    fill: var(--ink);
    font-size: 14px;
    text-anchor: middle;
    pointer-events: none;
  }
  .flow .live {
    fill: var(--soft);
    font-size: 12.5px;
    font-variant-numeric: tabular-nums;
  }
  .flow .sign {
    font-size: 22px;
  }
  .flow .shape {
    fill: var(--raised);
    stroke: var(--soft);
    stroke-width: 1.25;
  }
  .flow .arrow {
    fill: none;
    stroke: var(--soft);
    stroke-width: 1.5;
  }
  .flow .head {
    fill: var(--soft);
  }
  .flow [role="button"] {
    cursor: pointer;
    outline: none;
  }
  .flow [role="button"]:hover .shape {
    stroke: var(--accent);
  }
  .flow [role="button"][aria-pressed="true"] .shape {
    fill: var(--accent);
    stroke: var(--accent);
  }
  .flow [role="button"][aria-pressed="true"] text {
    fill: var(--on-accent);
  }
  .flow .ring {
    fill: none;
    stroke: none;
  }
  .flow [role="button"]:focus-visible .ring {
    stroke: var(--accent);
    stroke-width: 2.5;
  }
`;

interface Place {
  name: TensorName;
  x: number;
  y: number;
  width: number;
  height: number;
}

const places: readonly Place[] = [
  { name: "ids", x: 8, y: 8, width: 164, height: 54 },
  { name: "places", x: 188, y: 8, width: 164, height: 54 },
  { name: "token", x: 8, y: 92, width: 164, height: 54 },
  { name: "position", x: 188, y: 92, width: 164, height: 54 },
  { name: "add", x: 160, y: 168, width: 40, height: 40 },
  { name: "input", x: 70, y: 236, width: 220, height: 54 },
];

const arrows = ["M90 62V84", "M270 62V84", "M90 146V188H152", "M270 146V188H208", "M180 208V228"];
const heads = ["M85 84h10l-5 8z", "M265 84h10l-5 8z", "M152 183v10l8-5z", "M208 183v10l-8-5z", "M175 228h10l-5 8z"];

export function renderFlow(flow: Flow, open: TensorName, choose: (name: TensorName) => void): TemplateResult {
  return html`<svg class="flow" viewBox="0 0 360 298" role="group" aria-label="The way into the model. Each box opens its numbers.">
    ${arrows.map((d) => svg`<path class="arrow" d=${d} />`)} ${heads.map((d) => svg`<path class="head" d=${d} />`)}
    ${places.map((place) => renderBox(place, flow[place.name], place.name === open, () => choose(place.name)))}
  </svg>`;
}

function renderBox(place: Place, { title, live }: FlowBox, open: boolean, choose: () => void): SVGTemplateResult {
  const { x, y, width, height } = place;
  const middle = x + width / 2;
  const round = place.name === "add" ? height / 2 : 6;
  return svg`<g
    role="button"
    tabindex="0"
    data-tensor=${place.name}
    aria-pressed=${open}
    aria-label="${title}: ${live}"
    @click=${choose}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    }}
  >
    <rect class="ring" x=${x - 4} y=${y - 4} width=${width + 8} height=${height + 8} rx=${round + 4} />
    <rect class="shape" x=${x} y=${y} width=${width} height=${height} rx=${round} />
    ${
      place.name === "add"
        ? svg`<text class="sign" x=${middle} y=${y + 27}>+</text>`
        : svg`<text x=${middle} y=${y + 23}>${title}</text><text class="live" x=${middle} y=${y + 42}>${live}</text>`
    }
  </g>`;
}
