// Does in the built page what a student does: trains two models, then reads on to the page's end; and reports what the
// models and the panels came to.
import { report } from "./report.js";
import { race, readOn } from "./student.js";

report(async () => {
  const { schemes, trained, samples } = await race();
  const panels = [];
  for (const panel of document.querySelectorAll("*")) {
    if (panel.localName.startsWith("poslab-")) panels.push(await readOn(panel));
  }
  return { schemes, trained, samples, panels, complaints: globalThis.complaints };
});
