import { expect, test } from "@playwright/test";
import { complaintsOf, Race } from "./student.js";

test("two models train side by side to the end, with curves, samples and a table", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto("./?size=tiny&steps=40");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "learned", "none");
  await expect(race.table.locator('tr[data-scheme="learned"] td')).toHaveText([/^[\d,]+$/, /^\d\.\d{3}$/, "", /^\d+ %$/]);
  await expect(race.table.locator('tr[data-scheme="none"] td')).toHaveText([
    /^[\d,]+$/,
    /^\d\.\d{3}$/,
    /^[+−]?\d\.\d{3}$/,
    /^\d+ %$/,
  ]);
  for (const scheme of ["learned", "none"]) {
    const sample = race.panel.locator("section.sample").filter({ hasText: `${scheme} writes, after 40 steps` });
    expect((await sample.locator("pre").innerText()).length).toBeGreaterThan(50);
  }
  expect(complaints).toEqual([]);
});

test("pausing holds the step, stepping makes one, resuming goes on, stopping measures", async ({ page }) => {
  await page.goto("./?size=tiny&steps=2000&schemes=rope");
  const race = new Race(page);
  await race.train();
  await expect.poll(() => race.stepOf("rope")).toBeGreaterThan(5);
  await race.button("Pause").click();
  await race.expectState("paused", "rope");
  const held = await race.stepOf("rope");
  await page.waitForTimeout(500);
  expect(await race.stepOf("rope")).toBe(held);
  await race.button("Step").click();
  await expect.poll(() => race.stepOf("rope")).toBe(held + 1);
  await race.button("Resume").click();
  await expect.poll(() => race.stepOf("rope")).toBeGreaterThan(held + 5);
  await expect(race.run("rope").locator(".figures")).toContainText(/tokens\/s · .* left/);
  await race.button("Stop").click();
  await expect(race.button("Measuring …")).toBeDisabled();
  await expect(race.button("Stop")).toBeDisabled();
  await race.expectState("finished", "rope");
  expect(await race.stepOf("rope")).toBeLessThan(2000);
  await expect(race.run("rope").locator(".figures")).toContainText("stopped");
  await expect(race.button("Train again")).toBeEnabled();
  await expect(race.table).toBeVisible();
});

test("once Train is pressed it is not offered again before the race ends", async ({ page }) => {
  await page.goto("./?size=tiny&steps=300&schemes=learned");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  await expect(race.button("Train")).toBeEnabled();
  const offered = race.panel.evaluate(async (panel) => {
    const label = () => {
      const button = panel.shadowRoot?.querySelector<HTMLButtonElement>(".primary");
      return button?.disabled ? "" : (button?.textContent ?? "").trim();
    };
    const seen: string[] = [];
    do {
      await new Promise(requestAnimationFrame);
      if (label() !== seen.at(-1)) seen.push(label());
    } while (seen.at(-1) !== "Train again");
    return seen;
  });
  await race.train();
  expect(await offered).toEqual(["Train", "", "Pause", "", "Train again"]);
});

test("on a phone the progress shows where the button was pressed", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("./?size=tiny&steps=40#race");
  const race = new Race(page);
  await race.button("Train").click();
  await race.expectState("finished", "learned", "none");
  await expect(race.button("Train again")).toBeInViewport();
  for (const scheme of ["learned", "none"]) await expect(race.run(scheme).locator("progress")).toBeInViewport();
});

test("no text is shown of a step that is not counted yet", async ({ page }) => {
  await page.goto("./?size=tiny&steps=300&schemes=learned");
  const race = new Race(page);
  await race.train();
  const seen = await race.panel.evaluate(async (panel) => {
    const seen: { counted: number; written: number }[] = [];
    const counted = () => panel.shadowRoot?.querySelector("progress")?.value ?? 0;
    while (counted() < 300) {
      await new Promise(requestAnimationFrame);
      const words = panel.shadowRoot?.querySelector("section.sample")?.textContent ?? "";
      seen.push({ counted: counted(), written: Number(/after (\d+) steps/.exec(words)?.[1] ?? 0) });
    }
    return seen;
  });
  expect(seen.filter(({ counted, written }) => written > counted)).toEqual([]);
  expect(new Set(seen.map(({ written }) => written)).size).toBeGreaterThan(3);
});

