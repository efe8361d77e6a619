// `npm start`: brings what is missing, builds what has changed, serves the page, prints its address.
import { join } from "node:path";
import { root } from "./shell.mjs";
import { main, say } from "./say.mjs";
import { serve } from "./serve.mjs";
import { buildSite, buildWasm, setUpWeb } from "./steps.mjs";

await main(async () => {
  await buildWasm(await setUpWeb());
  await buildSite();
  const { address } = await serve(join(root, "dist"), Number(process.env.PORT ?? 8080));
  say(`\nPosition Lab is at ${address} (Ctrl+C ends it).`);
});
