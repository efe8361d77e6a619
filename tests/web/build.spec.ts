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
  if (!(await editor.isVisible())) await panel.getByText("Write a JavaScript function here instead").click();
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

for (const [format, handIn] of Object.entries(formats)) {
  test(`every mistake is named in ${format}`, async ({ page }) => {
    const panel = await open(page);
    for (const [mistake, cell] of Object.entries(tables)) {
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
    ['{"a":1}', 'The text is a JSON object, "{"a":1}"; objects are not read. Paste an array of rows, [[…], […]].'],
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
  await expect(problem).toContainText('pe.npz is an archive, as .npz and .xlsx files are; save one array with np.save("pe.npy", pe)');
  await file(panel, "junk.npy", Buffer.from("hello"));
  await expect(problem).toContainText("junk.npy is named .npy but does not begin as such a file does, with \\x93NUMPY.");
  await file(panel, "one.npy", npy(right, "<f4", false, [1, 4, 6]));
  await expect(panel.locator('[data-verdict="correct"]')).toHaveCount(1);
});

/** Drops or pastes a file on the field. */
async function give(panel: Locator, how: "drop" | "paste", name: string, bytes: Buffer): Promise<void> {
  await panel.getByLabel("Your numbers", { exact: true }).evaluate(
    (field, [event, fileName, data]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(data)], fileName));
      const init = { bubbles: true, composed: true, cancelable: true };
      field.dispatchEvent(
        event === "drop"
          ? new DragEvent("drop", { ...init, dataTransfer: transfer })
          : new ClipboardEvent("paste", { ...init, clipboardData: transfer }),
      );
    },
    [how, name, [...bytes]] as const,
  );
}

test("a dropped file is graded, and so is a pasted one", async ({ page }) => {
  const panel = await open(page);
  await give(panel, "drop", "mine.npy", npy(tableOf(tables[""]!, 12, 6), "<f8", true));
  await expect(panel.locator(".verdict")).toContainText("mine.npy: 12 positions, width 6. Correct: all 12 × 6 numbers agree");
  await give(panel, "paste", "again.npy", npy(tableOf(tables[""]!, 13, 6), "<f8", true));
  await expect(panel.locator(".verdict")).toContainText("again.npy: 13 positions, width 6. Correct");
});

test("a picture or another file without numbers is called what it is", async ({ page }) => {
  const panel = await open(page);
  const problem = panel.locator(".wrong");
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==", "base64");
  const advice = "Hand in the numbers themselves: a .npy file, CSV, JSON or a print-out.";
  for (const how of ["drop", "paste"] as const) {
    await give(panel, how, "plot.png", png);
    await expect(problem).toHaveText(`plot.png is a picture (PNG). ${advice}`);
  }
  await file(panel, "photo.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]));
  await expect(problem).toHaveText(`photo.jpg is a picture (JPEG). ${advice}`);
  await file(panel, "paper.pdf", Buffer.from("%PDF-1.7"));
  await expect(problem).toHaveText(`paper.pdf is a PDF. ${advice}`);
  for (const bytes of [[1, 2, 0, 4], [0xc3, 0x28, 0x31]]) {
    await file(panel, "weights.bin", Buffer.from(bytes));
    await expect(problem).toHaveText(`weights.bin is neither text nor a .npy file. ${advice}`);
  }
  await paste(panel, "\ufffdPNG");
  await expect(problem).toHaveText("That is no text but the bytes of some other file. Choose or drop the file itself.");
  const utf16 = Buffer.from(`\ufeff${csv(tableOf(tables[""]!, 9, 4))}`, "utf16le");
  await file(panel, "excel.txt", utf16);
  await expect(panel.locator(".verdict")).toContainText("excel.txt: 9 positions, width 4. Correct");
});

test("a paste of ten megabytes is read beside the field and holds nothing up", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const panel = await open(page);
  const field = panel.getByLabel("Your numbers", { exact: true });
  await field.fill("0,1");
  await page.evaluate((text) => navigator.clipboard.writeText(text), csv(tableOf(tables[""]!, 5400, 96)));
  await page.evaluate(() => {
    const seen = Object.assign(globalThis, { longest: 0 });
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - last);
      last = now;
      setTimeout(look);
    };
    look();
  });
  const longest = () => page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
  await field.press("Control+v");
  await expect(panel.locator(".beside")).toContainText(/^Your paste of \d+\.\d million characters is too long for this field/);
  await expect(panel.locator(".verdict")).toContainText("5400 positions, width 96. Correct", { timeout: 60_000 });
  await expect(field).toHaveValue("0,1");
  await expect(panel.locator("poslab-matrix canvas")).toBeVisible();
  const beside = await longest();
  // The same text in a field that takes it.
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("textarea"), { id: "plain" })));
  await page.locator("#plain").press("Control+v");
  await expect.poll(() => page.locator("#plain").evaluate((plain) => (plain as HTMLTextAreaElement).value.length)).toBeGreaterThan(9e6);
  const inside = await longest();
  test.info().annotations.push({ type: "longest time without an answer, ms", description: `${beside} beside the field, ${inside} in one` });
  expect(beside).toBeLessThan(inside / 3);
});

