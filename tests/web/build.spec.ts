// The diagnosing grader: every mistake, in every format a learner may hand in, is named.

import { expect, test, type Locator, type Page } from "@playwright/test";
import { csv, json, npy, numpy, oddTable, printed, tableCode, tableOf, tables, transposed, turn, turnCode, turns, type Rows } from "./learner.js";
import { complaintsOf } from "./student.js";

async function open(page: Page, query = ""): Promise<Locator> {
  await page.goto(`./embed.html?panel=build${query}`);
  const panel = page.locator("poslab-build");
  await expect(panel.locator("figure")).toBeVisible();
  return panel;
}

async function paste(panel: Locator, text: string): Promise<void> {
  await panel.getByLabel("Your numbers", { exact: true }).fill(text);
  await panel.getByRole("button", { name: "Check the paste" }).click();
}

async function file(panel: Locator, name: string, buffer: Buffer): Promise<void> {
  await panel.getByLabel("A file with your numbers").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
}

async function code(panel: Locator, text: string): Promise<void> {
  const editor = panel.locator(".cm-content");
  if (!(await editor.isVisible())) await panel.getByText("Write a function here instead").click();
  await editor.fill(text);
  await panel.getByRole("button", { name: "Run and check" }).click();
}

/** The name of the mistake is there, or the verdict that there is none. */
async function expectNamed(panel: Locator, mistake: string, format: string): Promise<void> {
  const sign = mistake === "" ? '[data-verdict="correct"]' : `[data-mistake="${mistake}"]`;
  await expect(panel.locator(sign), `${mistake || "right"} as ${format}`).toHaveCount(1);
}

const formats: Record<string, (panel: Locator, rows: Rows) => Promise<void>> = {
  CSV: (panel, rows) => paste(panel, csv(rows)),
  JSON: (panel, rows) => paste(panel, json(rows)),
  "a NumPy array": (panel, rows) => paste(panel, numpy(rows)),
  "a NumPy print-out": (panel, rows) => paste(panel, printed(rows)),
  "a CSV file": (panel, rows) => file(panel, "pe.csv", Buffer.from(csv(rows))),
  ".npy f4": (panel, rows) => file(panel, "pe.npy", npy(rows, "<f4", false)),
  ".npy f8": (panel, rows) => file(panel, "pe.npy", npy(rows, "<f8", false)),
  ".npy f4, Fortran order": (panel, rows) => file(panel, "pe.npy", npy(rows, "<f4", true)),
  ".npy f8, Fortran order": (panel, rows) => file(panel, "pe.npy", npy(rows, "<f8", true)),
};

/** What a text format of eight decimals turns into something else. */
const lost: Record<string, string[]> = { "a NumPy print-out": ["float16"], "a NumPy array": ["float16"] };

for (const [format, handIn] of Object.entries(formats)) {
  test(`every mistake is named in ${format}`, async ({ page }) => {
    const panel = await open(page);
    for (const [mistake, cell] of Object.entries(tables)) {
      if (lost[format]?.includes(mistake)) continue;
      await handIn(panel, tableOf(cell, 50, 16));
      await expectNamed(panel, mistake, format);
    }
    await handIn(panel, transposed(tableOf(tables[""]!, 50, 16)));
    await expectNamed(panel, "transposed", format);
    await handIn(panel, tableOf(oddTable, 50, 15));
    await expectNamed(panel, "odd_width", format);

    await panel.getByRole("radio", { name: "turned vectors (RoPE)" }).check();
    const given = panel.getByLabel("The vectors to turn, as CSV");
    await expect(given).toHaveValue(/,/);
    const X = (await given.inputValue()).split("\n").map((line) => line.split(",").map(Number));
    for (const [mistake, options] of Object.entries(turns)) {
      await handIn(panel, X.map((x, p) => turn(x, p, 10000, options)));
      await expectNamed(panel, mistake, `RoPE, ${format}`);
    }
    await panel.getByRole("radio", { name: "values", exact: true }).check();
    await handIn(panel, X.map((x, p) => turn(x, p, 10000, {})));
    await expectNamed(panel, "values_rotated", `RoPE, ${format}`);
    await handIn(panel, X);
    await expectNamed(panel, "", `RoPE values, ${format}`);
  });
}

