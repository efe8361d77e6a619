// Turbo: offered where the browser has relaxed SIMD, loaded when it is used, and the same training but for last digits.

import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { schemes } from "../../web/state/schemes.js";
import { complaintsOf, Race } from "./student.js";
import { faultsOf, type turboAgainstReproducible } from "./turbo_losses.mjs";

const label = "Turbo: faster, last digits may differ";

/** The names of the scripts that the page has loaded so far, without their hashes. */
function assetsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const name = /\/assets\/(.+)-\w+\.js/.exec(request.url())?.[1];
    if (name !== undefined) asked.push(name);
  });
  return asked;
}

test("fifty steps in turbo end near the reproducible ones, for every scheme", async ({ page }) => {
  const files = { "turbo_losses.mjs": "./turbo_losses.mjs" } as Record<string, string>;
  for (const name of ["poslab", "poslab_turbo"]) {
    for (const ending of ["mjs", "wasm"]) files[`${name}.${ending}`] = `../../build/wasm/${name}.${ending}`;
  }
  for (const [name, path] of Object.entries(files)) {
    const contentType = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    const body = readFileSync(new URL(path, import.meta.url));
    await page.route(`**/module/${name}`, (route) => route.fulfill({ contentType, body }));
  }
  await page.goto("./embed.html");
  const names = schemes.map(({ name }) => name);
  const trainings = await page.evaluate(async (names) => {
    const folder = new URL("module/", document.baseURI).href;
    const script = (await import(`${folder}turbo_losses.mjs`)) as { turboAgainstReproducible: typeof turboAgainstReproducible };
    return script.turboAgainstReproducible(folder, names);
  }, names);
  expect(faultsOf(trainings, names)).toEqual([]);
});

test("turbo is off and its module not loaded until a reader ticks it and trains", async ({ page }) => {
  const complaints = complaintsOf(page);
  const assets = assetsOf(page);
  await page.goto("./?size=tiny&steps=20&schemes=learned");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "learned");
  const box = race.panel.getByLabel(label);
  await expect(box).not.toBeChecked();
  await expect(race.panel).not.toContainText("In turbo");
  const loss = await race.table.locator('tr[data-scheme="learned"] td').nth(1).innerText();
  await box.check();
  await expect(page).toHaveURL(/[?&]turbo=on(&|$)/);
  expect(assets).toContain("wasm");
  expect(assets).not.toContain("turbo");
  await race.button("Train again").click();
  await race.expectState("finished", "learned");
  await expect(race.panel).toContainText("In turbo: another machine may reach other last digits.");
  expect(assets).toContain("turbo");
  const fast = await race.table.locator('tr[data-scheme="learned"] td').nth(1).innerText();
  expect(Math.abs(Number(fast) - Number(loss))).toBeLessThan(0.002);
  expect(complaints).toEqual([]);
});

test("an address that asks for turbo trains in turbo", async ({ page }) => {
  const assets = assetsOf(page);
  await page.goto("./embed.html?panel=race&size=tiny&steps=10&schemes=rope&turbo=on");
  const race = new Race(page);
  await expect(race.panel.getByLabel(label)).toBeChecked();
  await race.train();
  await race.expectState("finished", "rope");
  expect(assets).toContain("turbo");
});

test("a browser without relaxed SIMD is not offered turbo and is told when its address asks for it", async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  const assets = assetsOf(page);
  await page.goto("./embed.html?panel=race&size=tiny&steps=10&schemes=rope&turbo=on");
  const race = new Race(page);
  await expect(race.panel).toContainText("“Turbo” is on, but this browser lacks the instructions it needs");
  await expect(race.panel.getByLabel("Seed")).toBeVisible();
  await expect(race.panel.getByLabel(label)).toHaveCount(0);
  await race.train();
  await race.expectState("finished", "rope");
  await expect(race.panel).not.toContainText("In turbo");
  expect(assets).toContain("wasm");
  expect(assets).not.toContain("turbo");
});
