import { expect, test } from "@playwright/test";

test("the hands are the sine and cosine of the position, turned by keys, by slider and by hand", async ({ page }) => {
  await page.goto("./embed.html?panel=clock&p=10");
  const panel = page.locator("poslab-clock");
  const dial = panel.getByRole("slider", { name: /^Clocks of all pairs/ });
  const reading = panel.locator("output");
  await expect(reading).toHaveText("Pair 0 at position 10: sine −0.544021, cosine −0.839072; wavelength 6.28, 1.592 turns so far.");
  await dial.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  // Pair 1 of width 16 turns by 10000^(-1/8) a position.
  const angle = 11 * 10000 ** (-1 / 8);
  const written = (value: number) => value.toFixed(6).replace("-", "−");
  await expect(reading).toContainText(`Pair 1 at position 11: sine ${written(Math.sin(angle))}, cosine ${written(Math.cos(angle))}`);
  await expect(dial).toHaveAttribute("aria-valuenow", "11");
  expect(new URL(page.url()).searchParams.get("p")).toBe("11");

  // The hand of pair 2 from the top a quarter round: its wavelength is 62.8, so about 16 positions.
  await dial.press("Home");
  await expect(dial).toHaveAttribute("aria-valuenow", "0");
  const face = await panel.locator('[data-pair="2"] svg').boundingBox();
  if (!face) throw new Error("The clock has no place on the page.");
  const [x, y, r] = [face.x + face.width / 2, face.y + (face.width / 2.1) * 1.05, face.width / 2.5];
  await page.mouse.move(x, y - r);
  await page.mouse.down();
  for (const turn of [0.08, 0.16, 0.25]) {
    await page.mouse.move(x + r * Math.sin(2 * Math.PI * turn), y - r * Math.cos(2 * Math.PI * turn));
  }
  await page.mouse.up();
  await expect(dial).toHaveAttribute("aria-valuenow", "16");

  await panel.getByRole("slider", { name: "Position p" }).press("End");
  await expect(panel.getByRole("spinbutton", { name: "Position p" })).toHaveValue("64");
  await panel.getByRole("button", { name: "Reset Position p" }).click();
  await expect(panel.getByRole("spinbutton", { name: "Position p" })).toHaveValue("10");
});

test("wavelengths, turns within the context and the fixed turn are measured", async ({ page }) => {
  await page.goto("./embed.html?panel=clock&pairs=4&context=100&further=9");
  const panel = page.locator("poslab-clock");
  await panel.getByText("All numbers").click();
  const rows = panel.locator("tbody tr");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toHaveText(/1\s*62\.8\s*0\.159\s*1\.592/);
  const proof = panel.locator("poslab-proof");
  await expect(proof).toHaveAttribute("verdict", "holds");
  // 100 positions of 8 columns each.
  await expect(proof).toContainText("over 800 cases");
  await panel.getByRole("spinbutton", { name: "Base" }).fill("0");
  await panel.getByRole("spinbutton", { name: "Base" }).blur();
  await expect(panel.locator(".complaints")).toContainText("“Base” is 0; it must be a number from 1.01 to 10000000. 10000 stays.");
});
