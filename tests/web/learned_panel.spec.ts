import { expect, test, type Locator, type Page } from "@playwright/test";
import { floats, npyFile, safetensorsFile, serveFile } from "./files.js";
import { complaintsOf, matrix } from "./student.js";

async function open(page: Page): Promise<Locator> {
  await page.goto("./embed.html?panel=learned");
  const panel = page.locator("poslab-learned");
  await expect(panel.getByText("Drop a")).toBeVisible();
  return panel;
}

/** Lets a file fall on the panel. */
async function drop(page: Page, name: string, file: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, file.toString("base64")] as const,
  );
  await page.locator("poslab-table-opener .drop").dispatchEvent("drop", { dataTransfer: transfer });
}

/** 40 positions; position p has p + column / 100 in each column. */
const table = { rows: 40, columns: 6, value: (row: number, column: number) => row + column / 100 };

async function expectCell(panel: Locator, row: number, column: number, text: string): Promise<void> {
  const { canvas, readOut } = matrix(panel, /^Learned position table/);
  await canvas.focus();
  await canvas.press("Control+Home");
  for (let i = 0; i < row; ++i) await canvas.press("ArrowDown");
  for (let i = 0; i < column; ++i) await canvas.press("ArrowRight");
  await expect(readOut).toHaveText(`Position ${row}, column ${column}: ${text}`);
}

test("a .npy table is dropped, drawn and compared, and its end is refused by the core", async ({ page }) => {
  const complaints = complaintsOf(page);
  const panel = await open(page);
  await drop(page, "wpe.npy", npyFile(table.rows, table.columns, table.value));
  await expect(panel.locator(".status")).toContainText("wpe.npy: 40 × 6 numbers of <f4");
  await expectCell(panel, 3, 2, "3.0200");
  const similarity = matrix(panel, /^Cosine similarity/);
  await similarity.canvas.focus();
  await similarity.canvas.press("Control+End");
  await expect(similarity.readOut).toHaveText("Position 39 and position 39: cosine 1.000");
  await panel.getByRole("button", { name: "Ask for position 40" }).click();
  await expect(panel.locator(".refusal")).toContainText(
    "Position 40 was asked for; a learned table with block_size 40 ends at position 39.",
  );
  await panel.getByRole("button", { name: "Close the file" }).click();
  await expect(panel).toContainText("No model with learned positions has been trained yet on this page.");
  expect(complaints).toEqual([]);
});

test("a table whose neighbours are alike by more than chance is said to have an order", async ({ page }) => {
  const panel = await open(page);
  await drop(page, "bumps.npy", npyFile(40, 40, (row, column) => Math.exp(-((row - column) ** 2) / 4)));
  await expect(panel.locator("figcaption")).toContainText("notice how the squares beside the diagonal stand out");
  await drop(page, "flat.npy", npyFile(40, 40, () => 1));
  await expect(panel.locator("figcaption")).toContainText(
    "neighbouring rows have a cosine of 1.00 on average, rows farther apart 1.00: no more of a difference than chance makes",
  );
});

const checkpoint = safetensorsFile([
  { name: "wte.weight", shape: [50_000, 6], bytes: floats(50_000, 6, (row) => row) },
  { name: "h.0.ln_1.bias", shape: [6], bytes: floats(1, 6, () => 0) },
  { name: "wpe.weight", shape: [40, 6], bytes: floats(table.rows, table.columns, table.value) },
]);

for (const ranges of [true, false]) {
  test(`a safetensors table is fetched from an address ${ranges ? "in pieces" : "that sends whole files only"}`, async ({ page }) => {
    const panel = await open(page);
    const server = await serveFile(checkpoint, ranges);
    await panel.getByLabel("Or its address").fill(`${server.address}model.safetensors`);
    await panel.getByRole("button", { name: "Open" }).click();
    await expect(panel.getByRole("radio")).toHaveCount(3);
    await expect(panel.getByLabel("h.0.ln_1.bias")).toBeDisabled();
    await expect(panel.locator(".status")).toHaveCount(0);
    await panel.getByLabel("wpe.weight").check();
    await expect(panel.locator(".status")).toContainText("wpe.weight of model.safetensors: 40 × 6 numbers of F32");
    await expectCell(panel, 12, 5, "12.0500");
    if (ranges) {
      // The header, and then the bytes of this tensor alone.
      expect(server.asked).toEqual(["bytes=0-131071", `bytes=${checkpoint.length - 960}-${checkpoint.length - 1}`]);
    }
    await panel.getByLabel("wte.weight").check();
    await expect(panel.locator(".status")).toContainText("the first 1,024 of 50,000 rows");
    server.close();
  });
}

