// The sentences about what a reader wrote: they use the words on screen, and say what happens instead.

import { expect, test } from "@playwright/test";
import { PROPS, type PanelName } from "../../web/state/props.js";
import { Race } from "./student.js";

// Layer and head of the attention are chosen in a grid, and the derivation comes with numbers only once it is in order.
const numbers = PROPS.filter(
  ({ panel, kind }) => (kind === "integer" || kind === "number") && panel !== "attention" && panel !== "derive",
);

for (const panel of new Set<PanelName>(numbers.map(({ panel }) => panel))) {
  test(`the ${panel} panel calls its numbers what its sentences call them`, async ({ page }) => {
    const own = numbers.filter((prop) => prop.panel === panel);
    await page.goto(`./embed.html?panel=${panel}&${own.map(({ name }) => `${name}=many`).join("&")}`);
    const element = page.locator(`poslab-${panel}`);
    for (const { title } of own) {
      await expect(element.getByLabel(title, { exact: true }).first(), title).toBeVisible();
      await expect(element.locator(".complaints")).toContainText(`“${title}” is "many"; it must be a`);
    }
  });
}

test("a text longer than the model's context is cut to it, and the panel says so", async ({ page }) => {
  const text = "the whale and the sea and the ship";
  await page.goto(`./?size=tiny&steps=5&schemes=learned,rope&text=${text}`);
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "learned", "rope");
  const panel = page.locator("poslab-attention");
  await panel.scrollIntoViewIfNeeded();
  await panel.getByLabel("Trained with positions").selectOption("learned");
  await expect(panel).toContainText("This model reads 32 characters; the rest is left out.");
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await panel.getByLabel("Trained with positions").selectOption("rope");
  await expect(panel).not.toContainText("the rest is left out");
  await panel.getByLabel("Text to look at").fill("");
  await expect(panel.getByRole("alert")).toHaveText("“Text to look at” is empty; write at least one character.");
});

test("an empty sentence and a head past the last are met in the words on screen", async ({ page }) => {
  await page.goto("./embed.html?panel=embed");
  await page.getByLabel("Your sentence").fill("");
  await expect(page.locator("poslab-embed").getByRole("alert")).toHaveText(
    "Your sentence is empty; write at least one character.",
  );
  await page.goto("./embed.html?panel=rope&bias_head=9");
  await expect(page.locator("poslab-rope")).toContainText("“Head to look at” is 9; the last of 4 is head 3, shown instead.");
});

test("one panel alone names what it knows to an address that it does not know", async ({ page }) => {
  await page.goto("./embed.html?panel=learned&flavour=sweet");
  await expect(page.locator(".complaints").first()).toContainText("nothing has that name; known here are view, short, panel.");
});
