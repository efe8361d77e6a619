// Waiting for the browser to paint: work that waits here runs once a frame and not at all in a hidden tab.

export function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
