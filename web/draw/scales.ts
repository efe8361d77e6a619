// Numbers to colours. Signed matrices get red–blue centred on 0, shares get a perceptually uniform scale from 0 to 1.
// Both stay readable for colour-blind readers.

import { interpolateRdBu, interpolateViridis } from "d3-scale-chromatic";

const levels = 256;

export interface ColourScale {
  kind: "diverging" | "share";
  low: number;
  high: number;
  /** `levels` colours from low to high, three bytes each. */
  colours: Uint8ClampedArray;
}

function tableOf(interpolate: (t: number) => string): Uint8ClampedArray {
  const colours = new Uint8ClampedArray(3 * levels);
  for (let i = 0; i < levels; ++i) colours.set(bytesOf(interpolate(i / (levels - 1))), 3 * i);
  return colours;
}

/** "#rrggbb" or "rgb(r, g, b)" as three bytes. */
export function bytesOf(colour: string): [number, number, number] {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  const parts = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (colour.match(/\d+/g) ?? []).map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

// Made at the first use: a page that only shows text need not wait for them.
let redBlue: Uint8ClampedArray | undefined;
let viridis: Uint8ClampedArray | undefined;

/** Blue below zero, white at zero, red above. */
export function divergingScale(largest: number): ColourScale {
  const limit = largest > 0 && Number.isFinite(largest) ? largest : 1;
  redBlue ??= tableOf((t) => interpolateRdBu(1 - t));
  return { kind: "diverging", low: -limit, high: limit, colours: redBlue };
}

/** Dark at 0, bright at 1. */
export function shareScale(): ColourScale {
  viridis ??= tableOf(interpolateViridis);
  return { kind: "share", low: 0, high: 1, colours: viridis };
}

/** Offset of a value's colour in `scale.colours`; values outside the scale get its ends. */
export function colourIndex(scale: ColourScale, value: number): number {
  const t = (value - scale.low) / (scale.high - scale.low);
  const level = Math.round(t * (levels - 1));
  return 3 * Math.min(levels - 1, Math.max(0, Number.isNaN(level) ? 0 : level));
}

export function colourOf(scale: ColourScale, value: number): string {
  const at = colourIndex(scale, value);
  return `rgb(${scale.colours[at]} ${scale.colours[at + 1]} ${scale.colours[at + 2]})`;
}

/** The largest absolute value, for a scale that is centred on 0. */
export function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; ++i) {
    const size = Math.abs(values[i] as number);
    if (size > largest) largest = size;
  }
  return largest;
}
