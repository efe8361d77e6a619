// The programs that a command needs: found on PATH, installed with apt, or named in an advice.
import { which } from "./shell.mjs";
import * as apt from "./apt.mjs";
import { Stop } from "./say.mjs";

// command → the package that brings it with apt, Homebrew and winget
const packages = {
  cmake: ["cmake", "brew install cmake", "winget install Kitware.CMake"],
  ninja: ["ninja-build", "brew install ninja", "winget install Ninja-build.Ninja"],
  "c++": ["g++", "xcode-select --install", "wsl --install, and work inside it: the native tests need g++ or clang"],
  "clang-format": ["clang-format", "brew install clang-format", "winget install LLVM.LLVM"],
};

/** Makes sure that each of `commands` can be run. */
export async function ensurePrograms(...commands) {
  const missing = commands.filter((command) => !which(command));
  if (missing.length === 0) return;
  if (apt.hasApt) return apt.install(missing.map((command) => packages[command][0]));
  const column = process.platform === "win32" ? 2 : 1;
  const advice = missing.map((command) => packages[command][column]);
  const known = ["win32", "darwin"].includes(process.platform);
  throw new Stop(
    `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not installed.`,
    `${known ? `\`${advice.join("; ")}\`` : "install it with your system's package manager"}, then run the same command again.`,
  );
}

const chromiumNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a Chromium for the browser tests; it may be named in $POSLAB_CHROMIUM. */
export async function ensureChromium() {
  const find = () => process.env.POSLAB_CHROMIUM ?? chromiumNames.map((name) => which(name)).find(Boolean);
  if (find()) return find();
  // Ubuntu's chromium package is only a pointer to a snap, so apt is asked for Debian's alone.
  const version = await apt.candidate("chromium");
  if (version && !version.includes("snap")) await apt.install(["chromium"]);
  if (find()) return find();
  throw new Stop(
    "the browser tests need Chromium and none was found.",
    "install Chromium or Chrome, or set POSLAB_CHROMIUM to its path, then run the same command again.",
  );
}