test("reset goes back to the same start: the same first losses", async ({ page }) => {
  await page.goto("./?size=tiny&steps=12&schemes=learned,alibi");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  await race.button("Step").click();
  await race.expectState("paused", "learned", "alibi");
  await race.button("Step").click();
  await race.button("Step").click();
  await expect.poll(() => race.stepOf("alibi")).toBe(3);
  await expect.poll(() => race.stepOf("learned")).toBe(3);
  const before = await race.firstLosses(3);
  expect(before[2]).toMatch(/^Step 3\. learned: batch \d\.\d\d.*; ALiBi: batch \d\.\d\d/);
  await race.button("Reset").click();
  await race.expectState("ready", "learned", "alibi");
  expect(await race.stepOf("alibi")).toBe(0);
  await race.train();
  await race.expectState("finished", "learned", "alibi");
  expect(await race.firstLosses(3)).toEqual(before);
});

test("a text that is too short is refused with both lengths, stays in its box, and leaves the earlier race", async ({ page }) => {
  await page.goto("./?size=tiny&steps=5");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "learned", "none");
  const results = await race.table.innerText();
  await expect(race.panel).toContainText("All are still above the bigram line: train longer before you compare.");
  await race.panel.getByRole("radio", { name: "Your own text" }).check();
  const box = race.panel.getByLabel("Your own text", { exact: true }).last();
  await box.fill("too short a text");
  await race.button("Train again").click();
  await expect(race.panel.getByRole("alert")).toHaveText(/16.*330.*The earlier race stays below/s);
  await expect(box).toHaveValue("too short a text");
  expect(await race.table.innerText()).toBe(results);
  const learned = page.locator("poslab-learned");
  await learned.scrollIntoViewIfNeeded();
  await expect(learned.getByRole("heading", { name: "The table after 5 steps" })).toBeVisible();
  await expect(learned).not.toContainText("16 characters");
  await expect(learned.locator("figcaption")).toContainText("This table has not learned its order yet; train longer.");
  // The sentence goes with the text that caused it.
  await box.fill("longer, yet still too short");
  await expect(race.panel.getByRole("alert")).toHaveCount(0);
  await race.button("Train again").click();
  await expect(race.panel.getByRole("alert")).toContainText("27 characters");
  await race.panel.getByRole("radio", { name: "Moby-Dick" }).check();
  await expect(race.panel.getByRole("alert")).toHaveCount(0);
  await race.panel.getByRole("radio", { name: "Your own text" }).check();
  // A longer one then trains.
  await box.fill("The quick brown fox jumps over the lazy dog.\n".repeat(40));
  await race.button("Train again").click();
  await race.expectState("finished", "learned", "none");
  await expect(race.panel.getByRole("alert")).toHaveCount(0);
});

test("a text file of the reader's own can be picked", async ({ page }) => {
  await page.goto("./?size=tiny&steps=3&corpus=own&schemes=none");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  const buffer = Buffer.from("\uFEFFone two three\r\n".repeat(80), "utf8");
  await race.panel.locator('input[type="file"]').setInputFiles({ name: "own.txt", mimeType: "text/plain", buffer });
  await expect(race.panel.locator("textarea")).toHaveValue(/one two three/);
  await race.train();
  await race.expectState("finished", "none");
});

