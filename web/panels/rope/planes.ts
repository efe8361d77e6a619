// Each pair of a query and a key as two arrows in a plane, before and after they are turned. Pure templates.

import { css, html, svg, type TemplateResult } from "lit";
import { largestOf } from "../../draw/scales.js";
import { formatValue } from "../../draw/ticks.js";

export interface PlanesView {
  q: Float32Array;
  k: Float32Array;
  turnedQ: Float32Array;
  turnedK: Float32Array;
  contributions: Float64Array;
  pairing: "adjacent" | "half";
}

/** More planes than these would bury the rest of the figure. */
const most = 8;

export const planeStyles = css`
  .planes {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
    gap: 1rem 0.75rem;
    margin: 0 0 0.5rem;
  }
  .plane {
    margin: 0;
    min-width: 0;
    font-size: 0.8125rem;
    text-align: center;
  }
  .plane svg {
    display: block;
    width: 100%;
    max-width: 11rem;
    margin: 0 auto;
  }
  .ring {
    fill: var(--raised);
    stroke: var(--rule);
    stroke-width: 0.02;
  }
  .axis {
    stroke: var(--rule);
    stroke-width: 0.02;
  }
  .q {
    stroke: var(--q);
    fill: var(--q);
  }
  .k {
    stroke: var(--k);
    fill: var(--k);
  }
  .arrow {
    stroke-width: 0.06;
    stroke-linecap: round;
  }
  .before {
    stroke-width: 0.03;
    stroke-dasharray: 0.05 0.06;
    fill: none;
  }
  .bar {
    stroke: none;
    fill: var(--soft);
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.2rem;
    margin: 0 0 0.5rem;
  }
  .key i {
    display: inline-block;
    inline-size: 1.4rem;
    border-top: 3px solid var(--q);
    vertical-align: middle;
    margin-inline-end: 0.35rem;
  }
  .key .of-k {
    border-color: var(--k);
  }
  .key .dashed {
    border-top: 2px dashed var(--soft);
  }
`;

export function renderPlanes(view: PlanesView): TemplateResult {
  const { q, k, contributions } = view;
  const pairs = contributions.length;
  // Turning keeps lengths, so the longest arrow of all fits in before and after.
  const reach = longest(view) || 1;
  const bar = largestOf(contributions) || 1;
  return html`<p class="key">
      <span><i></i>query, turned</span><span><i class="of-k"></i>key, turned</span
      ><span><i class="dashed"></i>before turning</span>
    </p>
    <div class="planes">
      ${Array.from({ length: Math.min(pairs, most) }, (_, pair) => {
        const [a, b] = view.pairing === "half" ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
        const at = (x: Float32Array) => [(0.95 * (x[a] ?? 0)) / reach, (-0.95 * (x[b] ?? 0)) / reach] as const;
        const share = contributions[pair] ?? 0;
        const width = (0.95 * Math.abs(share)) / bar;
        const spoken = `Pair ${pair}, columns ${a} and ${b}: query ${words(view.turnedQ, a, b)}, before ${words(q, a, b)}; key ${words(view.turnedK, a, b)}, before ${words(k, a, b)}; adds ${formatValue(share, 4)} to the score.`;
        return html`<div class="plane" data-pair=${pair}>
          <svg viewBox="-1.05 -1.05 2.1 2.45" role="img" aria-label=${spoken}>
            <circle class="ring" r="1" />
            <path class="axis" d="M-1 0H1M0-1V1" />
            ${arrow("q before", at(q))} ${arrow("k before", at(k))} ${arrow("q arrow", at(view.turnedQ))}
            ${arrow("k arrow", at(view.turnedK))}
            <line class="axis" y1="1.12" y2="1.36" />
            <rect class="bar" x=${share < 0 ? -width : 0} y="1.15" width=${width} height="0.18" />
          </svg>
          columns ${a}, ${b}<br />adds ${formatValue(share, 4)}
        </div>`;
      })}
    </div>
    ${pairs > most ? html`<p class="quiet">The first ${most} of ${pairs} pairs are drawn.</p>` : ""}`;
}

function arrow(kind: string, [x, y]: readonly [number, number]) {
  return svg`<line class=${kind} x2=${x} y2=${y} />`;
}

function words(x: Float32Array, a: number, b: number): string {
  return `(${formatValue(x[a] ?? 0, 3)}, ${formatValue(x[b] ?? 0, 3)})`;
}

function longest({ q, k, pairing, contributions }: PlanesView): number {
  const pairs = contributions.length;
  let reach = 0;
  for (let pair = 0; pair < pairs; ++pair) {
    const [a, b] = pairing === "half" ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
    for (const x of [q, k]) reach = Math.max(reach, Math.hypot(x[a] ?? 0, x[b] ?? 0));
  }
  return reach;
}
