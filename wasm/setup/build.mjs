// `npm run build`: the static site in dist/ and the importable package in lib/.
import { main, say } from "./say.mjs";
import { buildLibrary, buildSite, buildWasm, setUpWeb } from "./steps.mjs";

await main(async () => {
  await buildWasm(await setUpWeb());
  await buildSite();
  await buildLibrary();
  say("dist/ holds the site for any static host, lib/ the package for import.");
});
