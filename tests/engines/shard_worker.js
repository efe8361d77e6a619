// A worker that computes shards of the page's training steps.
import createPoslab from "/module/poslab.mjs";

const loading = createPoslab();
let helper;

onmessage = async ({ data: { config, numbers, ids, first, count } }) => {
  const core = await loading;
  if (config) {
    helper?.delete();
    helper = new core.ShardHelper(config);
    postMessage("ready");
    return;
  }
  const losses = helper.compute(numbers, ids, first, count);
  postMessage({ numbers, losses }, [numbers.buffer]);
};
