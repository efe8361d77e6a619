// The exercises as a student does them.

import { readFile } from "node:fs/promises";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { complaintsOf } from "./student.js";

async function exercise(page: Page, name: string, query = ""): Promise<Locator> {
  await page.goto(`./embed.html?panel=${name}${query}`);
  const panel = page.locator(`poslab-${name}`);
  await expect(panel.locator("figure")).toBeVisible();
  return panel;
}

test("explain gives hints one by one, keeps the answer folded, and passes what was written and compared", async ({ page }) => {
  const asked: string[] = [];
  const panel = await exercise(page, "explain");
  page.on("request", (request) => asked.push(request.url()));
  await expect(panel.getByText("The guest is who they are")).toBeHidden();
  await panel.getByRole("button", { name: "Give me a hint" }).click();
  await panel.getByRole("button", { name: "Another hint" }).click();
  await expect(panel.locator(".hints li")).toHaveCount(2);
  await panel.getByText("The answer").click();
  await expect(panel.getByRole("checkbox").last()).toHaveAccessibleName(/^where the picture stops/);
  for (const box of await panel.getByRole("checkbox").all()) await box.check();
  await expect(panel.getByRole("status")).toContainText("First write a sentence or two");
  await panel.getByRole("textbox").fill("Everybody in the theatre is somebody; the seat number says where they sit.");
  await expect(panel.getByRole("status")).toContainText("You say that you have explained it.");
  expect(asked).toEqual([]);
});

const rightOrder = ["start", "projections", "scores", "softmax", "weighted", "cancel", "mlp"];

test("derive names the first wrong step, and is put in order with the keys alone", async ({ page }) => {
  const panel = await exercise(page, "derive");
  await panel.getByRole("button", { name: "Check the order" }).click();
  await expect(panel.getByRole("status").first()).toContainText("number 1, “The softmax does not mind”: it needs the reordered scores");
  await expect(panel.locator('li[data-name="softmax"] strong')).toHaveText("The softmax does not mind.");
  const place = (name: string) => panel.locator("li[data-name]").evaluateAll((items, n) => items.findIndex((item) => (item as HTMLElement).dataset.name === n), name);
  for (const [target, name] of rightOrder.entries()) {
    const handle = panel.locator(`li[data-name="${name}"] .handle`);
    await handle.focus();
    for (let i = await place(name); i > target; --i) await page.keyboard.press("ArrowUp");
    await expect.poll(() => place(name)).toBe(target);
    await expect(handle).toBeFocused();
  }
  await panel.getByRole("button", { name: "Check the order" }).press("Enter");
  await expect(panel.locator(".passed")).toContainText("All 7 steps are in order");
  await expect(panel.locator("poslab-proof")).toContainText("✓ Holds: the largest deviation over 92 cases is");
  await expect(panel.locator(".equalities tbody tr")).toHaveCount(7);
});

