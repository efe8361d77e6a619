// Debian's package manager: installing what is missing, and unpacking packages of a newer Debian
// privately, without touching the system.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, run, toolchain, which } from "./shell.mjs";
import { say, Stop } from "./say.mjs";

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const newerSuite = "trixie";

export const hasApt = process.platform === "linux" && which("apt-get") !== undefined;

const isRoot = hasApt && process.getuid() === 0;
const canBeRoot = isRoot || (hasApt && which("sudo") !== undefined);

/** Runs apt-get as root: directly, or through sudo. */
async function asRoot(args, wanted) {
  if (!canBeRoot) {
    throw new Stop(
      `${wanted} must be installed, but this user is not root and there is no sudo.`,
      `run \`apt-get update && apt-get install ${wanted.split(", ").join(" ")}\` as root, then the same command again.`,
    );
  }
  const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
  if (!isRoot) command.unshift("sudo");
  return run(command[0], command.slice(1), {
    cause: `apt-get could not install ${wanted}.`,
    help: `run \`apt-get ${args.join(" ")}\` as root, mend what it names, then the same command again.`,
  });
}

let updated = false;

/** Fetches the package lists once; a user who may not has those that are there. */
async function update(wanted) {
  if (updated || !canBeRoot) return;
  updated = true;
  await asRoot(["update"], wanted);
}

/** Installs system packages with apt. */
export async function install(packages) {
  const wanted = packages.join(", ");
  say(`Installing ${wanted} with apt.`);
  await update(wanted);
  await asRoot(["install", "-y", "--no-install-recommends", ...packages], wanted);
}

/** The version that apt would install, or undefined. */
export async function candidate(name) {
  if (!hasApt) return undefined;
  await update(name);
  const policy = capture("apt-cache", ["policy", name], { env: { LC_ALL: "C" } });
  const version = policy?.match(/Candidate: (?:\d+:)?(\S+)/)?.[1];
  return version === "(none)" ? undefined : version;
}

/** The Debian mirror that this machine already uses, read from its own apt sources. */
function mirror() {
  const format = "$(ORIGIN) $(REPO_URI) $(CODENAME)";
  const targets = capture("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]);
  for (const line of targets?.split("\n") ?? []) {
    const [origin, uri, codename = ""] = line.split(" ");
    if (origin === "Debian" && !codename.includes("-")) return uri;
  }
  return undefined;
}

/** True where packages of the newer Debian can be fetched: on Debian itself. */
export async function canUnpackNewer() {
  if (!hasApt || !existsSync(keyring)) return false;
  await update("package lists");
  return mirror() !== undefined;
}

let privateArgs;

/** apt options for a state of its own inside `.toolchain`: its lists, its cache, one source. */
async function privateApt() {
  if (privateArgs) return privateArgs;
  const state = join(toolchain, "apt");
  process.on("exit", () => rmSync(state, { recursive: true, force: true }));
  for (const folder of ["lists/partial", "cache/archives/partial"]) {
    mkdirSync(join(state, folder), { recursive: true });
  }
  const line = `[signed-by=${keyring}] ${mirror()} ${newerSuite} main\n`;
  writeFileSync(join(state, "sources.list"), `deb ${line}deb-src ${line}`);
  const settings = {
    "Dir::Etc::sourcelist": join(state, "sources.list"),
    "Dir::Etc::sourceparts": "/nonexistent",
    "Dir::State::lists": join(state, "lists"),
    "Dir::Cache": join(state, "cache"),
    "APT::Sandbox::User": capture("id", ["-un"]),
  };
  const args = Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  await run("apt-get", [...args, "update"], {
    cause: `the package lists of Debian ${newerSuite} could not be fetched.`,
    help: "check the network and `apt-get update`, then run the same command again.",
  });
  privateArgs = args;
  return args;
}

/** Downloads with `apt-get download` (or `source --download-only`) into a fresh folder. */
async function download(verb, packages) {
  const folder = join(toolchain, "downloads");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const args = [...(await privateApt()), ...verb, ...packages];
  await run("apt-get", args, {
    cwd: folder,
    cause: `${packages.join(", ")} could not be downloaded from Debian ${newerSuite}.`,
    help: "check the network and the free disk space, then run the same command again.",
  });
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Unpacks binary packages of the newer Debian under `target`. `exclude` are tar patterns. */
export async function unpackPackages(packages, target, exclude = []) {
  mkdirSync(target, { recursive: true });
  for (const deb of await download(["download"], packages)) {
    const skip = exclude.map((pattern) => `--exclude='${pattern}'`).join(" ");
    const pipe = `dpkg-deb --fsys-tarfile '${deb}' | tar x -C '${target}' ${skip}`;
    await run("bash", ["-o", "pipefail", "-c", pipe], {
      cause: `${deb} could not be unpacked.`,
      help: "make sure that 1 GB of disk space is free, then run the same command again.",
    });
  }
  rmSync(join(toolchain, "downloads"), { recursive: true, force: true });
}

/** Unpacks the upstream source of a package of the newer Debian as the folder `target`. */
export async function unpackSource(name, target) {
  const files = await download(["source", "--download-only"], [name]);
  const tarball = files.find((file) => file.includes(".orig.tar"));
  mkdirSync(target, { recursive: true });
  await run("tar", ["xf", tarball, "-C", target, "--strip-components=1"]);
  rmSync(join(toolchain, "downloads"), { recursive: true, force: true });
}
