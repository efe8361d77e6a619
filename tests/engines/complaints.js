// Runs before the page's own script: collects everything that a clean page does not say, and remembers its training
// workers, so that page.js can ask one of them for what the page does not show.
globalThis.complaints = [];
globalThis.trainings = [];

for (const name of ["error", "warn"]) {
  const say = console[name];
  console[name] = (...words) => {
    globalThis.complaints.push(words.join(" "));
    say(...words);
  };
}
// Capturing, because a script or a style sheet that could not be loaded tells nobody above it.
addEventListener("error", (event) => globalThis.complaints.push(event.message || `${event.target.src} failed`), true);
addEventListener("unhandledrejection", ({ reason }) => globalThis.complaints.push(String(reason)));

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.type === "create") globalThis.trainings.push({ worker: this, message });
  return postMessage.call(this, message, ...rest);
};
