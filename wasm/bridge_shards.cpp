// The part of the Embind table for helpers: workers that compute shards of another worker's
// training step.
#include <algorithm>
#include <memory>
#include <vector>

#include "config.h"
#include "convert.h"
#include "error.h"
#include "gpt.h"
#include "shards.h"

namespace poslab {
namespace {

class ShardHelper {
 public:
  // config: of the run that is helped, vocab_size known.
  explicit ShardHelper(const GptConfig& config)
      : model_(within_memory([&] { return std::make_unique<Gpt>(config); })),
        gradient_(model_->parameters().total()) {}

  // Computes shards [first, first + count) of a batch whose ids are as Session::hand_out gives
  // them. `numbers` holds the weights and gets the gradient, so that one buffer can travel to and
  // fro. Returns the shards' parts of the batch's loss.
  NumberList compute(const Float32Array& numbers, const Int32Array& ids, double first_shard,
                     double n_shards) {
    return within_memory([&] {
      const int first = as_int("first", first_shard), count = as_int("count", n_shards);
      Floats& weights = model_->change_weights();
      require_length("numbers", "Float32Array", numbers, weights.size());
      read_from(numbers, weights.data(), weights.size());
      read_batch(ids);
      gradient_.clear();
      gradient_.compute(*model_, batch_, first, count);
      write_to(numbers, gradient_.gradient(first).data(), weights.size());
      return list_of<NumberList>(gradient_.losses(first, count));
    });
  }

 private:
  void read_batch(const Int32Array& ids) {
    require_array("ids", "Int32Array", ids);
    const int given = ids["length"].as<int>(), T = model_->config().block_size;
    require(given > 0 && given % (2 * T) == 0,
            "ids has " + text_of(given) +
                " numbers; it must have inputs and targets of windows of " + text_of(T) +
                " tokens.");
    batch_.B = given / (2 * T), batch_.T = T;
    const std::size_t n = static_cast<std::size_t>(batch_.B) * T;
    batch_.inputs.resize(n), batch_.targets.resize(n);
    read_from(ids.call<val>("subarray", 0, n), batch_.inputs.data(), n);
    read_from(ids.call<val>("subarray", n), batch_.targets.data(), n);
    for (const std::vector<int>* half : {&batch_.inputs, &batch_.targets}) {
      const auto [least, most] = std::minmax_element(half->begin(), half->end());
      for (const int id : {*least, *most})
        require_between("token id", id, 0, model_->config().vocab_size - 1);
    }
  }

  std::unique_ptr<Gpt> model_;
  Batch batch_;
  ShardedGradient gradient_;
};

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab_shards) {
  using namespace emscripten;
  class_<ShardHelper>("ShardHelper")
      .constructor<const GptConfig&>()
      .function("compute(numbers, ids, first, count)", &ShardHelper::compute);
}
