// What a student does with the page, in words the tests share.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";

/** Every panel and exercise of the article, in its order. */
export const panels = [
  "shuffle",
  "race",
  "attention",
  "embed",
  "learned",
  "sinusoid",
  "clock",
  "rope",
  "tying",
  "mistakes",
  "explain",
  "derive",
  "build",
  "break",
  "checklist",
];

/** A page or a frame. */
export type Place = Page | FrameLocator;

/** Collects everything that a clean page does not say. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
  return complaints;
}

export class Race {
  readonly panel: Locator;

  constructor(place: Place) {
    this.panel = place.locator("poslab-race");
  }

  button(name: string): Locator {
    return this.panel.getByRole("button", { name, exact: true });
  }

  /** The row of one run; its data-state says where it stands. */
  run(scheme: string): Locator {
    return this.panel.locator(`.run[data-scheme="${scheme}"]`);
  }

  async expectState(state: string, ...schemes: string[]): Promise<void> {
    for (const scheme of schemes) {
      await expect(this.run(scheme)).toHaveAttribute("data-state", state, { timeout: 60_000 });
    }
  }

  async stepOf(scheme: string): Promise<number> {
    const words = await this.run(scheme).locator(".figures").innerText();
    return Number(/^([\d,]+) of/.exec(words)?.[1]?.replace(",", ""));
  }

  async train(): Promise<void> {
    await this.panel.scrollIntoViewIfNeeded();
    await this.button("Train").click();
  }

  get table(): Locator {
    return this.panel.getByRole("table");
  }

  /** The sentences that the loss chart reads out at the first few steps. */
  async firstLosses(count: number): Promise<string[]> {
    const chart = this.panel.locator("poslab-loss-chart");
    await chart.locator(".plot").focus();
    await chart.locator(".plot").press("Home");
    const sentences: string[] = [];
    for (let step = 1; step <= count; ++step) {
      await chart.locator(".plot").press("ArrowRight");
      await expect(chart.locator("output")).toContainText(`Step ${step}.`);
      sentences.push(await chart.locator("output").innerText());
    }
    return sentences;
  }
}

/** The matrix figure whose label begins so, and its read-out. */
export function matrix(panel: Locator, label: string | RegExp) {
  const figure = panel.locator("poslab-matrix").filter({ has: panel.page().getByLabel(label) });
  return { canvas: figure.locator("canvas"), readOut: figure.locator("output") };
}

/** Serves one page of HTML on an origin of its own. */
export async function serveHtml(html: string): Promise<{ address: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(html);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
