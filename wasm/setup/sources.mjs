// Which files are the project's own sources.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./shell.mjs";

/** The paths, relative to the root, of all files below `folders` whose name matches `pattern`. */
export function sources(folders, pattern) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name).replaceAll("\\", "/")),
    )
    .sort();
}

export const cppSources = () => sources(["core", "wasm", "tests/core", "tests/bench"], /\.(cpp|h)$/);

export const textOf = (path) => readFileSync(join(root, path), "utf8");
