// How much faster one run trains in the page when several workers share its steps, on the built page in Chromium.
//
//   node tests/bench/workers.mjs           nano, lab and tiny with 1 and 2 workers, and 4 where there are as many cores
//   node tests/bench/workers.mjs nano      only the sizes that are named
//   node tests/bench/workers.mjs --json    the figures as one JSON object instead of the table
//
// The numbers of workers take turns, and the fastest round of each counts: what else the machine does slows down several
// workers more than one, since each step waits for the last of them. Validation and samples stay out, painting is part of
// it. Close what else is running.
/* global Worker */
import { availableParallelism, loadavg } from "node:os";
import { main, wordsGiven } from "../../wasm/setup/say.mjs";
import { onBuiltPage } from "./built_page.mjs";

const rounds = 5;
/** Steps of a round. All lie before the first validation, which comes after a twentieth of the training. */
const steps = { nano: 50, lab: 150, tiny: 300 };
const warmUp = 20;
const counts = [1, 2, 4].filter((count) => count <= Math.max(2, availableParallelism()));

/** Milliseconds a step takes, from the progress that the run's worker reports. */
async function msPerStep(browser, address, size, workers) {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const reports = [];
    globalThis.reports = reports;
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data }) => {
          if (data.type === "progress") reports.push({ at: performance.now(), step: data.step, workers: data.workers });
        });
      }
    };
  });
  await page.goto(`${address}embed.html?panel=race&schemes=learned&steps=20000&size=${size}&workers=${workers}`);
  await page.locator("poslab-race").getByRole("button", { name: "Train", exact: true }).click();
  const measured = await page.waitForFunction(
    ({ workers, warmUp, steps }) => {
      // Helpers join some steps after the start.
      const joined = globalThis.reports.find((report) => report.workers === workers);
      const first = joined && globalThis.reports.find(({ step }) => step >= joined.step + warmUp);
      const last = first && globalThis.reports.find(({ step }) => step >= first.step + steps);
      return last && (last.at - first.at) / (last.step - first.step);
    },
    { workers, warmUp, steps: steps[size] },
    { polling: 100, timeout: 0 },
  );
  const ms = await measured.jsonValue();
  await page.close();
  return ms;
}

async function measure(browser, address, sizes) {
  const results = {};
  for (const size of sizes) {
    const times = counts.map(() => []);
    for (let round = 0; round < rounds; ++round) {
      for (const [i, count] of counts.entries()) times[i].push(await msPerStep(browser, address, size, count));
    }
    for (const [i, count] of counts.entries()) {
      const ms = Math.min(...times[i]);
      results[count] = { ...results[count], [size]: { ms_per_step: ms, times_as_fast: Math.min(...times[0]) / ms } };
    }
  }
  return results;
}

function show(results, sizes) {
  console.log(`${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`);
  console.log(`| size | ${counts.map((count) => `${count} worker${count > 1 ? "s" : ""}, ms/step | times as fast`).join(" | ")} |`);
  console.log(`|${" --- |".repeat(1 + 2 * counts.length)}`);
  for (const size of sizes) {
    const cells = counts.map((count) => {
      const { ms_per_step, times_as_fast } = results[count][size];
      return `${ms_per_step.toFixed(2)} | ${times_as_fast.toFixed(2)}`;
    });
    console.log(`| ${size} | ${cells.join(" | ")} |`);
  }
}

await main(async () => {
  const words = wordsGiven([...Object.keys(steps), "--json"]);
  const named = Object.keys(steps).filter((size) => words.includes(size));
  const sizes = named.length > 0 ? named : Object.keys(steps);
  const results = await onBuiltPage((browser, address) => measure(browser, address, sizes));
  if (words.includes("--json")) console.log(JSON.stringify(results, undefined, 2));
  else show(results, sizes);
});
