// Unit tests of the page's own code, without a browser: tests/web/**/*.test.ts.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["tests/web/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
});
