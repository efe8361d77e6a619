import { expect, test } from "@playwright/test";
import { matrix } from "./student.js";

test("both claims about sinusoidal rows hold, and follow the controls", async ({ page }) => {
  await page.goto("./embed.html?panel=sinusoid&n=40&d=16");
  const panel = page.locator("poslab-sinusoid");
  const proofs = panel.locator("poslab-proof");
  await expect(proofs).toHaveCount(2);
  for (const proof of await proofs.all()) await expect(proof).toHaveAttribute("verdict", "holds");
  // Pairs of rows, and positions times columns.
  await expect(proofs.nth(0)).toContainText("820 cases");
  await expect(proofs.nth(1)).toContainText("640 cases");
  const turn = matrix(panel, /^The matrix that turns/);
  await turn.canvas.focus();
  // The fastest pair turns by k = 7: cos 7.
  await expect(turn.readOut).toHaveText(`From column 0 to column 0: ${Math.cos(7).toFixed(6)}`);
  await panel.getByRole("slider", { name: "Places to go on, k" }).focus();
  await page.keyboard.press("ArrowRight");
  await turn.canvas.focus();
  await expect(turn.readOut).toHaveText(`From column 0 to column 0: ${Math.cos(8).toFixed(6)}`);
  expect(new URL(page.url()).searchParams.get("shift")).toBe("8");
  for (const proof of await proofs.all()) await expect(proof).toHaveAttribute("verdict", "holds");
});

test("an odd width breaks the first claim, and the panel says so in red", async ({ page }) => {
  await page.goto("./embed.html?panel=sinusoid&n=40&d=5");
  const panel = page.locator("poslab-sinusoid");
  await expect(panel.locator("poslab-proof")).toHaveCount(1);
  await expect(panel.locator("poslab-proof")).toHaveAttribute("verdict", "fails");
  await expect(panel).toContainText("With an odd width the last sine has no cosine");
});

test("position 10 is compared with 11 and 60, also beside a short table", async ({ page }) => {
  const d = 32;
  const cosine = (distance: number) => {
    let sum = 0;
    for (let i = 0; i < d / 2; ++i) sum += Math.cos(distance / 10000 ** ((2 * i) / d));
    return (sum / (d / 2)).toFixed(3);
  };
  await page.goto(`./embed.html?panel=sinusoid&n=20&d=${d}`);
  const caption = page.locator("poslab-sinusoid figcaption");
  await expect(caption).toContainText(`neighbour 11 (cosine ${cosine(1)}) and less like 60 (${cosine(50)})`);
});
