// One run trained by several workers of the page: whoever computes which part of a step, whatever happens to a helper
// meanwhile, the weights are those of a run alone.

import { expect, test, type Page } from "@playwright/test";
import { complaintsOf, Race, serveHtml } from "./student.js";
import type { FromWorker, ToWorker } from "../../web/engine/protocol.js";

/** What the page's workers did, as a spy in the page sees it. */
interface Spied {
  worker: Worker;
  role: "leader" | "helper" | "lab";
  ended: boolean;
  /** Of a leader: steps whose loss was reported, and the numbers of workers it reported. */
  steps: number;
  workers: number[];
  /** Of a helper: the steps that the first run had reported whenever it was told to leave. */
  left: number[];
}
declare const spied: Spied[];

const steps = 400;

/** The element as it stands alone on somebody's page, one for each list of attributes. */
async function openRaces(page: Page, baseURL: string | undefined, ...attributes: string[]) {
  await page.addInitScript(() => {
    if ("spied" in globalThis) return;
    const all: Spied[] = [];
    Object.assign(globalThis, { spied: all });
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { value: 2 });
    const Native = Worker;
    const spy = (...given: ConstructorParameters<typeof Worker>) => {
      const worker = new Native(...given);
      const seen: Spied = { worker, role: "lab", ended: false, steps: 0, workers: [], left: [] };
      all.push(seen);
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
        if (data.type !== "progress") return;
        seen.steps += data.losses.length;
        seen.workers.push(data.workers);
      });
      worker.postMessage = (message: ToWorker, options?: StructuredSerializeOptions | Transferable[]) => {
        if (message.type === "create") seen.role = "leader";
        if (message.type === "help") seen.role = "helper";
        if (message.type === "leave") seen.left.push(all.find(({ role }) => role === "leader")?.steps ?? 0);
        Native.prototype.postMessage.call(worker, message, options as StructuredSerializeOptions);
      };
      worker.terminate = () => {
        seen.ended = true;
        Native.prototype.terminate.call(worker);
      };
      return worker;
    };
    globalThis.Worker = new Proxy(Native, { construct: (_, given) => spy(...(given as [string])) });
  });
  const races = attributes.map((each) => `<poslab-race size="tiny" corpus="first-names" steps="${steps}" ${each}></poslab-race>`);
  const course = await serveHtml(
    `<!doctype html><link rel="icon" href="data:,"><title>A course</title><script defer src="${baseURL}poslab.js"></script>
    ${races.join("\n")}`,
  );
  await page.goto(course.address);
  return course;
}

const racesOf = (page: Page) => page.locator("poslab-race");

async function train(page: Page, index: number): Promise<void> {
  const race = racesOf(page).nth(index);
  await race.scrollIntoViewIfNeeded();
  await race.getByRole("button", { name: "Train", exact: true }).click();
}

async function expectFinished(page: Page, index: number): Promise<void> {
  await expect(racesOf(page).nth(index).locator(".run")).toHaveAttribute("data-state", "finished", { timeout: 100_000 });
}

/** Waits until a leader reports so many workers. */
async function expectWorkers(page: Page, leader: number, count: number): Promise<void> {
  await page.waitForFunction(
    ({ leader, count }) => spied.filter(({ role }) => role === "leader")[leader]?.workers.at(-1) === count,
    { leader, count },
    { polling: 20, timeout: 60_000 },
  );
}

/** The hash of a leader's weights and how many steps it reported. */
function resultOf(page: Page, leader = 0): Promise<{ hash: unknown; steps: number }> {
  return page.evaluate((leader) => {
    const seen = spied.filter(({ role }) => role === "leader")[leader];
    if (!seen) throw new Error("There is no such run.");
    const id = 1e6;
    return new Promise((resolve) => {
      seen.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "answer" && data.id === id) resolve({ hash: data.value, steps: seen.steps });
      });
      seen.worker.postMessage({ type: "ask", id, ask: { question: "weights_hash" } } satisfies ToWorker);
    });
  }, leader);
}

const helpersOf = (page: Page, ended: boolean) =>
  page.evaluate((ended) => spied.filter((each) => each.role === "helper" && each.ended === ended).length, ended);

const alone = new Map<string, Promise<{ hash: unknown; steps: number }>>();

/** What one worker by itself comes to; computed once. */
async function resultAlone(page: Page, baseURL: string | undefined, scheme: string) {
  const known = alone.get(scheme);
  if (known) return known;
  const course = await openRaces(page, baseURL, `schemes="${scheme}" workers="1"`);
  await train(page, 0);
  await expectFinished(page, 0);
  const result = resultOf(page);
  alone.set(scheme, result);
  expect((await result).steps).toBe(steps);
  expect(await helpersOf(page, false)).toBe(0);
  course.close();
  return result;
}

