// Running other programs and looking for them, with Node's built-ins alone.
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Stop } from "./say.mjs";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");
export const toolchain = join(root, ".toolchain");
export const windows = process.platform === "win32";

/** Whether the module at this address is what Node was started with, by whatever link. */
export function isProgram(address) {
  return Boolean(process.argv[1]) && fileURLToPath(address) === realpathSync(process.argv[1]);
}

/** The full path of a program on PATH (or in `folders`), or undefined. */
export function which(name, folders = (process.env.PATH ?? "").split(delimiter)) {
  const endings = windows ? [".exe", ".bat", ".cmd"] : [""];
  for (const folder of folders.filter(Boolean)) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      try {
        accessSync(path, constants.X_OK);
        if (statSync(path).isFile()) return path;
      } catch {
        // not here: look in the next folder
      }
    }
  }
  return undefined;
}

function options(command, extra) {
  // Windows starts batch files through a shell alone.
  const shell = /\.(bat|cmd)$/i.test(command);
  return { cwd: root, shell, ...extra, env: { ...process.env, ...extra.env } };
}

/** The output of a program, or undefined when it cannot be started or fails. */
export function capture(command, args, extra = {}) {
  const result = spawnSync(command, args, { ...options(command, extra), encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Starts a program; resolves to its exit code and, unless `live`, to all that it printed. */
export function start(command, args, { live = false, ...extra } = {}) {
  return new Promise((done) => {
    const stdio = live ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { ...options(command, extra), stdio });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => done({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code, signal) => done({ code: code ?? 128, output, signal }));
  });
}

/** Runs a program quietly. When it fails, shows what it printed and stops with `cause`. */
export async function run(command, args, { cause, help, ...extra } = {}) {
  const { code, output } = await start(command, args, extra);
  if (code === 0) return output;
  if (output) console.error(output.trimEnd());
  const line = [command, ...args].join(" ");
  throw new Stop(
    cause ?? `\`${line}\` failed with exit code ${code}.`,
    help ?? "read the output above, mend what it names and run the same command again.",
  );
}

/** Compares dotted versions: is `version` at least `least`? */
export function atLeast(version, least) {
  const parts = (text) => (text.match(/\d+(\.\d+)*/)?.[0] ?? "0").split(".").map(Number);
  const [a, b] = [parts(version), parts(least)];
  for (let i = 0; i < b.length; i += 1) {
    if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) > b[i];
  }
  return true;
}
