// Checks the shape of the house: which part may know of which. Part of `npm run lint`.
import { sources, textOf } from "./sources.mjs";

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");

// The core's spine: a file may include what stands in its own row or above it.
const spine = [
  /^simd\//,
  /^kernels\//,
  // plain values and text, which the layers are built from
  /^(error|config|tensor|rng|tokenizer|corpus|parameters)\./,
  /^(layers|position)\//,
  /^gpt\./,
  /^shards\./,
  /./,
];
const row = (path) => spine.findIndex((pattern) => pattern.test(path));
// config.cpp names the registered schemes when it refuses an unknown one.
const exceptions = new Set(["config.cpp position/registry.h"]);

function* coreBreaches() {
  const withXtensor = [];
  for (const path of sources(["core"], /\.(cpp|h)$/)) {
    const name = path.slice("core/".length);
    const code = withoutComments(textOf(path));
    if (/emscripten/i.test(code)) yield `${path} mentions emscripten; only wasm/ may.`;
    if (/#include <(iostream|fstream|filesystem)>/.test(code)) yield `${path} prints or opens files; the core does neither.`;
    if (/#include [<"](xtensor|xtl)\//.test(code)) withXtensor.push(path);
    for (const [, included] of code.matchAll(/#include "([^"]+)"/g)) {
      if (row(included) > row(name) && !exceptions.has(`${name} ${included}`)) {
        yield `${path} includes ${included}, which stands above it.`;
      }
    }
  }
  if (withXtensor.join() !== "core/tensor.h") {
    yield `xtensor is included in ${withXtensor.join(", ") || "no file"}; it belongs in core/tensor.h alone.`;
  }
}

// web/engine knows no page; web/panels knows no element around it.
const mayNotImport = {
  engine: ["panels", "elements", "draw", "parts", "state"],
  draw: ["panels", "elements", "state"],
  panels: ["elements"],
};
const domNames = /\b(document|window)\.|\bHTML\w*Element\b|\bCanvasRenderingContext2D\b|\bcustomElements\b|\blocalStorage\b/;

function* webBreaches() {
  for (const path of sources(["web"], /\.ts$/)) {
    const part = path.split("/")[1];
    const code = withoutComments(textOf(path));
    const dom = part === "engine" && code.match(domNames);
    if (dom) yield `${path} uses ${dom[0]}; the engine knows no page.`;
    for (const [, imported] of code.matchAll(/from "([^"]+)"/g)) {
      const other = imported.match(/\.\.\/(\w+)\//)?.[1];
      if (mayNotImport[part]?.includes(other)) yield `${path} imports ${imported}; web/${part} must not know web/${other}.`;
    }
  }
}

export function breaches() {
  return [...coreBreaches(), ...webBreaches()];
}
