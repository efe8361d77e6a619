// A worker that computes shards of the page's training steps.
import createPoslab from "/module/poslab.mjs";

const loading = createPoslab();
let helper;

onmessage = async ({ data: { config, weights, inputs, targets, first, count } }) => {
  const core = await loading;
  if (config) {
    helper?.delete();
    helper = new core.ShardHelper(config);
    postMessage("ready");
    return;
  }
  const shards = helper.gradient(weights, inputs, targets, first, count);
  postMessage(shards, [shards.gradient.buffer, shards.losses.buffer]);
};
