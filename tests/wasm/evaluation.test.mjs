// A split's loss measured in pieces, through the bridge: what a worker does so that it can answer meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import createPoslab from "../../build/wasm/poslab.mjs";

const text = "Round the rugged rock the ragged rascal ran; so did the rest.\n".repeat(30);

test("pieces of an evaluation come to the loss of the whole, and begin anew after a reset", async () => {
  const core = await createPoslab();
  const session = new core.Session(text, { ...core.default_config(), n_layer: 1, n_head: 2, n_embd: 8, block_size: 8 });
  const refused = () => {
    try {
      session.continue_evaluation();
    } catch (error) {
      return core.getExceptionMessage(error)[1];
    }
  };
  const sentence = "No evaluation is under way: begin_evaluation comes first.";
  assert.equal(refused(), sentence);
  session.begin_evaluation("val");
  const parts = [];
  let latest;
  do parts.push((latest = session.continue_evaluation()).part);
  while (latest.part < 1);
  assert.ok(parts.length > 3 && parts.every((part, i) => part > (parts[i - 1] ?? 0)), parts.join());
  assert.equal(latest.loss, session.evaluate("val", 0));
  session.reset();
  assert.equal(refused(), sentence);
  session.delete();
});
