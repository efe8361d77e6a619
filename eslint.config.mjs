import js from "@eslint/js";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: [".toolchain/", "build/", "dist/", "lib/", "test-results/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  { files: ["**/*.mjs", "**/*.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/engines/*.js"], languageOptions: { globals: globals.browser } },
  { rules: { eqeqeq: "error", "no-console": "off" } },
);
