import { expect, test, type Locator, type Page } from "@playwright/test";
import { complaintsOf, matrix, Race, serveHtml } from "./student.js";

async function open(page: Page, query = ""): Promise<Locator> {
  await page.goto(`./embed.html?panel=embed${query}`);
  const panel = page.locator("poslab-embed");
  await expect(panel.locator(".norms tbody tr").first()).toBeVisible();
  return panel;
}

/** The value that a strip's read-out says of a cell, reached by keys. */
async function valueAt(panel: Locator, label: RegExp, row: number, col: number): Promise<number> {
  const { canvas, readOut } = matrix(panel, label);
  await canvas.focus();
  await canvas.press("Control+Home");
  for (let i = 0; i < row; ++i) await canvas.press("ArrowDown");
  for (let i = 0; i < col; ++i) await canvas.press("ArrowRight");
  await expect(readOut).toContainText(` at ${row}, column ${col} of its `);
  const words = await readOut.innerText();
  return Number(words.split(": ").at(-1)?.replace("−", "-"));
}

test("token row plus position row is the sum, and the same letter has the same token row", async ({ page }) => {
  const complaints = complaintsOf(page);
  const panel = await open(page);
  await panel.getByLabel("Your sentence").fill("abba");
  await expect(panel.locator(".norms tbody tr")).toHaveCount(4);
  const sums: number[] = [];
  for (const [row, col] of [[0, 0], [0, 3], [3, 0], [3, 3]] as const) {
    const token = await valueAt(panel, /^Token rows/, row, col);
    const position = await valueAt(panel, /^Position rows/, row, col);
    const sum = await valueAt(panel, /^Their sum/, row, col);
    expect(sum).toBeCloseTo(token + position, 3);
    sums.push(token, sum);
  }
  expect(sums[0]).toBe(sums[4]);
  expect(sums[1]).not.toBe(sums[5]);
  expect(complaints).toEqual([]);
});

test("a box of the drawing opens its tensor, by click and by keys", async ({ page }) => {
  const panel = await open(page, "&phrase=dab");
  const box = (name: RegExp) => panel.locator(".flow").getByRole("button", { name });
  await box(/^token ids: \d+ \d+ \d+$/).click();
  const ids = matrix(panel, /^Token ids/);
  await ids.canvas.focus();
  // Line end, then ASCII from the space on: 'd' is number 69.
  await expect(ids.readOut).toHaveText("'d' has id 69");
  await ids.canvas.press("ArrowRight");
  await expect(ids.readOut).toHaveText("'a' has id 66");
  await box(/^position rows: 3 × 64$/).focus();
  await page.keyboard.press("Enter");
  await expect(matrix(panel, /^Position rows/).canvas).toBeVisible();
  await expect(panel.locator("poslab-matrix")).toHaveCount(1);
  expect(new URL(page.url()).searchParams.get("tensor")).toBe("position");
  await box(/^plus/).focus();
  await page.keyboard.press("Space");
  await expect(panel.locator("poslab-matrix")).toHaveCount(3);
  expect(new URL(page.url()).searchParams.get("tensor")).toBeNull();
});

test("the norms of both summands are the core's, and a scheme that adds nothing has none", async ({ page }) => {
  const panel = await open(page, "&vectors=sinusoidal");
  const norms = panel.locator(".norms tbody td:last-child");
  // 32 pairs of sine and cosine: the square root of 32.
  await expect(norms).toHaveText(Array(13).fill("5.657"));
  await panel.getByLabel("Positions of the model").selectOption("rope");
  await expect(norms).toHaveText(Array(13).fill("0.000"));
  await expect(panel.locator("figcaption")).toContainText("RoPE adds no position rows");
});

