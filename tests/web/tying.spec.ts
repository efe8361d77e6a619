import { expect, test } from "@playwright/test";

test("tying saves V × C weights, by formula and by the model", async ({ page }) => {
  await page.goto("./embed.html?panel=tying&vocab=65");
  const panel = page.locator("poslab-tying");
  const total = panel.locator("tfoot td");
  await expect(total).toHaveText("28,576");
  await panel.getByLabel("untied: a table of its own").check();
  await expect(total).toHaveText("30,656");
  await expect(panel.getByRole("row", { name: /output layer V C/ })).toContainText("2,080");
  await expect(panel.locator('poslab-proof[verdict="holds"]')).toHaveCount(2);
  expect(new URL(page.url()).searchParams.get("output")).toBe("untied");

  await panel.getByRole("spinbutton", { name: "Vocabulary V" }).fill("1000");
  await panel.getByRole("spinbutton", { name: "Vocabulary V" }).blur();
  await expect(panel.getByRole("row", { name: /output layer V C/ })).toContainText("32,000");
  await panel.getByRole("slider", { name: "Width C" }).press("ArrowRight");
  await expect(panel.getByRole("row", { name: /output layer V C/ })).toContainText("33,000");
  await expect(panel.locator('poslab-proof[verdict="holds"]')).toHaveCount(2);
  await panel.getByRole("button", { name: "Reset Width C" }).click();
  await expect(panel.getByRole("row", { name: /output layer V C/ })).toContainText("32,000");
});

test("both are trained from one seed and show their losses", async ({ page }) => {
  await page.goto("./embed.html?panel=tying&tying_steps=30");
  const panel = page.locator("poslab-tying");
  const byFormula = panel.locator("tfoot td");
  await expect(byFormula).toHaveText(/,/);
  const counted = Number((await byFormula.innerText()).replace(",", ""));
  await panel.getByRole("button", { name: "Train both" }).click();
  const rows = panel.locator("tr[data-output]");
  for (const output of ["tied", "untied"]) {
    await expect(panel.locator(`[data-output="${output}"]`)).toHaveAttribute("data-state", "finished", { timeout: 60_000 });
  }
  const cells = (await rows.locator("td").allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
  const [tiedCount = 0, tiedStep, tiedLoss = 0, untiedCount = 0, untiedStep, untiedLoss = 0] = cells;
  expect([tiedStep, untiedStep]).toEqual([30, 30]);
  // The width is 32, the vocabulary the book's.
  const vocabulary = (untiedCount - tiedCount) / 32;
  // Without a word from the reader, the counts above are those of the same V.
  expect(counted).toBe(tiedCount);
  await expect(panel).toContainText(`Here V is ${vocabulary}, the number of different characters in the book, as in the counts above.`);
  await panel.getByRole("spinbutton", { name: "Vocabulary V" }).fill("1000");
  await panel.getByRole("spinbutton", { name: "Vocabulary V" }).blur();
  await expect(panel).toContainText(`Here V is ${vocabulary}, the number of different characters in the book; the counts above are for a V of 1,000.`);
  for (const loss of [tiedLoss, untiedLoss]) {
    expect(loss).toBeGreaterThan(1);
    expect(loss).toBeLessThan(Math.log(vocabulary));
  }
  expect(tiedLoss).not.toBe(untiedLoss);
  const chart = panel.locator("poslab-loss-chart");
  await chart.locator(".plot").focus();
  await chart.locator(".plot").press("End");
  await expect(chart.locator("output")).toHaveText(/^Step 30\. tied: batch \d.*validation \d.*; untied: batch \d.*validation \d/);
  await expect(panel.getByRole("button", { name: "Train both again" })).toBeVisible();
});