test("every mistake is named in a function written in the page", async ({ page }) => {
  const complaints = complaintsOf(page);
  const panel = await open(page);
  for (const [mistake, cell] of Object.entries(tables)) {
    await code(panel, tableCode(cell));
    await expectNamed(panel, mistake, "a function");
  }
  await code(panel, tableCode(tables[""]!, true));
  await expectNamed(panel, "transposed", "a function");
  await panel.getByRole("spinbutton", { name: "Width for the function" }).fill("15");
  await panel.getByRole("spinbutton", { name: "Width for the function" }).blur();
  await code(panel, tableCode(oddTable));
  await expectNamed(panel, "odd_width", "a function");
  await panel.getByRole("radio", { name: "turned vectors (RoPE)" }).check();
  for (const [mistake, options] of Object.entries(turns)) {
    await code(panel, turnCode(options));
    await expectNamed(panel, mistake, "a RoPE function");
  }
  await panel.getByRole("radio", { name: "values", exact: true }).check();
  await code(panel, turnCode({}));
  await expectNamed(panel, "values_rotated", "a RoPE function");
  expect(complaints).toEqual([]);
});

test("a verdict shows the first wrong cell with both values, the base that was used, and the matrix", async ({ page }) => {
  const panel = await open(page);
  await paste(panel, csv(tableOf(tables.positions_from_1!, 20, 8)));
  await expect(panel.locator(".verdict")).toContainText("row 0, column 0, counted from 0");
  await expect(panel.locator(".verdict")).toContainText("0.841471, 0.000000");
  await paste(panel, csv(tableOf(tables.other_base!, 20, 8)));
  await expect(panel.locator(".verdict")).toContainText("about 500");
  const canvas = panel.locator("poslab-matrix canvas");
  await canvas.focus();
  await canvas.press("ArrowDown");
  await expect(panel.locator("poslab-matrix output")).toHaveText("Row 1, column 0: 0.841471");
  await paste(panel, csv(tableOf(tables.sines_then_cosines!, 20, 8)));
  await expect(panel.locator(".verdict")).toContainText("Different, and harmless");
});

test("what cannot be graded is refused with a sentence, and nothing typed is lost", async ({ page }) => {
  const panel = await open(page);
  const problem = panel.locator(".wrong");
  const shortened = "[[ 0.  1. ...  0.  1.]\n [ 0.84147098  0.54030231 ...  0.0001  1.]]";
  for (const [text, sentence] of [
    ["", "There is nothing to check yet"],
    [shortened, "np.set_printoptions(threshold=np.inf)"],
    ["1,2\n3", "Row 1 (counted from 0) has 1 number; the rows above have 2."],
    ["1,two", 'Row 0, column 1 (counted from 0) is "two"'],
    ["0,0\n0,0", "Every number is 0; fill the matrix first."],
  ] as const) {
    await paste(panel, text);
    await expect(problem).toContainText(sentence);
    await expect(panel.getByLabel("Your numbers", { exact: true })).toHaveValue(text);
  }
  const right = tableOf(tables[""]!, 4, 6);
  await file(panel, "batch.npy", npy(right, "<f4", false, [2, 2, 6]));
  await expect(problem).toContainText("batch.npy holds an array of shape (2, 2, 6); hand in one table");
  await file(panel, "pe.npz", Buffer.from("PK\u0003\u0004 and so on"));
  await expect(problem).toContainText("archive of several arrays");
  await file(panel, "one.npy", npy(right, "<f4", false, [1, 4, 6]));
  await expect(panel.locator('[data-verdict="correct"]')).toHaveCount(1);
});

test("a dropped file is graded", async ({ page }) => {
  const panel = await open(page);
  const bytes = [...npy(tableOf(tables[""]!, 12, 6), "<f8", true)];
  const transfer = await page.evaluateHandle((data) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([new Uint8Array(data)], "mine.npy"));
    return dropped;
  }, bytes);
  await panel.getByLabel("Your numbers", { exact: true }).dispatchEvent("drop", { dataTransfer: transfer });
  await expect(panel.locator(".verdict")).toContainText("mine.npy: 12 positions, width 6. Correct");
});

