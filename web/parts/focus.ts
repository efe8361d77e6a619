// The first and the last place inside a root that the Tab key stops at, through the shadow roots of its elements.

const stops = [
  "a[href]",
  ":is(button, input, select, textarea):enabled",
  "summary",
  "[tabindex]",
  "[contenteditable=true]",
].join(",");

export const firstControl = (root: ParentNode): HTMLElement | undefined => controlsOf(root)[0];
export const lastControl = (root: ParentNode): HTMLElement | undefined => controlsOf(root).at(-1);

function controlsOf(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("*")].flatMap((element) => {
    const own = element.matches(stops) && element.tabIndex >= 0 && element.checkVisibility() ? [element] : [];
    return element.shadowRoot ? [...own, ...controlsOf(element.shadowRoot)] : own;
  });
}