test("derive is ordered by dragging, and its numbers hold for other random matrices", async ({ page }) => {
  const panel = await exercise(page, "derive", "&numbers=5");
  const middle = async (name: string) => {
    const box = await panel.locator(`li[data-name="${name}"] .handle`).boundingBox();
    if (!box) throw new Error(`The step ${name} has no place on the page.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await expect(panel.locator("li[data-name]").first()).toHaveAttribute("data-name", "softmax");
  const [from, to] = [await middle("start"), await middle("softmax")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y - 6, { steps: 8 });
  await page.mouse.up();
  await expect(panel.locator("li[data-name]").first()).toHaveAttribute("data-name", "start");
  await panel.getByRole("button", { name: "Check the order" }).click();
  await expect(panel.locator(".wrong")).toContainText("number 2, “The softmax does not mind”");
  await panel.getByText("The answer").click();
  const deviations = panel.locator(".equalities tbody td:last-child");
  await expect(deviations).toHaveCount(7);
  for (const text of await deviations.allInnerTexts()) expect(text).toMatch(/^0$|×\s10⁻[⁷⁸⁹]$/);
  await panel.getByRole("spinbutton", { name: "Random numbers, set" }).fill("9");
  await panel.getByRole("spinbutton", { name: "Random numbers, set" }).blur();
  await expect(panel.locator("poslab-proof")).toContainText("✓ Holds");
  expect(new URL(page.url()).searchParams.get("numbers")).toBe("9");
});

test("break asks for a prediction first, runs, and compares it with what was measured", async ({ page }) => {
  const complaints = complaintsOf(page);
  const panel = await exercise(page, "break", "&break_steps=12");
  await panel.getByRole("button", { name: "Run and compare" }).click();
  await expect(panel.getByRole("alert")).toContainText("Predict first");
  await panel.getByRole("radio", { name: "worse" }).check();
  await panel.getByLabel("by how much").fill("");
  await panel.getByRole("button", { name: "Run and compare" }).click();
  await expect(panel.getByRole("alert")).toContainText('By how much? "" is no number');
  await panel.getByLabel("by how much").fill("0.25");
  await panel.getByRole("button", { name: "Run and compare" }).click();
  const verdict = panel.locator("[data-measured]");
  await expect(verdict).toBeVisible({ timeout: 60_000 });
  const losses = await panel.locator(".stats").first().locator("tbody td:nth-child(2)").allInnerTexts();
  expect(losses).toHaveLength(2);
  const [learned, none] = losses.map(Number) as [number, number];
  const difference = none - learned;
  const off = Number(/off by (\d+\.\d+)/.exec(await verdict.innerText())?.[1]);
  expect(Math.abs(off - Math.abs(difference - 0.25))).toBeLessThan(0.002);
  expect(await verdict.getAttribute("data-measured")).toBe(Math.abs(difference) < 0.02 ? "same" : difference > 0 ? "worse" : "better");
  // Why it is no total failure: nothing but rounding without a mask, a real difference with it.
  const output = panel.locator('.evidence tr[data-stage="logits"] td');
  await expect(output.first()).toHaveText(/×\s10⁻[⁵⁶⁷⁸]$|^0$/);
  expect(Number(await output.last().innerText())).toBeGreaterThan(0.01);
  expect(complaints).toEqual([]);
});

test("the checklist is kept, ticks itself, and travels as a file; bad files are refused", async ({ page }) => {
  await exercise(page, "explain");
  await page.evaluate(() => {
    document.querySelector("poslab-explain")?.dispatchEvent(
      new CustomEvent("poslab-passed", { detail: { exercise: "spot-the-bug" }, bubbles: true, composed: true }),
    );
  });
  const panel = await exercise(page, "checklist");
  const box = (name: RegExp) => panel.getByRole("checkbox", { name });
  expect(await panel.getByRole("checkbox").count()).toBeGreaterThanOrEqual(12);
  await expect(box(/tell faulty position code/)).toBeChecked();
  await box(/say what ALiBi takes off/).check();
  await expect(panel).toContainText("2 of 14 done");
  await page.reload();
  await expect(box(/say what ALiBi takes off/)).toBeChecked();

  const [download] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: "Save as a file" }).click()]);
  const written = await readFile(await download.path(), "utf8");
  expect(JSON.parse(written)).toEqual({ format: "position-lab-progress", version: 1, ticked: ["alibi", "mistakes"] });
  await panel.getByRole("button", { name: "Clear all" }).click();
  await expect(panel).toContainText("0 of 14 done");
  const open = (name: string, text: string) =>
    panel.getByLabel("Open a progress file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await open("mine.json", written);
  await expect(panel.locator(".passed")).toContainText("mine.json is read: 2 of 14 done.");
  for (const [text, sentence] of [
    ["no json", "The file is not JSON"],
    ["[1]", 'its "format" is not "position-lab-progress"'],
    ['{"format":"position-lab-progress","version":7,"ticked":[]}', '"version" is 7'],
    ['{"format":"position-lab-progress","version":1,"ticked":"all"}', '"ticked" is not a list'],
    ['{"format":"position-lab-progress","version":1,"ticked":["flying"]}', 'ticks "flying", which is no item'],
  ] as const) {
    await open("bad.json", text);
    await expect(panel.locator(".wrong")).toContainText(`bad.json was not taken over. `);
    await expect(panel.locator(".wrong")).toContainText(sentence);
    await expect(panel).toContainText("2 of 14 done");
  }
});

test("a checklist that may keep nothing says so", async ({ page }) => {
  await page.goto("./");
  await page.setContent('<iframe src="./embed.html?panel=checklist" sandbox="allow-scripts" width="800" height="900"></iframe>');
  const panel = page.frameLocator("iframe").locator("poslab-checklist");
  await panel.getByRole("checkbox").first().check();
  await expect(panel).toContainText("1 of 14 done");
  await expect(panel).toContainText("may not keep anything in your browser");
  await panel.getByRole("button", { name: "Save as a file" }).click();
  const text = panel.getByLabel("If no file came, copy this text");
  await expect(text).toHaveValue(/"ticked": \[\s*"order-blind"\s*\]/);
  await expect(text).not.toBeEditable();
});

test("two tabs keep each other's ticks, and the last word on an item stands", async ({ context, page }) => {
  await page.goto("./embed.html?panel=checklist");
  const other = await context.newPage();
  await other.goto("./embed.html?panel=checklist");
  const box = (tab: Page, name: string) => tab.getByRole("checkbox", { name });
  await box(page, "say what ALiBi takes off").check();
  await expect(box(other, "say what ALiBi takes off")).toBeChecked();
  await box(other, "say why a causal mask leaks").check();
  await expect(page.locator("poslab-checklist")).toContainText("2 of 14 done");
  await box(other, "say what ALiBi takes off").uncheck();
  await expect(box(page, "say what ALiBi takes off")).not.toBeChecked();
  await box(page, "say how many weights a tied head saves").check();
  await other.reload();
  await expect(other.locator("poslab-checklist")).toContainText("2 of 14 done");
  await expect(box(other, "say why a causal mask leaks")).toBeChecked();
});

test("an item that this page does not know takes no other item with it", async ({ page }) => {
  const stored = JSON.stringify({ format: "position-lab-progress", version: 1, ticked: ["alibi", "flying", "mask"] });
  await page.addInitScript((text) => {
    localStorage.setItem("poslab-progress", text);
  }, stored);
  const panel = await exercise(page, "checklist");
  await expect(panel).toContainText("2 of 14 done");
  expect(await page.evaluate(() => localStorage.getItem("poslab-progress"))).toBe(stored);
});

test("Clear all can be undone", async ({ page }) => {
  const panel = await exercise(page, "checklist");
  await panel.getByRole("checkbox", { name: "say what ALiBi takes off" }).check();
  await panel.getByRole("checkbox", { name: "say why a causal mask leaks" }).check();
  await panel.getByRole("button", { name: "Clear all" }).click();
  await expect(panel.getByRole("status")).toContainText("2 ticks are cleared.");
  await panel.getByRole("button", { name: "Undo" }).click();
  await expect(panel).toContainText("2 of 14 done");
  await expect(panel.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Clear all" })).toBeFocused();
});

/** The checklist's items that are ticked in this browser. */
const ticked = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem("poslab-progress") ?? '{"ticked":[]}') as { ticked: string[] }).ticked);

test("break is ticked by enough steps, even while the reader looks elsewhere", async ({ page }) => {
  await page.goto("./?break_size=tiny&break_steps=100");
  const panel = page.locator("poslab-break");
  await panel.scrollIntoViewIfNeeded();
  await panel.getByRole("radio", { name: "about the same" }).check();
  await panel.getByRole("button", { name: "Run and compare" }).click();
  await expect(panel.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(panel).not.toBeInViewport();
  await expect.poll(() => ticked(page), { timeout: 60_000 }).toEqual(["break"]);
});

test("break is not ticked by a few steps", async ({ page }) => {
  const panel = await exercise(page, "break", "&break_size=tiny&break_steps=1");
  await panel.getByRole("radio", { name: "about the same" }).check();
  await panel.getByRole("button", { name: "Run and compare" }).click();
  await expect(panel.locator(".too-few")).toContainText("That was after 1 step", { timeout: 60_000 });
  // What it says of both is what their losses show.
  const words = await panel.locator("[data-measured]").innerText();
  const numbers = (text: string) => [...text.matchAll(/\d+\.\d+/g)].map(Number);
  const [uniform = 0, unigram = 0] = numbers(await panel.locator(".stats + .note").innerText());
  const losses = (await panel.locator(".stats").first().locator("tbody td:nth-child(2)").allInnerTexts()).map(Number);
  expect(losses).toHaveLength(2);
  for (const loss of losses) {
    expect(loss).toBeGreaterThan(unigram);
    const what = loss >= uniform ? "no better than guessing all characters alike" : "worse than knowing how frequent each is";
    expect(words).toContain(what);
  }
  expect(await ticked(page)).toEqual([]);
});

test("break says what each model knows by the simple guessers that it beats", async ({ page }) => {
  const panel = await exercise(page, "break", "&break_size=tiny&break_steps=600");
  await panel.getByRole("radio", { name: "worse" }).check();
  await panel.getByLabel("by how much").fill("0.2");
  await panel.getByRole("button", { name: "Run and compare" }).click();
  await expect(panel.locator("[data-measured=worse]")).toContainText(
    /(Both are|The model (with|without) positions is) better than (knowing which character follows which|knowing how frequent)/,
    { timeout: 60_000 },
  );
});

test("break explains its score, and shows which of its fields nobody can use now", async ({ page }) => {
  const panel = await exercise(page, "break");
  await expect(panel).toContainText("Its unit is the nat: 0 is certainty");
  await expect(panel).toContainText("The validation loss is the loss on text that was kept aside");
  const amount = panel.getByLabel("by how much");
  const look = () => amount.evaluate((field) => [getComputedStyle(field).opacity, getComputedStyle(field).borderTopStyle]);
  expect(await look()).toEqual(["1", "solid"]);
  await panel.getByRole("radio", { name: "about the same" }).check();
  await expect(amount).toBeDisabled();
  expect(await look()).toEqual(["0.6", "dashed"]);
});
