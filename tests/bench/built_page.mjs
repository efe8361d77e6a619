// The built page in headless Chromium, for what is measured of it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { ensureChromium } from "../../wasm/setup/programs.mjs";
import { Stop } from "../../wasm/setup/say.mjs";
import { serve } from "../../wasm/setup/serve.mjs";
import { root } from "../../wasm/setup/shell.mjs";

export const dist = join(root, "dist");

/** What `measure` gives, called with a browser and the page's address, both of which end after it. */
export async function onBuiltPage(measure) {
  if (!existsSync(join(dist, "index.html"))) {
    throw new Stop("The page is not built: there is no dist/index.html.", "run `npm run build`, then the same command again.");
  }
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  const site = await serve(dist, 0);
  try {
    return await measure(browser, site.address);
  } finally {
    await browser.close();
    site.close();
  }
}
