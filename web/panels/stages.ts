// The core's names of the places inside a model, in words; layers are numbered from 0, as in the names.

export function stageTitle(name: string): string {
  if (name === "input") return "the input";
  if (name === "logits") return "the logits, the output’s score for each token";
  const [, layer, attention] = /^h\.(\d+)(\.attn)?$/.exec(name) ?? [];
  if (layer === undefined) return name;
  return `${attention ? "attention of layer" : "layer"} ${layer}`;
}
