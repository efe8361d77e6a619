// Giving way: a task that ends so that messages and input get in, without the clamping that setTimeout suffers in nested
// or hidden use. MessageChannel is in browsers, workers and Node alike.

let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

/** Resolves in a new task, behind the messages that already wait. */
export function nextTask(): Promise<void> {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => {
      waiting.shift()?.();
      // An open port keeps a Node process alive; close it when nobody waits.
      if (waiting.length === 0) {
        channel?.port1.close();
        channel = undefined;
      }
    };
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel?.port2.postMessage(0);
  });
}
