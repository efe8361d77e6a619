import { expect, test } from "@playwright/test";
import { complaintsOf, matrix, Race } from "./student.js";

const interleaved = [0.841471, 0.540302, 0.099833, 0.995004, 0.01, 0.99995, 0.001, 1];
const oddWidth = [0.841471, 0.540302, 0.025116, 0.999685, 0.000631];

for (const [d, values] of [
  [8, interleaved],
  [5, oddWidth],
] as const) {
  test(`the sinusoid of position 1 at width ${d} reads out the worked values`, async ({ page }) => {
    await page.goto(`./?n=70&d=${d}`);
    const panel = page.locator("poslab-sinusoid");
    await panel.scrollIntoViewIfNeeded();
    const { canvas, readOut } = matrix(panel, /^Sinusoidal table/);
    await canvas.focus();
    await canvas.press("ArrowDown");
    for (const [col, value] of values.entries()) {
      await expect(readOut).toContainText(`Position 1, column ${col} (`);
      await expect(readOut).toContainText(value.toFixed(6));
      await canvas.press("ArrowRight");
    }
  });
}

test("the sinusoid panel follows its controls and compares positions", async ({ page }) => {
  await page.goto("./?n=80");
  const panel = page.locator("poslab-sinusoid");
  await panel.scrollIntoViewIfNeeded();
  await expect(panel).toContainText(/Position 10 is almost its neighbour 11 \(cosine 0\.\d{3}\)/);
  await panel.getByLabel("all sines, then all cosines").check();
  const { canvas, readOut } = matrix(panel, /^Sinusoidal table/);
  await canvas.focus();
  await canvas.press("End");
  // Position 0, last column: a cosine of 0, of the slowest wave.
  await expect(readOut).toContainText(/column 63 \(cosine of wavelength .*\): 1\.000000/);
  expect(new URL(page.url()).searchParams.get("layout")).toBe("concatenated");
  await panel.getByRole("spinbutton", { name: "Width d" }).fill("0");
  await panel.getByRole("spinbutton", { name: "Width d" }).blur();
  await expect(panel.locator(".complaints")).toContainText("“Width d” is 0; it must be a whole number from 1 to 512. 64 stays.");
});

test("attention trains the scheme that its address names", async ({ page }) => {
  await page.goto("./embed.html?panel=attention&run=rope");
  const panel = page.locator("poslab-attention");
  await expect(panel).toContainText("A tiny GPT with RoPE positions");
  const choice = panel.getByLabel("Trained with positions");
  await expect(choice).toHaveValue("rope");
  await choice.selectOption("none");
  await expect(panel).toContainText("A tiny GPT with no positions");
  await choice.selectOption("alibi");
  await panel.getByRole("button", { name: "Train a small one here" }).click();
  await expect(panel.locator(".status")).toContainText("ALiBi,");
  expect(new URL(page.url()).searchParams.get("run")).toBe("alibi");
});

test("attention reads out who looks at whom, by pointer and by keys, and marks what is not allowed", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto("./?size=tiny&steps=20&text=the whale");
  const race = new Race(page);
  await race.train();
  await race.expectState("finished", "learned", "none");
  const panel = page.locator("poslab-attention");
  await panel.scrollIntoViewIfNeeded();
  const { canvas, readOut } = matrix(panel, /^Attention of layer 0, head 0/);
  const box = await canvas.boundingBox();
  if (!box) throw new Error("The attention matrix has no place on the page.");
  // The plot lies 46 pixels from the left and 6 from the top; its upper left cell is 'the first looks at itself'.
  await canvas.hover({ position: { x: 60, y: 14 } });
  await expect(readOut).toHaveText("'t' at 0 looks at 't' at 0: 1.00");
  await canvas.hover({ position: { x: box.width - 75, y: 14 } });
  await expect(readOut).toHaveText("'t' at 0 may not look at 'e' at 8: it comes later");
  await canvas.focus();
  await canvas.press("Control+Home");
  await canvas.press("ArrowDown");
  await canvas.press("ArrowDown");
  await canvas.press("ArrowRight");
  await expect(readOut).toHaveText(/^'e' at 2 looks at 'h' at 1: 0\.\d\d$/);

  await panel.getByRole("button", { name: "Layer 1, head 3" }).click();
  await expect(matrix(panel, /^Attention of layer 1, head 3/).canvas).toBeVisible();
  await panel.getByLabel("Trained with positions").selectOption("none");
  await expect(panel.locator(".status")).toContainText("none, 20 of 20 steps");
  await panel.getByLabel("Text to look at").fill("the ☃ whale");
  await expect(panel).toContainText("The model has never seen '☃'; left out here.");
  await panel.getByLabel("Trained with positions").selectOption("learned");
  await panel.getByLabel("Text to look at").fill("the whale ".repeat(5));
  await expect(panel).toContainText("This model reads 32 characters; the rest is left out.");
  expect(complaints).toEqual([]);
});

test("the learned table refreshes while the model trains", async ({ page }) => {
  await page.goto("./?size=tiny&steps=3000&schemes=learned");
  const race = new Race(page);
  await race.train();
  const panel = page.locator("poslab-learned");
  await panel.scrollIntoViewIfNeeded();
  const heading = panel.getByRole("heading", { name: /^The table after/ });
  const { canvas, readOut } = matrix(panel, /^Learned position table/);
  await canvas.focus();
  await expect(readOut).toHaveText(/^Position 0, column 0: /);
  const first = { heading: await heading.innerText(), value: await readOut.innerText() };
  await expect(heading).not.toHaveText(first.heading);
  await expect(readOut).not.toHaveText(first.value);
  await canvas.press("Control+End");
  await expect(readOut).toHaveText(/^Position 31, column 63: /);
});

test("files are chosen with buttons that look like all others and that keys reach", async ({ page }) => {
  const look = (element: Element) => {
    const { backgroundColor, borderTopColor, borderTopLeftRadius, color, fontFamily, paddingLeft, cursor } = getComputedStyle(element);
    return { backgroundColor, borderTopColor, borderTopLeftRadius, color, fontFamily, paddingLeft, cursor };
  };
  await page.goto("./embed.html?panel=checklist");
  const usual = await page.getByRole("button", { name: "Save as a file" }).evaluate(look);
  for (const [name, query] of [["checklist", ""], ["build", ""], ["learned", ""], ["race", "&corpus=own"]] as const) {
    await page.goto(`./embed.html?panel=${name}${query}`);
    const panel = page.locator(`poslab-${name}`);
    const input = panel.locator("input[type=file]");
    const shown = panel.locator(".file > span");
    await expect(shown, name).toBeVisible();
    expect(await shown.evaluate(look), name).toEqual(usual);
    await input.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(input, name).toBeFocused();
    expect(await shown.evaluate((element) => getComputedStyle(element).outlineStyle), name).toBe("solid");
    await expect(async () => {
      const opened = page.waitForEvent("filechooser", { timeout: 2000 });
      await page.keyboard.press("Space");
      await (await opened).setFiles([]);
    }, name).toPass();
  }
});