test("loading shows how far it is and can be stopped", async ({ page }) => {
  const panel = await open(page);
  let release = () => {};
  const server = await serveFile(checkpoint, true, new Promise<void>((done) => (release = done)));
  await panel.getByLabel("Or its address").fill(`${server.address}model.safetensors`);
  await panel.getByRole("button", { name: "Open" }).click();
  const busy = panel.locator("poslab-table-opener [role=status]");
  await panel.getByLabel("wpe.weight").check();
  await expect(busy).toContainText("Loading wpe.weight …");
  await expect(panel.getByRole("progressbar")).toBeVisible();
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(busy).toHaveCount(0);
  await expect(panel.locator(".status")).toHaveCount(0);
  // 1,024 rows of six numbers of four bytes, of which the first half comes.
  await panel.getByLabel("wte.weight").check();
  await expect(busy).toContainText("12 of 24 KiB");
  release();
  await expect(panel.locator(".status")).toContainText("wte.weight of model.safetensors");
  await expect(busy).toHaveCount(0);
  server.close();
});

test("files and addresses that cannot be opened say why, and what was typed stays", async ({ page }) => {
  const panel = await open(page);
  const problem = panel.locator("poslab-table-opener").getByRole("alert");
  const npy = npyFile(table.rows, table.columns, table.value);
  await drop(page, "short.npy", npy.subarray(0, npy.length - 1));
  await expect(problem).toHaveText("The .npy file is cut off: its shape needs 960 bytes of data and 959 are there.");
  await drop(page, "short.safetensors", checkpoint.subarray(0, checkpoint.length - 4));
  await expect(problem).toContainText("so it is cut off");
  await drop(page, "tables.npz", Buffer.from("PK\u0003\u0004 and so on, an archive"));
  await expect(problem).toContainText("tables.npz is an archive");
  await drop(page, "notes.txt", Buffer.from("These are my notes, no table."));
  await expect(problem).toContainText("This is not a safetensors file");
  await drop(page, "junk.npy", Buffer.from("hello"));
  await expect(problem).toContainText("junk.npy is named .npy but does not begin as such a file does, with \\x93NUMPY.");
  await drop(page, "line.npy", npyFile(1, 5000, () => 0));
  await expect(problem).toContainText("line.npy has 5000 columns; up to 4096 can be shown.");

  const address = panel.getByLabel("Or its address");
  await panel.getByRole("button", { name: "Fill in its address" }).click();
  await expect(address).toHaveValue(/^https:.*model\.safetensors$/);
  await address.fill("ftp://old.example/wpe.npy");
  await address.press("Enter");
  await expect(problem).toContainText('"ftp://old.example/wpe.npy" is no address that can be opened');
  await expect(address).toHaveValue("ftp://old.example/wpe.npy");
  const server = await serveFile(checkpoint, true);
  await address.fill(`${server.address}nothing`);
  await address.press("Enter");
  await expect(problem).toContainText("answered 404 Not Found instead of the file");
  server.close();
  await address.fill("http://127.0.0.1:9/wpe.npy");
  await address.press("Enter");
  await expect(problem).toContainText("could not be fetched");
});

test("only the rows that short texts reach are moved", async ({ page }) => {
  const panel = await open(page);
  await panel.getByRole("spinbutton", { name: "Longest text" }).fill("12");
  await panel.getByRole("spinbutton", { name: "Longest text" }).blur();
  await panel.getByRole("button", { name: "Train on short texts" }).click();
  await expect(panel.locator(".short-moved")).toContainText(
    "In the other model’s table of 64 rows, rows 12 to 63 never moved, not by a bit; the other 12 did.",
    { timeout: 30_000 },
  );
  const { canvas, readOut } = matrix(panel, /^How far each row of the other model’s table moved/);
  await canvas.focus();
  await expect(readOut).toHaveText(/^Row 0 moved by 0\.\d{3}$/);
  await canvas.press("End");
  await expect(readOut).toHaveText("Row 63 never moved");
});

test("the run's own table says which rows moved and where it ends", async ({ page }) => {
  const panel = await open(page);
  await panel.getByRole("button", { name: "Train a small one here" }).click();
  await expect(panel.locator(".run-moved")).toContainText(/In the run’s table, all 32 rows moved, the least by \d/, { timeout: 30_000 });
  await expect(panel).toContainText("The run’s table has rows for positions 0 to 31 and none for 32.");
  await expect(panel.locator("figcaption")).toContainText(/neighbouring rows have a cosine of −?\d\.\d\d on average/);
  await panel.getByRole("button", { name: "Ask for position 32" }).click();
  await expect(panel.locator(".refusal")).toContainText("Position 32 was asked for; a learned table with block_size 32 ends at position 31.");
});
