import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { complaintsOf, matrix, Race, serveHtml } from "./student.js";

/** A course page of another origin with one panel in a frame that may run scripts and nothing else. */
async function coursePage(baseURL: string | undefined, query: string, script = "") {
  const source = `${baseURL}embed.html?${query}`;
  const frame = `<iframe src="${source}" sandbox="allow-scripts" width="900" height="1100"></iframe>`;
  return serveHtml(`<!doctype html><title>A course</title><h1>A course</h1>${frame}${script}`);
}

test("the race trains in a sandboxed frame on a page of another origin", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page);
  const course = await coursePage(baseURL, "panel=race&size=tiny&steps=4&corpus=first-names&schemes=rope,none");
  await page.goto(course.address);
  const race = new Race(page.frameLocator("iframe"));
  await race.train();
  await race.expectState("finished", "rope", "none");
  await expect(race.table).toBeVisible();
  await race.panel.getByLabel("Seed").fill("3");
  await race.panel.getByLabel("Seed").blur();
  expect(complaints).toEqual([]);
  course.close();
});

test("the sinusoid is drawn in a sandboxed frame on a page of another origin", async ({ page, baseURL }) => {
  const course = await coursePage(baseURL, "panel=sinusoid&d=8");
  await page.goto(course.address);
  const panel = page.frameLocator("iframe").locator("poslab-sinusoid");
  await expect(panel.locator("poslab-matrix")).toHaveCount(3);
  await panel.locator("canvas").first().focus();
  await panel.locator("canvas").first().press("ArrowDown");
  await expect(panel.locator("poslab-matrix output").first()).toContainText("0.841471");
  course.close();
});

for (const panelName of ["attention", "learned"]) {
  test(`the ${panelName} panel alone in a sandboxed frame offers a training of its own`, async ({ page, baseURL }) => {
    const complaints = complaintsOf(page);
    const course = await coursePage(baseURL, `panel=${panelName}`);
    await page.goto(course.address);
    const panel = page.frameLocator("iframe").locator(`poslab-${panelName}`);
    await panel.getByRole("button", { name: "Train a small one here" }).click();
    await expect(panel.locator("poslab-matrix canvas").first()).toBeVisible({ timeout: 30_000 });
    await expect(panel.locator(".status")).toContainText(/learned, \d+ of 600 steps/);
    await panel.getByRole("button", { name: "Pause" }).click();
    await expect(panel.getByRole("button", { name: "Resume" })).toBeVisible();
    expect(complaints).toEqual([]);
    course.close();
  });
}

test("a course page can give its frame the height that the panel tells", async ({ page, baseURL }) => {
  // The script that README gives.
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const script = /<script>.*?<\/script>/s.exec(readme)?.[0] ?? "";
  const course = await coursePage(baseURL, "panel=sinusoid", script);
  await page.goto(course.address);
  const frame = page.locator("iframe");
  const panel = page.frameLocator("iframe").locator("poslab-sinusoid");
  await expect(panel.locator("canvas").first()).toBeVisible();
  const cut = () => panel.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await expect.poll(cut).toBe(0);
  const wide = (await frame.boundingBox())?.height ?? 0;
  await frame.evaluate((frame: HTMLIFrameElement) => (frame.width = "360"));
  await expect.poll(async () => (await frame.boundingBox())?.height ?? 0).toBeGreaterThan(wide + 100);
  await expect.poll(cut).toBe(0);
  await frame.evaluate((frame: HTMLIFrameElement) => (frame.width = "900"));
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(wide);
  course.close();
});

test("an embedded panel that does not exist is said", async ({ page }) => {
  await page.goto("./embed.html?panel=rase");
  await expect(page.locator(".complaints")).toContainText('panel is "rase"; it must be one of sinusoid, ');
  await expect(matrix(page.locator("poslab-sinusoid"), /^Sinusoidal table/).canvas).toBeVisible();
});

test("panels work under a strict Content-Security-Policy", async ({ page }) => {
  const complaints = complaintsOf(page);
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src blob:; img-src data:";
  await page.route("**/embed.html*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  await page.goto("./embed.html?panel=race&size=tiny&steps=3&schemes=none");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "none");
  await page.goto("./embed.html?panel=sinusoid");
  await expect(matrix(page.locator("poslab-sinusoid"), /^Sinusoidal table/).canvas).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a course page can use the elements themselves, from another origin", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page);
  const course = await serveHtml(
    `<!doctype html><link rel="icon" href="data:,"><title>A course</title><script defer src="${baseURL}poslab.js"></script>
    <poslab-race size="tiny" steps="3" schemes="alibi"></poslab-race>`,
  );
  await page.goto(`${course.address}?lesson=7`);
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "alibi");
  await race.panel.getByLabel("Seed").fill("1");
  await race.panel.getByLabel("Seed").blur();
  expect(new URL(page.url()).search).toBe("?lesson=7");
  expect(complaints).toEqual([]);
  course.close();
});
