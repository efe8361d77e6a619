// The one worker script. It waits for the module's bytes, then obeys messages one by one; see protocol.ts.

import { answerLab } from "./lab_worker.js";
import { asError, loadModule } from "./module.js";
import type { FromWorker, ToWorker } from "./protocol.js";
import { ShardWorker } from "./shard_worker.js";
import { Trainer } from "./train_worker.js";

// Only what is used of a worker's global scope: the DOM's types know no worker.
interface WorkerScope {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;

const post = (message: FromWorker, transfer: Transferable[] = []) => scope.postMessage(message, transfer);
const fail = (message: string) => post({ type: "failed", message, step: 0 });

// Uncaught, it ends this worker for the page, which starts another where one is needed.
const onTrap = (error: Error) =>
  setTimeout(() => {
    throw error;
  });

let trainer: Trainer | undefined;
const helper = new ShardWorker(fail);
let ready: Promise<unknown> = Promise.resolve();

function reply(id: number, work: () => unknown): void {
  try {
    post({ type: "answer", id, value: work() });
  } catch (thrown) {
    post({ type: "refused", id, message: asError(thrown).message });
  }
}

function decode(base64: string): Promise<ArrayBuffer> {
  const binary = atob(base64);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) packed[i] = binary.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function obey(message: ToWorker): Promise<void> {
  switch (message.type) {
    case "load":
      ready = decode(message.wasm).then((wasmBinary) => loadModule({ wasmBinary, onTrap }));
      await ready;
      post({ type: "loaded" });
      return;
    case "create":
      trainer = new Trainer(message.settings, post);
      post({ type: "created", created: trainer.describe() });
      trainer.begin();
      return;
    case "ping":
      post({ type: "pong" });
      return;
    case "ask":
      reply(message.id, () => {
        if (!trainer) throw new Error("This worker has no model yet.");
        return trainer.answer(message.ask);
      });
      return;
    case "ask_lab":
      reply(message.id, () => answerLab(message.ask));
      return;
    case "add_helper":
      trainer?.addHelper(message.id, message.port);
      return;
    case "remove_helper":
      trainer?.removeHelper(message.id);
      return;
    case "help":
      helper.help(message.port);
      return;
    case "leave":
      helper.leave();
      return;
    case "resume":
    case "pause":
    case "step":
    case "stop":
    case "reset":
      trainer?.[message.type]();
  }
}

// Messages are obeyed in their order, each after the module is there.
let queue: Promise<void> = Promise.resolve();
scope.onmessage = ({ data }) => {
  queue = queue
    .then(() => ready)
    .then(() => obey(data))
    .catch((thrown: unknown) => fail(asError(thrown).message));
};
