// Trains in an embedded race whose address asks for turbo, then trains every scheme in both modules if the browser has
// relaxed SIMD; and reports what came of it and what the race says.
import { relaxedSimd } from "/detect/index.js";
import { turboAgainstReproducible } from "/web/turbo_losses.mjs";
import { report } from "./report.js";
import { race } from "./student.js";

report(async () => {
  const { panel, schemes, trained } = await race();
  const supported = await relaxedSimd();
  return {
    supported,
    schemes,
    trained,
    text: panel.shadowRoot.textContent.replace(/\s+/g, " "),
    ticked: panel.shadowRoot.querySelector('input[name="turbo"]')?.checked,
    trainings: supported ? await turboAgainstReproducible(`${location.origin}/module/`, schemes) : undefined,
    complaints: globalThis.complaints,
  };
});
