// Opens a page in one of three browser engines and waits for the report that the page sends back. The page drives itself,
// so the browsers need no driver: each is its own program with an empty profile and one address.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patienceMs = 180_000;

/** The command that opens an address with everything it keeps below `profile`. */
const commands = {
  // Without a sandbox, because continuous integration runs as root.
  chromium: (program, profile) => [
    program,
    ..."--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync".split(" "),
    `--user-data-dir=${profile}`,
  ],
  firefox: (program, profile, preferences = "") => {
    writeFileSync(join(profile, "user.js"), `user_pref("datareporting.policy.dataSubmissionEnabled", false);\n${preferences}`);
    return [program, "--headless", "--no-remote", "--profile", profile];
  },
  // WebKitGTK has no headless mode: it gets a screen that nobody sees.
  webkit: (program) => ["xvfb-run", "--auto-servernum", program, "--private"],
};

// WebKitGTK 2.50 is caught computing other bits about once in two hundred loads of the module, always early and in no
// scheme of its own; once in five hundred when it may not replace the code of a loop that is running. That is its fault,
// not ours, and would make this suite fail now and then.
const variables = { webkit: { JSC_useWasmOSR: "0" } };

/** Engines that fail by chance: what fails in them is tried once more. */
export const sometimesWrong = new Set(["webkit"]);

/** What switches relaxed SIMD on in engines that have it but may come with it off. */
export const relaxedSimd = {
  firefox: { preferences: 'user_pref("javascript.options.wasm_relaxed_simd", true);\n' },
  webkit: { variables: { JSC_useWasmRelaxedSIMD: "1" } },
};

/** Runs an engine's browser, as it comes or with more `switches`, on an address until `report` is there, which is what
 * this resolves to. */
export async function visit(engine, program, address, report, switches = {}) {
  const profile = mkdtempSync(join(tmpdir(), `poslab-${engine}-`));
  const [command, ...args] = [...commands[engine](program, profile, switches.preferences), address];
  const env = { ...process.env, HOME: profile, ...variables[engine], ...switches.variables };
  // A group of its own, so that the processes a browser starts end with it.
  const browser = spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "pipe"], env });
  let words = "";
  for (const stream of [browser.stdout, browser.stderr]) stream.on("data", (chunk) => (words += chunk));
  let timer;
  const failed = new Promise((_, reject) => {
    const fail = (cause) => reject(new Error(`${cause} It printed:\n${words.slice(-4000)}`));
    timer = setTimeout(() => fail(`${engine} has sent no report within ${patienceMs / 1000} s.`), patienceMs);
    browser.once("error", (error) => fail(`${engine} could not be started: ${error.message}.`));
    browser.once("exit", (code) => fail(`${engine} ended with exit code ${code} before it sent a report.`));
  });
  const gone = new Promise((done) => browser.once("close", done));
  try {
    return await Promise.race([report, failed]);
  } finally {
    clearTimeout(timer);
    if (browser.pid !== undefined && browser.exitCode === null) {
      process.kill(-browser.pid, "SIGTERM");
      const killing = setTimeout(() => process.kill(-browser.pid, "SIGKILL"), 5000);
      await gone;
      clearTimeout(killing);
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
