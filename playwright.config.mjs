// The built page in a real Chromium: tests/web/**/*.spec.ts, one at a time, since they measure time.
import { defineConfig } from "@playwright/test";
import { ensureChromium } from "./wasm/setup/programs.mjs";
import { serve } from "./wasm/setup/serve.mjs";

// This file is read again in every worker process, which inherits the address.
process.env.POSLAB_ADDRESS ??= (await serve("dist", 0)).address;

// Without a sandbox, because continuous integration runs as root; and no talk of its own with the network.
const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

export default defineConfig({
  testDir: "tests/web",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  workers: 1,
  timeout: 120_000,
  use: {
    baseURL: process.env.POSLAB_ADDRESS,
    screenshot: "only-on-failure",
    launchOptions: { executablePath: await ensureChromium(), args: args.split(" ") },
  },
});
