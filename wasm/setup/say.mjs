// How every script here speaks: plain sentences, and one cause with one command when it cannot go on.

/** Thrown where a script cannot continue. `cause` is one sentence, `command` is what helps. */
export class Stop extends Error {
  constructor(cause, command) {
    super(cause);
    this.name = "Stop";
    this.command = command;
  }
}

let write = console.log;

export function say(sentence) {
  write(sentence);
}

/** From now on sentences go to standard error: standard output is for a program that reads it. */
export function sayBesideOutput() {
  write = console.error;
}

export function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

/** The words after the script's name, each of which has to be one of those `known`. */
export function wordsGiven(known) {
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Stop(`There is no “${unknown}”.`, `use any of ${known.join(", ")}, or none.`);
  return words;
}

/** Runs a script's main function and turns a Stop into its two sentences and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`\nCannot go on: ${error.message}`);
    console.error(`What helps:   ${error.command}`);
    process.exitCode = 1;
  }
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`\nCannot go on: Node ${process.versions.node} is older than 20.19, the oldest that works.`);
  console.error("What helps:   install a current Node from https://nodejs.org and run the command again.");
  process.exit(1);
}
