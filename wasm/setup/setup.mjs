// Sets up what is missing: `npm run setup` for the web toolchain, `npm run setup -- all` for
// the native compiler, the tests' libraries, the formatter and a browser as well.
import { main, say, seconds } from "./say.mjs";
import { setUpNative, setUpWeb } from "./steps.mjs";
import { ensureChromium, ensurePrograms } from "./programs.mjs";

await main(async () => {
  const began = performance.now();
  const emscripten = await setUpWeb();
  if (process.argv.includes("all")) {
    await setUpNative();
    await ensurePrograms("clang-format");
    await ensureChromium();
  }
  say(`All is there: Emscripten ${emscripten.version} in ${emscripten.root} (${seconds(began)}).`);
});
