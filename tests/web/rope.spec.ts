import { expect, test, type Locator } from "@playwright/test";
import { matrix } from "./student.js";

const plain = (text: string) => Number(text.replace("−", "-"));

/** The score as set, and with both shifted. */
async function scores(panel: Locator): Promise<[number, number]> {
  const [before = "", shifted = ""] = await panel.locator(".score b").allInnerTexts();
  return [plain(before), plain(shifted)];
}

const additions = async (panel: Locator) =>
  (await panel.locator(".plane").allInnerTexts()).map((text) => plain(/adds (\S+)/.exec(text)?.[1] ?? ""));

test("shifting query and key by the same amount keeps the score, any other move does not", async ({ page }) => {
  await page.goto("./embed.html?panel=rope&query=1,2,3,4&key=0.5,-1,2,0.25&query_at=9&key_at=2");
  const panel = page.locator("poslab-rope");
  await expect(panel.locator(".score")).toContainText("at 9 and 2");
  const [at9] = await scores(panel);
  const start = await additions(panel);
  expect(start.reduce((sum, each) => sum + each, 0)).toBeCloseTo(at9, 3);

  await panel.getByRole("spinbutton", { name: "Shift both by" }).fill("1000");
  await panel.getByRole("spinbutton", { name: "Shift both by" }).blur();
  await expect(panel.locator(".score")).toContainText("at 1009 and 1002");
  const [same, shifted] = await scores(panel);
  expect(same).toBe(at9);
  expect(Math.abs(shifted - at9)).toBeLessThan(2e-5);
  for (const [i, share] of (await additions(panel)).entries()) expect(share).toBeCloseTo(start[i] ?? 0, 3);
  await expect(panel.locator(".score")).toContainText("Squared norm of q: 30.00000 before, 30.00000 after turning.");
  expect(new URL(page.url()).searchParams.get("both")).toBe("1000");

  await panel.getByRole("slider", { name: "Position of k" }).press("ArrowRight");
  await expect(panel.locator(".score")).toContainText("at 1009 and 1003");
  expect(Math.abs((await scores(panel))[0] - at9)).toBeGreaterThan(0.1);
  await expect(panel.locator('poslab-proof[verdict="holds"]')).toHaveCount(9);
});

test("both pairings turn [1, 2, 3, 4] as the worked values say", async ({ page }) => {
  await page.goto("./embed.html?panel=rope&query_at=1&key_at=0");
  const panel = page.locator("poslab-rope");
  const plane = (pair: number) => panel.locator(`[data-pair="${pair}"] svg`);
  await expect(plane(0)).toHaveAttribute("aria-label", /^Pair 0, columns 0 and 1: query \(−1\.143, 1\.922\)/);
  await expect(plane(1)).toHaveAttribute("aria-label", /^Pair 1, columns 2 and 3: query \(2\.960, 4\.030\)/);
  await panel.getByLabel("first half with second").check();
  await expect(plane(0)).toHaveAttribute("aria-label", /^Pair 0, columns 0 and 2: query \(−1\.984, 2\.462\)/);
  await expect(plane(1)).toHaveAttribute("aria-label", /^Pair 1, columns 1 and 3: query \(1\.960, 4\.020\)/);
});

test("the reader’s own vectors are proved, and impossible ones refused in words", async ({ page }) => {
  await page.goto("./embed.html?panel=rope");
  const panel = page.locator("poslab-rope");
  const query = panel.getByLabel("Query q");
  const key = panel.getByLabel("Key k");
  await query.fill("1,,2,3");
  await expect(panel.getByRole("alert")).toContainText('The query is "1,,2,3": place 2 of 4 is empty.');
  await expect(query).toHaveValue("1,,2,3");
  await query.fill("3, 4, 0, 0, 1, 2");
  await expect(panel.getByRole("alert")).toContainText("q has 6 numbers and k has 4");
  await key.fill("1 1 1 1 1 1");
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await expect(panel.locator(".plane")).toHaveCount(3);
  await expect(panel.locator(".score")).toContainText("Squared norm of q: 30.00000 before");
  await expect(panel.locator('poslab-proof[verdict="holds"]')).toHaveCount(9);
  await query.fill("1, two");
  await expect(panel.getByRole("alert")).toContainText('"two"');
  await expect(query).toHaveValue("1, two");
  await expect(panel.locator(".plane")).toHaveCount(3);
  await query.fill("1, 2, 3");
  await key.fill("1, 2, 3");
  await expect(panel.getByRole("alert")).toContainText("The query has 3 numbers, but they are turned in pairs");
});

test("ALiBi’s rows have the slopes of six heads, and depend on the distance only", async ({ page }) => {
  await page.goto("./embed.html?panel=rope&heads=6");
  const panel = page.locator("poslab-rope");
  for (const [head, slope] of [0.25, 0.0625, 0.015625, 0.003906, 0.5, 0.125].entries()) {
    await panel.getByRole("spinbutton", { name: "Head to look at" }).fill(String(head));
    await panel.getByRole("spinbutton", { name: "Head to look at" }).blur();
    await expect(panel).toContainText(`Head ${head} takes ${slope.toFixed(6)} off for each step`);
  }
  const { canvas, readOut } = matrix(panel, /^ALiBi penalties of head 5/);
  await canvas.focus();
  for (let i = 0; i < 8; ++i) await canvas.press("ArrowDown");
  await expect(readOut).toHaveText("Position 8 looks at 0: −1.0000 on the score");
  await canvas.press("End");
  await expect(readOut).toHaveText("Position 8 may not look at 23: it comes later");
});
