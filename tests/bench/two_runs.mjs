// How much longer two runs take in the page side by side than one alone, each in one worker, on the built page in Chromium.
//
//   node tests/bench/two_runs.mjs [steps, 300] [address of a served page]
//
// Timed between an early and a late step, so that loading and the final measuring stay out. Needs two idle cores; ends
// with exit code 1 when two runs take more than 1.15 times as long.
/* global document */
import { chromium } from "@playwright/test";
import { ensureChromium } from "../../wasm/setup/programs.mjs";
import { serve } from "../../wasm/setup/serve.mjs";

const bound = 1.15;
const steps = Number(process.argv[2] ?? 300);
const server = process.argv[3] ? undefined : await serve("dist", 0);
const address = process.argv[3] ?? server.address;
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });

/** Seconds from a tenth of the steps to nine tenths, of the slowest run. */
async function secondsFor(schemes) {
  const page = await browser.newPage();
  await page.goto(`${address}?size=lab&steps=${steps}&schemes=${schemes}&workers=1`);
  const race = page.locator("poslab-race");
  await race.scrollIntoViewIfNeeded();
  await race.getByRole("button", { name: "Train", exact: true }).click();
  const passed = (share) =>
    page.waitForFunction(
      ({ count, step }) => {
        const bars = document.querySelector("poslab-race").shadowRoot.querySelectorAll("progress");
        return bars.length === count && [...bars].every((bar) => bar.value >= step);
      },
      { count: schemes.split(",").length, step: Math.round(share * steps) },
      { polling: 20, timeout: 0 },
    );
  await passed(0.1);
  const began = performance.now();
  await passed(0.9);
  const seconds = (performance.now() - began) / 1000;
  await page.close();
  return seconds;
}

const alone = [await secondsFor("learned")];
const together = await secondsFor("learned,none");
alone.push(await secondsFor("learned"));
const one = (alone[0] + alone[1]) / 2;
const ratio = together / one;
console.log(`one run: ${alone.map((s) => s.toFixed(2)).join(" and ")} s; two runs side by side: ${together.toFixed(2)} s`);
console.log(`two runs take ${ratio.toFixed(3)} times as long as one (at most ${bound} wanted)`);
await browser.close();
server?.close();
process.exitCode = ratio <= bound ? 0 : 1;
