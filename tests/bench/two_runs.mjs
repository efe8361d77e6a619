// How much longer two runs take in the page side by side than one alone, each in one worker, on the built page in Chromium.
//
//   node tests/bench/two_runs.mjs [steps, 300] [address of a page that is served, else the built one]
//
// Timed between an early and a late step, so that loading and the final measuring stay out. Needs two idle cores; ends
// with exit code 1 when two runs take more than 1.15 times as long.
/* global document */
import { main, Stop } from "../../wasm/setup/say.mjs";
import { onBuiltPage } from "./built_page.mjs";

const bound = 1.15;

/** Seconds from a tenth of the steps to nine tenths, of the slowest run. */
async function secondsFor(browser, address, steps, schemes) {
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

await main(async () => {
  const [given = "300", served] = process.argv.slice(2);
  const steps = Number(given);
  if (!(Number.isInteger(steps) && steps >= 10)) throw new Stop(`steps is ${given}.`, "give a whole number from 10 on.");
  await onBuiltPage(async (browser, built) => {
    const secondsOf = (schemes) => secondsFor(browser, served ?? built, steps, schemes);
    const alone = [await secondsOf("learned")];
    const together = await secondsOf("learned,none");
    alone.push(await secondsOf("learned"));
    const ratio = (2 * together) / (alone[0] + alone[1]);
    console.log(`one run: ${alone.map((s) => s.toFixed(2)).join(" and ")} s; two runs side by side: ${together.toFixed(2)} s`);
    console.log(`two runs take ${ratio.toFixed(3)} times as long as one (at most ${bound} wanted)`);
    process.exitCode = ratio <= bound ? 0 : 1;
  });
});