test("functions that do not end, throw, return nonsense or do not parse get a sentence", async ({ page }) => {
  const panel = await open(page);
  const problem = panel.locator(".wrong");
  for (const [text, sentence] of [
    ["function positions() { for (;;) {} }", "stopped after 3 seconds. Either a loop never ends, or it does far more than is asked for."],
    ["async function positions() { return [[1]]; }", "positions returned a Promise, as every async function does. Take the async away"],
    ["function positions() { return Promise.resolve([[1]]); }", "positions returned a Promise"],
    ["function positions() { return new Map(); }", "positions returned an object (Map), not a list of rows."],
    ["function positions() { return 'waves'; }", 'positions returned the text "waves", not a list of rows.'],
    ["function positions() { return [['0', '1']]; }", 'Row 0, column 0 is the text "0"; every cell must be a finite number.'],
    ["function positions() { return [[[1]]]; }", "Row 0, column 0 is a list of 1; every cell must be a finite number."],
    ["function positions() { return new Float32Array(5e7); }", "positions returned a list of 50,000,000; asked for were 50 rows of 16."],
    ["function positions() { return Array(3e6).fill([0, 1]); }", "positions returned a list of 3,000,000; asked for were 50 rows of 16."],
    ["function positions() { return [[0], new Float64Array(4e7)]; }", "positions returned 40,000,000 numbers in row 1; asked for were 50 rows of 16."],
    ["function positions() { return Array(51).fill(Array(16).fill(0)); }", "positions returned 51 rows of 16 numbers; asked for were 50 rows of 16."],
    ["function positions() { throw new Error('no idea'); }", "threw an error: no idea"],
    ["function positions() {}", "returned nothing"],
    ["function encode() {}", "defines no function named positions"],
    ["function positions(n, d) { return [[1, 2], [3]]; }", "Row 1 has 1 number, row 0 has 2."],
    ["function positions(n, d) { return [[1, NaN]]; }", "Row 0, column 1 is NaN"],
    ["function positions(n, d) {\n  return [[1, 2]];\n}", "returned 1 row of 2 numbers; asked for were 50 rows of 16."],
    ["function positions(n, d) {\n  return [[1, }];\n}", "(line 2)"],
    ["import numpy as np\n\ndef positions(n, d):\n    return np.zeros((n, d))", "This field takes JavaScript, not Python; what NumPy gives can be pasted"],
  ] as const) {
    await code(panel, text);
    await expect(problem).toContainText(sentence);
  }
});

test("a function that was not changed is not graded", async ({ page }) => {
  const panel = await open(page);
  await panel.getByText("Write a JavaScript function here instead").click();
  for (const task of ["turned vectors (RoPE)", "a sinusoidal table"]) {
    await panel.getByRole("radio", { name: task }).check();
    await panel.getByRole("button", { name: "Run and check" }).click();
    await expect(panel.locator(".wrong")).toContainText("You have not changed the function yet");
    await expect(panel.locator(".verdict")).toHaveCount(0);
  }
});

test("each task keeps its own numbers", async ({ page }) => {
  const panel = await open(page);
  const field = panel.getByLabel("Your numbers", { exact: true });
  await field.fill("0,1");
  await panel.getByRole("radio", { name: "turned vectors (RoPE)" }).check();
  await expect(field).toHaveValue("");
  await field.fill("2,3");
  await panel.getByRole("radio", { name: "a sinusoidal table" }).check();
  await expect(field).toHaveValue("0,1");
  await panel.getByRole("radio", { name: "turned vectors (RoPE)" }).check();
  await expect(field).toHaveValue("2,3");
});

test("paper shows in full what was handed in and written, and what was asked for", async ({ page }) => {
  const panel = await open(page);
  await paste(panel, csv(tableOf(tables[""]!, 60, 16)));
  await code(panel, tableCode(tables.exponent_sign!));
  const settings = panel.getByText("Settings: What you build: a sinusoidal table; Rows for the function: 50; Width for the function: 16; Base that is asked for: 10000.");
  await expect(settings).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(settings).toBeVisible();
  const texts = panel.locator("section.print-only pre");
  await expect(texts).toHaveCount(2);
  expect((await texts.first().textContent())?.split("\n")).toHaveLength(60);
  await expect(texts.last()).toContainText("function positions(n, d, base)");
  for (const text of await texts.all()) {
    expect(await text.evaluate((pre) => [pre.scrollWidth - pre.clientWidth, pre.scrollHeight - pre.clientHeight])).toEqual([0, 0]);
  }
});

test("exponents are set as such in a verdict, and its numbers too", async ({ page }) => {
  const panel = await open(page);
  await paste(panel, csv(tableOf(tables[""]!, 9, 6)));
  await expect(panel.locator(".verdict sup").first()).toHaveText("2i/d");
  await expect(panel.locator(".verdict")).toContainText(/the largest difference is (0|\d\.\d\s×\s10⁻[⁸⁷])\./);
  await paste(panel, csv(tableOf(tables.exponent_sign!, 20, 8)));
  await expect(panel.locator("[data-mistake=exponent_sign]")).toHaveText("What to change (the exponent's sign): Divide the position by base2i/d.");
  await expect(panel.locator(".verdict")).not.toContainText("^");
  await expect(panel.locator(".verdict")).toContainText(/column \d+ \(counted from 0\) holds −\d/);
});

test("another task or base takes the verdict on the old one away", async ({ page }) => {
  const panel = await open(page);
  await paste(panel, csv(tableOf(tables[""]!, 20, 8)));
  await expect(panel.locator(".verdict")).toBeVisible();
  await panel.getByRole("spinbutton", { name: "Base that is asked for" }).fill("500");
  await panel.getByRole("spinbutton", { name: "Base that is asked for" }).blur();
  await expect(panel.locator(".verdict")).toHaveCount(0);
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
  await expect(panel.locator(".further .wrong")).toContainText("no gradient reaches them");
  await panel.getByRole("radio", { name: "the first 40" }).check();
  await expect(panel.locator(".further .passed")).toContainText("Rows 40 to 63 are never looked up");
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
