// Sources of the two C++ libraries. On Debian they come as packages of its newer release, which
// needs no git host; elsewhere nothing is done here and CMake fetches the pinned tags with git.
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toolchain, which } from "./shell.mjs";
import * as apt from "./apt.mjs";
import { say, Stop } from "./say.mjs";

async function bring(name, folder, mark, unpack) {
  const target = join(toolchain, folder);
  if (existsSync(join(target, mark))) return;
  if (await apt.canUnpackNewer()) {
    say(`Unpacking ${name} into .toolchain.`);
    const draft = `${target}.draft`;
    rmSync(draft, { recursive: true, force: true });
    await unpack(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } else if (!which("git")) {
    throw new Stop(`CMake needs git to fetch ${name}, and git is not installed.`, "install git, then run the same command again.");
  }
}

export async function ensureXtensor() {
  await bring("xtensor 0.25", "xtensor", "usr/include/xtensor/xadapt.hpp", (draft) =>
    apt.unpackPackages(["libxtensor-dev", "xtl-dev"], draft),
  );
}

export async function ensureCatch2() {
  await bring("Catch2 3.7", "catch2", "src/catch2/catch_all.hpp", (draft) =>
    apt.unpackSource("catch2", draft),
  );
}
