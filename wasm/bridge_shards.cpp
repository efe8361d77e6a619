// The part of the Embind table for helpers: workers that compute shards of another worker's
// training step.
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config.h"
#include "error.h"
#include "gpt.h"
#include "shard_values.h"
#include "shards.h"

namespace poslab {
namespace {

class ShardHelper {
 public:
  // config: of the run that is helped, vocab_size known.
  explicit ShardHelper(const GptConfig& config)
      : model_(within_memory([&] { return std::make_unique<Gpt>(config); })),
        gradient_(model_->parameters().total()) {}

  // The gradient of shards [first, first + count) of a batch at these weights.
  ShardsOut gradient(const val& weights, const val& inputs, const val& targets, int first,
                     int count) {
    return within_memory([&] {
      std::vector<float> given = emscripten::convertJSArrayToNumberVector<float>(weights);
      require(given.size() == model_->weights().size(),
              "weights has " + text_of(static_cast<double>(given.size())) +
                  " numbers; this model has " +
                  text_of(static_cast<double>(model_->weights().size())) + ".");
      model_->weights() = std::move(given);
      batch_.inputs = emscripten::convertJSArrayToNumberVector<int>(inputs);
      batch_.targets = emscripten::convertJSArrayToNumberVector<int>(targets);
      batch_.T = model_->config().block_size;
      batch_.B = static_cast<int>(batch_.inputs.size()) / batch_.T;
      require(batch_.B * batch_.T == static_cast<int>(batch_.inputs.size()) &&
                  batch_.inputs.size() == batch_.targets.size(),
              "A batch of " + text_of(static_cast<double>(batch_.inputs.size())) + " inputs and " +
                  text_of(static_cast<double>(batch_.targets.size())) +
                  " targets came; both must be windows of " + text_of(batch_.T) + " tokens.");
      for (const std::vector<int>* ids : {&batch_.inputs, &batch_.targets}) {
        for (const int id : *ids)
          require_between("token id", id, 0, model_->config().vocab_size - 1);
      }
      gradient_.clear();
      gradient_.compute(*model_, batch_, first, count);
      const std::vector<float>& sum = gradient_.gradient(first);
      const std::span<const double> losses = gradient_.losses(first, count);
      return ShardsOut{copy_of<Float32Array>(sum.data(), sum.size()),
                       copy_of<Float64Array>(losses.data(), losses.size())};
    });
  }

 private:
  std::unique_ptr<Gpt> model_;
  Batch batch_;
  ShardedGradient gradient_;
};

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab_shards) {
  using namespace emscripten;
  value_object<BatchOut>("Batch")
      .field("inputs", &BatchOut::inputs)
      .field("targets", &BatchOut::targets);
  value_object<ShardsOut>("Shards")
      .field("gradient", &ShardsOut::gradient)
      .field("losses", &ShardsOut::losses);
  constant("SHARDS", kShards);

  class_<ShardHelper>("ShardHelper")
      .constructor<const GptConfig&>()
      .function("gradient(weights, inputs, targets, first, count)", &ShardHelper::gradient);
}
