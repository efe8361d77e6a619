import { expect, test } from "@playwright/test";
import { complaintsOf, panels, Race } from "./student.js";

for (const width of [1280, 768, 360, 320]) {
  test(`nothing scrolls sideways at ${width} pixels, before and after a training`, async ({ page }) => {
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width, height: 800 });
    await page.goto("./?size=tiny&steps=4");
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const walk = async () => {
      for (const panel of panels) {
        await page.locator(`poslab-${panel}`).scrollIntoViewIfNeeded();
        await expect(page.locator(`poslab-${panel} figure`).first()).toBeVisible();
        expect(await overflow()).toBe(0);
      }
    };
    await walk();
    const race = new Race(page);
    await race.train();
    await race.expectState("finished", "learned", "none");
    await walk();
    expect(complaints).toEqual([]);
  });
}

test("values in the address that are not allowed are said and replaced, the others kept", async ({ page }) => {
  await page.goto("./?n=banana&d=16&size=tiny&steps=-3&schemes=rope,qope&lyer=2");
  await expect(page.locator("body > .complaints")).toContainText('The address sets "lyer" to 2, but nothing has that name; layer is the nearest');
  const race = page.locator("poslab-race");
  await race.scrollIntoViewIfNeeded();
  const sentences = race.locator(".complaints");
  await expect(sentences).toContainText('“Positions” is "rope,qope"; it must be one to 4 of none, learned, sinusoidal');
  await expect(sentences).toContainText("“Steps” is -3; it must be a whole number from 1 to 20000. 1500 is used instead.");
  await expect(race.getByLabel("Size of the model")).toHaveValue("tiny");
  const sinusoid = page.locator("poslab-sinusoid");
  await sinusoid.scrollIntoViewIfNeeded();
  await expect(sinusoid.locator(".complaints")).toContainText('“Positions n” is "banana"');
  await expect(sinusoid.getByRole("spinbutton", { name: "Width d" })).toHaveValue("16");
  await expect(sinusoid.getByRole("spinbutton", { name: "Positions n" })).toHaveValue("100");
});

test("the text is there before the module and the book are loaded", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route("**/assets/wasm-*", () => {}); // never answered
  await page.goto("./");
  await expect(page.getByRole("heading", { name: "Who sits where?" })).toBeVisible();
  await page.waitForTimeout(500);
  // Only what the first panel needs is asked for: no book, no code editor.
  expect(asked.filter((path) => path.includes("assets/") && !path.includes("assets/wasm-"))).toEqual([]);
  await page.unroute("**/assets/wasm-*");
  await page.reload();
  await page.locator("poslab-sinusoid").scrollIntoViewIfNeeded();
  await expect(page.locator("poslab-sinusoid poslab-matrix").first()).toBeVisible();
  expect(asked.filter((path) => path.includes("moby-dick"))).toEqual([]);
});

test("the main button is reached by keyboard alone and starts a training", async ({ page }) => {
  await page.goto("./?size=tiny&steps=3");
  await page.locator("poslab-race").scrollIntoViewIfNeeded();
  await expect(page.locator("poslab-race figure")).toBeVisible();
  const isMainButton = () =>
    page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.classList.contains("primary") ?? false;
    });
  for (let i = 0; i < 80 && !(await isMainButton()); ++i) await page.keyboard.press("Tab");
  expect(await isMainButton()).toBe(true);
  await page.keyboard.press("Enter");
  await new Race(page).expectState("finished", "learned", "none");
});

for (const [width, height] of [
  [1280, 900],
  [360, 740],
] as const) {
  test(`the links of the contents lead to where they say at ${width} pixels, also on opening the page`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto("./");
    const links = page.locator(".contents a");
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(names.length).toBeGreaterThan(12);
    // The page is read from the top, and from where it grows most below what is shown.
    for (const name of ["#tying", "#clock", "#build", "#prove"]) {
      const place = page.locator(name);
      const expectAtTop = () =>
        expect.poll(async () => Math.abs(((await place.boundingBox())?.y ?? Infinity) - 16), { timeout: 3000 }).toBeLessThan(2);
      await page.goto("about:blank");
      await page.goto("./");
      await page.locator(`.contents a[href="${name}"]`).click();
      await page.waitForTimeout(800);
      await expectAtTop();
      await page.goto("about:blank");
      await page.goto(`./${name}`);
      await page.waitForTimeout(800);
      await expectAtTop();
    }
    // Whoever scrolls on is left alone.
    await page.mouse.wheel(0, -500);
    await page.waitForTimeout(500);
    expect((await page.locator("#prove").boundingBox())?.y).toBeGreaterThan(300);
  });
}

/** Milliseconds of processor time of the longest tasks on a page's main thread, from a trace; longest first. */
function longestTasks(trace: Buffer): number[] {
  interface TraceEvent {
    name: string;
    ph: string;
    pid: number;
    tid: number;
    tdur?: number;
    args: { name?: string };
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  return traceEvents
    .filter(({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && mains.has(`${pid}/${tid}`))
    .map(({ tdur }) => (tdur ?? Number.NaN) / 1000)
    .sort((a, b) => b - a);
}

test("the main thread stays responsive while two models train", async ({ page, browser }) => {
  await page.addInitScript(() => {
    const longest: number[] = [];
    Object.assign(globalThis, { longTasks: longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.push(duration);
    }).observe({ type: "longtask" });
  });
  await page.goto("./");
  const race = new Race(page);
  await race.panel.scrollIntoViewIfNeeded();
  await expect(race.button("Train")).toBeVisible();
  await page.waitForTimeout(500);
  const longTasks = () => page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));
  await longTasks();
  await browser.startTracing(page, { categories: ["toplevel"] });
  await race.train();
  await page.waitForTimeout(8000);
  const observed = await longTasks();
  const tasks = longestTasks(await browser.stopTracing());
  await race.expectState("running", "learned", "none");
  // The observer counts by the clock, so on a busy machine it also counts the time that other programs took. What the
  // page itself does is told by processor time.
  test.info().annotations.push({ type: "tasks over 50 ms by the clock", description: JSON.stringify(observed) });
  expect(tasks.length).toBeGreaterThan(100);
  expect(tasks[0], `longest tasks: ${tasks.slice(0, 5).join(", ")} ms`).toBeLessThan(50);
});
