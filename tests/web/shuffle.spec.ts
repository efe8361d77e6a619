import { expect, test, type Locator, type Page } from "@playwright/test";
import { matrix } from "./student.js";

async function open(page: Page, query = ""): Promise<Locator> {
  await page.goto(`./embed.html?panel=shuffle${query}`);
  const panel = page.locator("poslab-shuffle");
  await expect(panel.getByRole("table")).toBeVisible();
  return panel;
}

/** A deviation as the page writes it, such as 2.4 × 10⁻⁷. */
function numberOf(text: string): number {
  const [, digits = "", power] = /^\s*([\d.]+)(?:\s×\s10(\S+))?/.exec(text) ?? [];
  const exponent = [...(power ?? "")].map((sign) => (sign === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign))).join("");
  return Number(power === undefined ? digits : `${digits}e${exponent}`);
}

/** Layer by layer: the largest distance of all characters, and that of the last one. */
async function distances(panel: Locator): Promise<[number, number][]> {
  const rows = await panel.locator("tbody tr").all();
  return Promise.all(
    rows.map(async (row): Promise<[number, number]> => {
      const [all = "", last = ""] = await row.locator("td").allInnerTexts();
      return [numberOf(all), numberOf(last)];
    }),
  );
}

const words = (panel: Locator) => panel.locator("poslab-words b").allInnerTexts();

test("without positions and mask four layers only move their outputs along, moved by keys", async ({ page }) => {
  const panel = await open(page, "&layers=4");
  expect(await words(panel)).toEqual(["man", "bites", "dog"]);
  const dog = panel.getByRole("button", { name: /^dog, seat 2/ });
  await dog.press("ArrowLeft");
  await expect.poll(() => words(panel)).toEqual(["man", "dog", "bites"]);
  await expect(panel.getByRole("button", { name: /^dog, seat 1/ })).toBeFocused();
  expect(new URL(page.url()).searchParams.get("word_order")).toBe("2,0,1");
  await expect(panel).toContainText("All 4 layers are blind to order");
  const layers = await distances(panel);
  expect(layers).toHaveLength(4);
  for (const [all, last] of layers) {
    expect(all).toBeLessThan(1e-5);
    expect(last).toBeLessThan(1e-5);
  }
  await expect(panel.locator('poslab-proof[verdict="holds"]')).toHaveCount(2);
});

test("a causal mask hides the order from the last character in one layer and leaks it in two", async ({ page }) => {
  const panel = await open(page);
  await panel.getByLabel("Causal mask").check();
  await expect(panel).toContainText("The last character can tell the order of the others from layer 1 on.");
  const [first, second] = await distances(panel);
  expect(first?.[0]).toBeGreaterThan(0.01);
  expect(first?.[1]).toBeLessThan(1e-5);
  expect(second?.[1]).toBeGreaterThan(0.01);
  await expect(panel.locator('poslab-proof[verdict="fails"]')).toHaveCount(2);
  // Red, in the light theme.
  const verdict = panel.locator("poslab-proof strong").first();
  await expect(verdict).toHaveText("✗ Fails:");
  await expect(verdict).toHaveCSS("color", "rgb(176, 0, 32)");

  await panel.getByRole("spinbutton", { name: "Layers" }).fill("1");
  await panel.getByRole("spinbutton", { name: "Layers" }).blur();
  await expect(panel).toContainText("The last character still cannot tell in which order the others came.");
});

test("every scheme ends order-blindness in the first layer", async ({ page }) => {
  const panel = await open(page);
  let before = await distances(panel);
  for (const scheme of ["learned", "sinusoidal", "rope", "alibi"]) {
    await panel.getByLabel("Positions").selectOption(scheme);
    await expect.poll(() => distances(panel)).not.toEqual(before);
    before = await distances(panel);
    await expect(panel).toContainText("Order-blindness ends in layer 0");
    const [first] = await distances(panel);
    expect(first?.[0], scheme).toBeGreaterThan(1e-4);
  }
  await panel.getByLabel("Positions").selectOption("none");
  await expect(panel).toContainText("Both layers are blind to order");
});

test("words are dragged, and each character’s distance is read out", async ({ page }) => {
  const panel = await open(page, "&mask=on&sentence=the cat saw a dog&word_order=0,1,2,3,4");
  await expect(panel).toContainText("The words stand as written");
  const [cat, saw] = [panel.getByRole("button", { name: /^cat,/ }), panel.getByRole("button", { name: /^saw,/ })];
  const to = await saw.boundingBox();
  await cat.hover();
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + (to?.width ?? 0) - 8, (to?.y ?? 0) + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => words(panel)).toEqual(["the", "saw", "cat", "a", "dog"]);
  const { canvas, readOut } = matrix(panel, /^Distance of attention/);
  await canvas.focus();
  // Before the moved words nothing changed; behind them, in layer 0, neither: the same crowd came before.
  await expect(readOut).toHaveText(/^Layer 0, 't' now on place 0: distance 0 of the mean length$/);
  await canvas.press("ArrowDown");
  await canvas.press("End");
  await expect(readOut).toHaveText(/^Layer 1, 'g' now on place 16: distance 0\.\d+ of the mean length$/);
});

test("bad words and orders are said, and nothing typed is lost", async ({ page }) => {
  const panel = await open(page, "&word_order=0,0,1");
  await expect(panel).toContainText('“Order of the words” is "0,0,1"; it must name the places 0 to 2 once each');
  const sentence = panel.getByLabel("Sentence");
  await sentence.fill("alone");
  await expect(panel).toContainText("Write at least two words");
  const long = "w".repeat(30) + " " + "v".repeat(30);
  await sentence.fill(long);
  await expect(panel.locator(".complaints")).toContainText("48 characters at most");
  await expect(sentence).toHaveValue(long);
});

test("layers trained here are as blind without positions", async ({ page }) => {
  const panel = await open(page, "&layers=1&sentence=the white whale");
  await panel.getByLabel("trained on Moby-Dick").check();
  await panel.getByRole("button", { name: "Train them here" }).click();
  await expect(panel.getByRole("progressbar")).toBeVisible();
  // Other layers would need a training of their own; these go on meanwhile.
  await panel.getByRole("slider", { name: "Layers" }).press("ArrowRight");
  await expect(panel.getByRole("button", { name: "Train them here" })).toBeVisible();
  await panel.getByRole("slider", { name: "Layers" }).press("ArrowLeft");
  await expect(panel).toContainText(/trained here; on text that was kept aside their loss, the mean surprise at the next character, is \d\.\d\d nats/, { timeout: 60_000 });
  const [first] = await distances(panel);
  expect(first?.[0]).toBeLessThan(1e-5);
  await panel.getByLabel("Sentence").fill("the ☃ whale");
  await expect(panel.getByRole("alert")).toContainText("never seen '☃'");
  await panel.getByLabel("Causal mask").check();
  await expect(panel.getByRole("button", { name: "Train them here" })).toBeVisible();
});
