// `npm run lint`: form and types of all sources, and the shape of the house.
import { main, say, Stop } from "./say.mjs";
import { isProgram, start } from "./shell.mjs";
import { breaches } from "./architecture.mjs";
import { buildTypes, packageProgram } from "./steps.mjs";
import { ensurePrograms } from "./programs.mjs";
import { cppSources } from "./sources.mjs";

const node = (name, program, ...args) => start(process.execPath, [packageProgram(name, program), ...args]);

const checks = {
  "clang-format": () => start("clang-format", ["--dry-run", "--Werror", ...cppSources()]),
  eslint: () => node("eslint", "eslint", "--max-warnings", "0", "."),
  tsc: () => node("typescript", "tsc", "--noEmit"),
  architecture: () => {
    const found = breaches();
    return { code: found.length > 0 ? 1 : 0, output: found.join("\n") };
  },
};

/** Runs every check and shows what they find. Resolves to {passed, failed}. */
export async function lint() {
  await ensurePrograms("clang-format");
  await buildTypes();
  const result = { passed: 0, failed: 0, skipped: 0, output: "" };
  for (const [name, check] of Object.entries(checks)) {
    const { code, output } = await check();
    if (code === 0) result.passed += 1;
    else {
      result.failed += 1;
      result.output += `${name}:\n${output.trimEnd()}\n`;
    }
  }
  return result;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const { failed, output } = await lint();
    if (failed === 0) return say(`${Object.keys(checks).join(", ")}: nothing found.`);
    console.error(output);
    throw new Stop(`${failed} of the checks found something.`, "run `npm run format`, mend the rest, and run `npm run lint` again.");
  });
}
