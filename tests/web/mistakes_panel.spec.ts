import { expect, test, type Locator, type Page } from "@playwright/test";
import { complaintsOf } from "./student.js";

const harmless = ["sin_cos_order", "alibi_key_index"];

async function open(page: Page): Promise<Locator> {
  await page.goto("./embed.html?panel=mistakes");
  const panel = page.locator("poslab-mistakes");
  await expect(panel.locator(".variants li")).toHaveCount(8);
  return panel;
}

/** "2.4 × 10⁻⁷" as a number. */
function numberOf(text: string): number {
  const raised = (digits: string) => [...digits].map((d) => ("⁰¹²³⁴⁵⁶⁷⁸⁹".includes(d) ? "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(d) : "-")).join("");
  return Number(text.replace(/\s×\s10(.+)/, (_, power: string) => `e${raised(power)}`).replace("−", "-"));
}

test("a hand-made model without positions cannot tell who bites whom", async ({ page }) => {
  const panel = await open(page);
  const section = panel.locator("[data-mistake='hand-made']");
  await section.getByRole("button").click();
  const last = section.locator("tbody tr").last();
  await expect(last).toContainText("logits");
  const [without, cured] = (await last.locator("td").allInnerTexts()).map(numberOf) as [number, number];
  expect(without).toBeLessThan(1e-5);
  expect(cured).toBeGreaterThan(1e-2);
  await expect(section).toContainText("Symptom.");
  await expect(section).toContainText("Cure.");
});

test("past the trained length the waves fail quietly, ALiBi goes on and the learned table refuses", async ({ page }) => {
  const panel = await open(page);
  const section = panel.locator("[data-mistake='past-the-end']");
  await section.getByRole("button").click();
  await expect(section.locator("tbody tr")).toHaveCount(4, { timeout: 60_000 });
  const losses = await section.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent))),
  );
  const [[waves = 0, alibi = 0] = [], , , [wavesFar = 0, alibiFar = 0] = []] = losses;
  expect(wavesFar - waves).toBeGreaterThan(0.3);
  expect(Math.abs(alibiFar - alibi)).toBeLessThan(0.15);
  await expect(section).toContainText("Position 32 was asked for; a learned table with block_size 32 ends at position 31.");
});

test("position rows broadcast over the batch give all tokens one row", async ({ page }) => {
  const panel = await open(page);
  const section = panel.locator("[data-mistake='broadcast']");
  await section.getByRole("button").click();
  await expect(section.locator(".cell")).toContainText("First cell that differs: row 0, column 0 of the position rows");
  await expect(section).toContainText("Add pe[:T] of shape (T, C) to x of shape (B, T, C).");
  await expect(section.locator("poslab-matrix")).toHaveCount(2);
});

test("eight variants are judged by keys, run, and counted", async ({ page }) => {
  const complaints = complaintsOf(page);
  const panel = await open(page);
  const passed = page.evaluate(
    () => new Promise((resolve) => addEventListener("poslab-passed", (event) => resolve((event as CustomEvent).detail))),
  );
  const variants = panel.locator(".variants li");
  for (let i = 0; i < 8; ++i) {
    const variant = variants.nth(i);
    const name = (await variant.getAttribute("data-variant")) ?? "";
    await expect(variant).toHaveAttribute("data-verdict", "open");
    // How many are harmless would answer some of them.
    await expect(panel.locator("figcaption")).not.toContainText("harmless");
    // One wrong answer, which still passes.
    const truth = harmless.includes(name) ? "harmless" : "faulty";
    const said = i === 0 ? (truth === "faulty" ? "harmless" : "faulty") : truth;
    await variant.getByRole("button", { name: said }).focus();
    await page.keyboard.press("Enter");
    await expect(variant).toHaveAttribute("data-verdict", truth);
    await expect(variant).toContainText(`You said ${said}; it is ${truth}.`);
    await expect(variant.locator(".measured")).toContainText(
      truth === "faulty" ? "counts as faulty, and this is more." : "counts as faulty, and this is not more.",
    );
    await expect(variant.locator(".cell")).toContainText(/First cell that differs: row \d+, column \d+ of the/);
    await expect(variant).toContainText("Symptom.");
    await expect(variant).toContainText("Cure.");
  }
  await expect(panel.locator(".score")).toHaveText("7 of 8 right: passed.");
  await expect(panel.locator("figcaption")).toContainText(`Of the 8 variants ${harmless.length} are harmless`);
  expect(await passed).toEqual({ exercise: "spot-the-bug" });
  const sines = panel.locator("[data-variant='sines_only']");
  await expect(sines.locator(".cell")).toContainText("row 0, column 1 of the PE, 0.0000 instead of 1.0000");
  await panel.getByRole("button", { name: "Start over" }).click();
  await expect(panel.locator(".score")).toHaveText("Nothing judged yet.");
  expect(complaints).toEqual([]);
});
