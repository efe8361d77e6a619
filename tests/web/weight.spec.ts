// What a visitor's browser has to fetch, and when.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { panels, Race } from "./student.js";

const dist = new URL("../../dist/", import.meta.url);
const kilobytes = (path: string) => gzipSync(readFileSync(new URL(path, dist)), { level: 9 }).length / 1000;

test("the page's script and the wasm module are light enough for a slow line", () => {
  expect(kilobytes("poslab.js")).toBeLessThanOrEqual(130);
  const wasm = readdirSync(new URL("assets/", dist)).find((name) => name.startsWith("wasm-"));
  expect(kilobytes(`assets/${wasm}`)).toBeLessThanOrEqual(150);
});

test("a text is fetched when a training first asks for it, not before", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const texts = () => fetched.filter((url) => /moby-dick|first-names/.test(url));
  await page.goto("./?size=tiny&steps=3&schemes=none");
  for (const panel of panels) {
    await page.locator(`poslab-${panel}`).scrollIntoViewIfNeeded();
    await expect(page.locator(`poslab-${panel}`)).toHaveAttribute("awake");
  }
  expect(fetched.some((url) => /assets\/wasm/.test(url))).toBe(true);
  expect(texts()).toEqual([]);
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "none");
  expect(texts()).toEqual([expect.stringMatching(/assets\/moby-dick-\w+\.js$/)]);
});
