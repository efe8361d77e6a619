// `npm run format`: puts the C++ sources into the project's form and mends what eslint can.
import { main, say } from "./say.mjs";
import { run } from "./shell.mjs";
import { ensurePackages, packageProgram } from "./steps.mjs";
import { ensurePrograms } from "./programs.mjs";
import { cppSources } from "./sources.mjs";

await main(async () => {
  await ensurePackages();
  await ensurePrograms("clang-format");
  await run("clang-format", ["-i", ...cppSources()]);
  await run(process.execPath, [packageProgram("eslint"), "--fix", "--max-warnings", "0", "."], {
    cause: "eslint found what it cannot mend by itself.",
  });
  say("The sources are formatted.");
});