test("unknown characters are named, and an empty sentence is met in words", async ({ page }) => {
  const panel = await open(page);
  await panel.getByLabel("Your sentence").fill("so ☃");
  await expect(panel).toContainText("The model has never seen '☃'; left out here.");
  await expect(panel.locator(".norms tbody tr")).toHaveCount(3);
  await panel.getByLabel("Your sentence").fill("");
  await expect(panel.getByRole("alert")).toHaveText("Your sentence is empty; write at least one character.");
  await expect(panel.locator(".norms tbody tr")).toHaveCount(3);
});

test("with a run trained here the rows grow, and letters find company", async ({ page }) => {
  const panel = await open(page, "&phrase=the whale");
  const cosines = panel.locator(".near tbody td");
  await expect(cosines).toHaveCount(6);
  const fresh = await cosines.allInnerTexts();
  await panel.getByRole("button", { name: "Train a small one here" }).click();
  await expect(panel.locator(".status")).toContainText("600 of 600 steps", { timeout: 60_000 });
  // The model answers once the whole validation text is measured.
  await expect(panel.locator("[data-step='600']")).toBeVisible({ timeout: 60_000 });
  const trained = (await cosines.allInnerTexts()).map(Number);
  expect(trained).not.toEqual(fresh.map(Number));
  expect([...trained].sort((a, b) => b - a)).toEqual(trained);
  await panel.getByLabel("Nearest to").selectOption("a");
  await expect(panel.locator(".near tbody th")).toHaveCount(6);
  expect(new URL(page.url()).searchParams.get("neighbour")).toBe("a");
  await panel.getByLabel("of a fresh model").check();
  await expect(panel.locator("[data-step='fresh']")).toBeVisible();
  await panel.getByLabel("of the run on this page").check();
  await expect(panel.locator("[data-step='600']")).toBeVisible();
});

test("the vectors that are chosen are those that are shown", async ({ page }) => {
  const panel = await open(page);
  const ofRun = panel.getByLabel("of the run on this page");
  const fresh = panel.getByLabel("of a fresh model");
  await expect(panel.locator("[data-step='fresh']")).toBeVisible();
  await expect(fresh).toBeChecked();
  await expect(ofRun).toBeDisabled();
  await expect(panel).toContainText("No model with learned positions has been trained yet on this page. Train one, here or in a race");
  await panel.getByRole("button", { name: "Train a small one here" }).click();
  await expect(ofRun).toBeChecked({ timeout: 60_000 });
  await expect(panel.locator("[data-step]:not([data-step='fresh'])")).toBeVisible();
  await panel.getByLabel("Positions of the model").selectOption("alibi");
  await expect(fresh).toBeChecked();
  await expect(panel.locator("[data-step='fresh']")).toBeVisible();
});

test("the panel follows the run that was trained last, whatever its scheme", async ({ page }) => {
  await page.goto("./?size=tiny&steps=5&schemes=sinusoidal");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "sinusoidal");
  const panel = page.locator("poslab-embed");
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.locator(".status")).toContainText("sinusoidal, 5 of 5 steps");
  await expect(panel.getByLabel("Positions of the model")).toHaveValue("sinusoidal");
  await expect(panel.locator("[data-step='5']")).toBeVisible();
});

for (const name of ["embed", "mistakes"]) {
  test(`the ${name} panel works alone in a sandboxed frame of another origin`, async ({ page, baseURL }) => {
    const complaints = complaintsOf(page);
    const source = `${baseURL}embed.html?panel=${name}`;
    const course = await serveHtml(
      `<!doctype html><link rel="icon" href="data:,"><title>A course</title><iframe src="${source}" sandbox="allow-scripts" width="900" height="1100"></iframe>`,
    );
    await page.goto(course.address);
    const panel = page.frameLocator("iframe").locator(`poslab-${name}`);
    if (name === "embed") await expect(panel.locator(".norms tbody tr")).toHaveCount(13);
    else await expect(panel.locator(".variants li")).toHaveCount(8);
    expect(complaints).toEqual([]);
    course.close();
  });
}
