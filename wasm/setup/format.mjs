// `npm run format`: puts the C++ sources into the project's form and mends what eslint can.
import { main, say } from "./say.mjs";
import { run } from "./shell.mjs";
import { buildTypes, packageProgram } from "./steps.mjs";
import { ensurePrograms } from "./programs.mjs";
import { cppSources } from "./sources.mjs";

await main(async () => {
  await ensurePrograms("clang-format");
  // Without them eslint takes every type that it does not know for any, and drops the casts from it.
  await buildTypes();
  await run("clang-format", ["-i", ...cppSources()]);
  await run(process.execPath, [packageProgram("eslint"), "--fix", "--max-warnings", "0", "."], {
    cause: "eslint found what it cannot mend by itself.",
  });
  say("The sources are formatted.");
});
