// The programs that a command needs: found on PATH, installed with apt, or named in an advice.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
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

// The browsers that tests open: where to look for them, which of Debian's packages brings them, and what to say without.
const browsers = {
  chromium: {
    title: "Chromium",
    variable: "POSLAB_CHROMIUM",
    find: () => ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map((name) => which(name)).find(Boolean),
    packages: ["chromium"],
    advice: "install Chromium or Chrome, or set POSLAB_CHROMIUM to its path",
  },
  firefox: {
    title: "Firefox",
    variable: "POSLAB_FIREFOX",
    // Ubuntu's own is a snap, which cannot read a profile in the folder of temporary files.
    find: () => which("firefox-esr") ?? (existsSync("/snap/bin/firefox") ? undefined : which("firefox")),
    packages: ["firefox-esr"],
    advice: "install Firefox, or set POSLAB_FIREFOX to its path",
  },
  webkit: {
    title: "WebKitGTK",
    variable: "POSLAB_WEBKIT",
    find: () => (which("xvfb-run") && which("xauth") ? miniBrowser() : undefined),
    packages: ["libwebkit2gtk-4.1-0", "xvfb", "xauth"],
    advice: "on Linux, install WebKitGTK's MiniBrowser with xvfb and xauth, or set POSLAB_WEBKIT to the MiniBrowser's path",
  },
};

/** WebKitGTK's own small browser lies beside the library, in a folder named after its version. */
function miniBrowser() {
  const ofVersions = (folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^webkit2?gtk-/.test(name)).map((name) => join(folder, name)) : [];
  const multiarch = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  const folders = [`/usr/lib/${multiarch}`, "/usr/lib64", "/usr/lib", "/usr/libexec"].flatMap(ofVersions);
  return which("MiniBrowser", folders);
}

/** The path of a browser, after installing it if need and apt be; undefined where it cannot be had. */
async function findBrowser({ variable, find, packages }) {
  const found = () => process.env[variable] ?? find();
  if (found()) return found();
  for (const name of packages) {
    const version = await apt.candidate(name);
    // Ubuntu's packages of some browsers are only pointers to snaps.
    if (!version || version.includes("snap")) return undefined;
  }
  await apt.install(packages);
  return found();
}

/** The path of a Chromium for the browser tests. */
export async function ensureChromium() {
  const program = await findBrowser(browsers.chromium);
  if (program) return program;
  throw new Stop("the browser tests need Chromium and none was found.", `${browsers.chromium.advice}, then run the same command again.`);
}

/** The three browser engines by name: the path of each one's browser and, where there is none, what to do about it. In
 * continuous integration none may be missing. */
export async function findEngines() {
  const engines = {};
  for (const [name, browser] of Object.entries(browsers)) {
    const program = await findBrowser(browser);
    if (!program && process.env.CI) {
      throw new Stop(`${browser.title} was not found; continuous integration skips no engine.`, `${browser.advice}.`);
    }
    const missing = program ? undefined : `${browser.title} was not found, so nothing is tested in it: ${browser.advice}.`;
    engines[name] = { program, variable: browser.variable, missing };
  }
  return engines;
}
