// A hundred steps of training in this browser must end on the same bits as natively and in Node: the hashes are those of
// tests/fixtures/weights_hashes.txt, whose head says how text and model are made.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { schemes } from "../../web/state/schemes.js";
import type { Core } from "../../web/engine/types.js";

const fixture = new URL("../fixtures/weights_hashes.txt", import.meta.url);
const built = new URL("../../build/wasm/", import.meta.url);

function readTable() {
  const model: Record<string, number> = {};
  const training: Record<string, number> = {};
  const hashes: Record<string, string> = {};
  let length = 0;
  for (const line of readFileSync(fixture, "utf8").split("\n")) {
    const [kind, key = "", value = ""] = line.split(" ");
    if (kind === "text_length") length = Number(key);
    if (kind === "model") model[key] = Number(value);
    if (kind === "training") training[key] = Number(value);
    if (kind === "hash") hashes[key] = value;
  }
  return { text: patternedText(length), model, training, hashes };
}

function patternedText(length: number): string {
  const characters = "abcdefghijklmnopqrstuvwxyz .\n";
  let x = 1;
  let at = 0;
  let text = "";
  for (let i = 0; i < length; ++i) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    at = (at * 5 + (x >>> 30)) % characters.length;
    text += characters[at];
  }
  return text;
}

test("a hundred steps of training end on the same bits as on every other target", async ({ page }) => {
  const { text, model, training, hashes } = readTable();
  expect(Object.keys(hashes)).toEqual(["none", "learned", "sinusoidal", "rope", "alibi"]);
  const types = { "poslab.mjs": "text/javascript", "poslab.wasm": "application/wasm" };
  for (const [name, contentType] of Object.entries(types)) {
    const body = readFileSync(new URL(name, built));
    await page.route(`**/module/${name}`, (route) => route.fulfill({ contentType, body }));
  }
  await page.goto("./embed.html");
  const found = await page.evaluate(
    async ({ text, model, training, schemes }) => {
      const address = new URL("module/poslab.mjs", document.baseURI).href;
      const { default: create } = (await import(address)) as { default: () => Promise<Core> };
      const core = await create();
      const found: Record<string, string> = { schemes: core.position_schemes().map(({ name }) => name).join() };
      for (const positions of schemes) {
        const config = { ...core.default_config(), ...model, positions };
        const session = new core.Session(text, config);
        const plan = { ...core.default_training(), ...training };
        session.begin_training(plan);
        for (let step = 0; step < plan.steps; ++step) session.step();
        found[positions] = session.weights_hash();
        session.delete();
      }
      return found;
    },
    { text, model, training, schemes: Object.keys(hashes) },
  );
  // The page's own list of schemes is the core's, too.
  expect(found).toEqual({ ...hashes, schemes: schemes.map(({ name }) => name).join() });
});