test("a text of one character is trained on, with a word about its loss", async ({ page }) => {
  await page.goto("./?size=tiny&steps=3&corpus=own&schemes=learned");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  await race.panel.getByRole("textbox", { name: "Your own text" }).fill("a".repeat(2000));
  await race.train();
  await race.expectState("finished", "learned");
  await expect(race.panel).toContainText("all of them 'a'. So there is nothing to guess: every model is right from the start and has a loss of 0.");
  await expect(race.table.locator('tr[data-scheme="learned"] td').nth(1)).toHaveText("0.000");
});

test("one to four schemes can be chosen, and the address follows", async ({ page }) => {
  await page.goto("./?size=tiny&steps=5");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  for (const name of ["RoPE", "ALiBi"]) await race.panel.getByRole("checkbox", { name }).check();
  await expect(race.panel.getByRole("checkbox", { name: "sinusoidal" })).toBeDisabled();
  expect(new URL(page.url()).searchParams.get("schemes")).toBe("learned,none,rope,alibi");
  await race.panel.getByLabel("Seed").fill("7");
  await race.panel.getByLabel("Seed").blur();
  expect(new URL(page.url()).searchParams.get("seed")).toBe("7");
  await race.train();
  await race.expectState("finished", "learned", "none", "rope", "alibi");
});

test("a worker that dies is said, does not touch the other run, and can be restarted", async ({ page }) => {
  await page.goto("./?size=tiny&steps=3000&workers=1");
  const race = new Race(page);
  await race.train();
  await expect.poll(() => race.stepOf("none")).toBeGreaterThan(3);
  // The lab worker may be among the workers; only a training worker is ended: the last started belongs to `none`.
  await page.workers().at(-1)?.evaluate(() => self.close());
  await race.expectState("dead", "none");
  await expect(race.run("none").getByRole("alert")).toContainText("The worker has not answered for 8 seconds");
  await race.expectState("running", "learned");
  await race.button("Pause").click();
  await race.run("none").getByRole("button", { name: "Restart this run" }).click();
  await race.expectState("ready", "none");
  expect(await race.stepOf("none")).toBe(0);
  await race.button("Resume").click();
  await expect.poll(() => race.stepOf("none")).toBeGreaterThan(3);
  await race.expectState("running", "learned", "none");
});

test("how far the last measurement is stands there, and a worker that dies in it is said", async ({ page }) => {
  await page.goto("./?size=nano&steps=3&schemes=none&workers=1");
  const race = new Race(page);
  await race.train();
  await expect(race.run("none").locator(".figures")).toHaveText(/3 of 3 steps · measuring the whole validation text, [1-9]\d? %/);
  await page.workers().at(-1)?.evaluate(() => self.close());
  await race.expectState("dead", "none");
  await expect(race.run("none").getByRole("alert")).toContainText("The worker has not answered for 8 seconds");
});

test("training goes on while the tab is hidden", async ({ page, context }) => {
  await page.goto("./?size=tiny&steps=3000&schemes=none");
  const race = new Race(page);
  await race.train();
  await expect.poll(() => race.stepOf("none")).toBeGreaterThan(3);
  const before = await race.stepOf("none");
  const other = await context.newPage();
  await other.goto("about:blank");
  await other.bringToFront();
  await other.waitForTimeout(1500);
  await page.bringToFront();
  expect(await race.stepOf("none")).toBeGreaterThan(before + 3);
});

test("a book or a module that cannot be loaded is said, and may be tried again", async ({ page }) => {
  // From the start: other panels near the top ask for the module as soon as they are seen.
  await page.route("**/assets/*", (route) => route.abort());
  await page.goto("./?size=tiny&steps=3&schemes=none");
  const race = new Race(page);
  await race.train();
  await expect(race.panel.getByRole("alert")).toContainText(/moby-dick.*could not be loaded/);
  await page.unroute("**/assets/*");
  await page.route("**/assets/wasm*", (route) => route.abort());
  await race.button("Train").click();
  await expect(race.panel.getByRole("alert")).toContainText(/wasm.*could not be loaded/);
  await page.unroute("**/assets/wasm*");
  await race.button("Train").click();
  await race.expectState("finished", "none");
});
