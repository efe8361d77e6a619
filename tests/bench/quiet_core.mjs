// The core to measure on: on a shared machine another system may keep one core busy for minutes, and this one not.
import { join } from "node:path";
import { capture, root, which } from "../../wasm/setup/shell.mjs";

// Looking at each takes half a second.
const most = 8;

/** The cores that this program may run on, as `taskset` lists them (“0,2-3”), or undefined where there is none. */
function coresAllowed() {
  return which("taskset") && capture("taskset", ["-cp", `${process.pid}`])?.split(": ").at(-1);
}

const numbersOf = (list) =>
  list.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });

/** GFLOP/s that a core reaches just now: what else it does takes its share. */
function peakOn(core) {
  const output = capture("taskset", ["-c", `${core}`, join(root, "build/native/tests/poslab_bench"), "--peak"]);
  return output === undefined ? 0 : JSON.parse(output).peak_gflops;
}

/**
 * Does what `body` does, every program that it starts kept to the core that is fastest just now. On Linux, with the
 * native benchmark built; elsewhere programs run where the system puts them. `body` is given the end of a sentence on it.
 */
export async function onQuietestCore(body) {
  const allowed = coresAllowed();
  const cores = allowed === undefined ? [] : numbersOf(allowed).slice(0, most);
  if (cores.length < 2) return body("");
  const peaks = cores.map(peakOn);
  const best = Math.max(...peaks);
  const core = cores[peaks.indexOf(best)];
  // Programs inherit the cores of the thread that starts them.
  const keepTo = (list) => capture("taskset", ["-cp", list, `${process.pid}`]);
  keepTo(`${core}`);
  try {
    return await body(` on core ${core}, the fastest just now (${best} GFLOP/s, the slowest ${Math.min(...peaks)})`);
  } finally {
    keepTo(allowed);
  }
}