test("functions that do not end, throw, return nonsense or do not parse get a sentence", async ({ page }) => {
  const panel = await open(page);
  const problem = panel.locator(".wrong");
  for (const [text, sentence] of [
    ["function positions() { for (;;) {} }", "stopped after 3 seconds"],
    ["function positions() { throw new Error('no idea'); }", "threw an error: no idea"],
    ["function positions() {}", "returned nothing"],
    ["function encode() {}", "defines no function named positions"],
    ["function positions(n, d) { return [[1, 2], [3]]; }", "Row 1 has 1 number, row 0 has 2."],
    ["function positions(n, d) { return [[1, NaN]]; }", "Row 0, column 1 is NaN"],
    ["function positions(n, d) {\n  return [[1, 2]];\n}", "returned 1 rows of 2 numbers; asked for were 50 rows of 16."],
    ["function positions(n, d) {\n  return [[1, }];\n}", "(line 2)"],
  ] as const) {
    await code(panel, text);
    await expect(problem).toContainText(sentence);
  }
});

test("the function runs under a strict Content-Security-Policy", async ({ page }) => {
  const complaints = complaintsOf(page);
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src blob:; img-src data:";
  await page.route("**/embed.html*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  const panel = await open(page);
  await code(panel, tableCode(tables[""]!));
  await expectNamed(panel, "", "a function under a strict policy");
  // Where text in an editable element is replaced as a whole, Chromium itself tries to keep its look by a style attribute.
  expect(complaints.filter((text) => !text.startsWith("Applying inline style"))).toEqual([]);
});

test("the function runs in a sandboxed frame", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto("./embed.html?panel=checklist");
  await page.setContent('<iframe src="./embed.html?panel=build" sandbox="allow-scripts" width="900" height="1500"></iframe>');
  const framed = page.frameLocator("iframe").locator("poslab-build");
  await code(framed, tableCode(tables[""]!));
  await expectNamed(framed, "", "a function in a sandboxed frame");
  expect(complaints).toEqual([]);
});

test("the table question says which rows move and why the last may not", async ({ page }) => {
  const panel = await open(page);
  await panel.getByRole("radio", { name: "all 64" }).check();
  await expect(panel.locator(".question .wrong")).toContainText("no gradient reaches them");
  await panel.getByRole("radio", { name: "the first 40" }).check();
  await expect(panel.locator(".question .passed")).toContainText("Rows 40 to 63 are never looked up");
});

test("numbers that prove nothing are right and tick nothing", async ({ page }) => {
  const panel = await open(page);
  const passed: unknown[] = [];
  await page.exposeFunction("notePassed", (name: unknown) => passed.push(name));
  await page.evaluate(() => {
    addEventListener("poslab-passed", (event) => {
      const { notePassed } = globalThis as unknown as { notePassed: (name: string) => void };
      notePassed((event as CustomEvent<{ exercise: string }>).detail.exercise);
    });
  });
  for (const text of ["0", "0,1", csv(tableOf(tables[""]!, 7, 16)), csv(tableOf(tables[""]!, 50, 3))]) {
    await paste(panel, text);
    await expect(panel.locator(".verdict h3")).toHaveText("These few numbers fit, and do not prove it");
    await expect(panel.locator(".doubt")).toContainText("at least 8 rows and 4 columns");
  }
  await panel.getByRole("radio", { name: "turned vectors (RoPE)" }).check();
  await panel.getByRole("radio", { name: "values", exact: true }).check();
  const given = panel.getByLabel("The vectors to turn, as CSV");
  await expect(given).toHaveValue(/,/);
  const text = await given.inputValue();
  await paste(panel, text);
  await expect(panel.locator(".doubt")).toContainText("Values are never turned");
  expect(passed).toEqual([]);

  await panel.getByRole("radio", { name: "queries or keys" }).check();
  await paste(panel, csv(text.split("\n").map((line, p) => turn(line.split(",").map(Number), p, 10000, {}))));
  await expect(panel.locator(".verdict h3")).toHaveText("Correct");
  await panel.getByRole("radio", { name: "a sinusoidal table" }).check();
  await paste(panel, csv(tableOf(tables[""]!, 8, 4)));
  await expect(panel.locator(".verdict h3")).toHaveText("Correct");
  await expect.poll(() => passed).toEqual(["build-rope", "build-sinusoidal"]);
});
