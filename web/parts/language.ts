// uPlot asks Intl for the browser's language while it loads. WebKitGTK under the locale "C" calls that language "C", which
// Intl refuses with an error that would end this whole script; so a language that cannot be used is taken for English.

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}
