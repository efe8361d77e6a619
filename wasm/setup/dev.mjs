// `npm run dev`: the page with live reload. It rebuilds the WebAssembly module once, at the start.
import { start } from "./shell.mjs";
import { main } from "./say.mjs";
import { buildWasm, packageProgram, setUpWeb } from "./steps.mjs";

await main(async () => {
  await buildWasm(await setUpWeb());
  const { code } = await start(process.execPath, [packageProgram("vite"), ...process.argv.slice(2)], { live: true });
  process.exitCode = code;
});