for (const scheme of ["learned", "rope"]) {
  for (const workers of [2, 3, 4]) {
    test(`${workers} workers train ${scheme} positions to the bits of one`, async ({ page, baseURL }) => {
      const expected = await resultAlone(page, baseURL, scheme);
      const course = await openRaces(page, baseURL, `schemes="${scheme}" workers="${workers}"`);
      await train(page, 0);
      await expectWorkers(page, 0, workers);
      await expect(racesOf(page).locator(".figures")).toContainText(`tokens/s · ${workers} workers`);
      await expectFinished(page, 0);
      expect(await resultOf(page)).toEqual(expected);
      course.close();
    });
  }
}

test("a helper that is ended in the middle costs no step, and another one takes its place", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page);
  const expected = await resultAlone(page, baseURL, "learned");
  const course = await openRaces(page, baseURL, 'schemes="learned" workers="2"');
  await train(page, 0);
  await expectWorkers(page, 0, 2);
  await page.evaluate(() => {
    // Behind the back of the page, which the spy's own terminate() would tell.
    const helper = spied.find(({ role }) => role === "helper");
    Worker.prototype.terminate.call(helper?.worker);
  });
  await expectFinished(page, 0);
  expect(await resultOf(page)).toEqual(expected);
  expect(await page.evaluate(() => spied.filter(({ role }) => role === "helper").map(({ ended }) => ended))).toEqual([
    true,
    false,
  ]);
  expect(complaints).toEqual([]);
  course.close();
});

test("a second run takes the helper away from the first; both end as if alone", async ({ page, baseURL }) => {
  const expected = [await resultAlone(page, baseURL, "learned"), await resultAlone(page, baseURL, "rope")];
  const course = await openRaces(page, baseURL, 'schemes="learned" workers="auto"', 'schemes="rope"');
  await train(page, 0);
  // A member counts, not who computes: where helping is slower, the run does without.
  await expect.poll(() => helpersOf(page, false)).toBe(1);
  await train(page, 1);
  await expectFinished(page, 0);
  await expectFinished(page, 1);
  const left = await page.evaluate(() => spied.flatMap((each) => each.left));
  expect(left[0]).toBeLessThan(steps);
  expect([await resultOf(page, 0), await resultOf(page, 1)]).toEqual(expected);
  course.close();
});

test("a pause holds a run with helpers, and they come back when it goes on", async ({ page, baseURL }) => {
  const expected = await resultAlone(page, baseURL, "learned");
  const course = await openRaces(page, baseURL, 'schemes="learned" workers="3"');
  const race = new Race(page);
  await train(page, 0);
  await expectWorkers(page, 0, 3);
  await race.button("Pause").click();
  await race.expectState("paused", "learned");
  const held = await race.stepOf("learned");
  await page.waitForTimeout(500);
  expect(await race.stepOf("learned")).toBe(held);
  await race.button("Step").click();
  await expect.poll(() => race.stepOf("learned")).toBe(held + 1);
  await race.button("Resume").click();
  await expectWorkers(page, 0, 3);
  await expectFinished(page, 0);
  expect(await resultOf(page)).toEqual(expected);
  // The helpers end when nobody needs them for a while.
  expect(await helpersOf(page, true)).toBe(0);
  await expect.poll(() => helpersOf(page, true), { timeout: 20_000 }).toBe(2);
  course.close();
});

test("helpers end with the run that they help", async ({ page, baseURL }) => {
  const course = await openRaces(page, baseURL, 'schemes="none" workers="4"');
  await train(page, 0);
  await expectWorkers(page, 0, 4);
  await racesOf(page).evaluate((race) => race.remove());
  await expect.poll(() => helpersOf(page, true)).toBe(3);
  course.close();
});

test("a run has helpers in a sandboxed frame of no origin, too", async ({ page, baseURL }) => {
  const complaints = complaintsOf(page);
  const query = `panel=race&size=tiny&corpus=first-names&steps=${steps}&schemes=rope&workers=2`;
  const source = `${baseURL}embed.html?${query}`;
  const course = await serveHtml(
    `<!doctype html><title>A course</title><iframe src="${source}" sandbox="allow-scripts" width="900" height="1100"></iframe>`,
  );
  await page.goto(course.address);
  const race = new Race(page.frameLocator("iframe"));
  await race.train();
  await expect(race.run("rope").locator(".figures")).toContainText("2 workers", { timeout: 30_000 });
  await race.expectState("finished", "rope");
  expect(complaints).toEqual([]);
  course.close();
});
