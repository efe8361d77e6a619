// One step shared by several workers: however its shards are computed and handed in, the bits are
// those of step().
#include "shards.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <utility>
#include <vector>

#include "error.h"
#include "kernels/matmul.h"
#include "probe/hash.h"
#include "trainer.h"

using namespace poslab;
using Catch::Matchers::ContainsSubstring;

namespace {

using Nodes = std::vector<std::pair<int, int>>;

Corpus small_corpus() {
  std::u32string text;
  for (int i = 0; i < 400; ++i) text += U"abcdefg "[(i * i + i / 7) % 8];
  return Corpus(text, 6);
}

GptConfig small_config() {
  GptConfig config;
  config.vocab_size = 8, config.block_size = 6, config.n_layer = 1, config.n_head = 2,
  config.n_embd = 12;
  return config;
}

// Weights after five steps in which `own` nodes are computed by the trainer and `others` by a
// second model that gets the weights and the batch, in the given order.
std::string hash_with(int batch_size, const Nodes& own, const Nodes& others) {
  const Corpus corpus = small_corpus();
  Gpt model(small_config()), helper(small_config());
  TrainConfig training;
  training.batch_size = batch_size;
  Trainer trainer(model, corpus, training);
  ShardedGradient elsewhere(model.parameters().total());
  for (int i = 0; i < 5; ++i) {
    const Batch& batch = trainer.draw();
    helper.change_weights() = model.weights();
    for (const auto& [first, count] : others) {
      elsewhere.compute(helper, batch, first, count);
      const Floats& sum = elsewhere.gradient(first);
      std::copy(sum.begin(), sum.end(),
                trainer.gradient().accept(first, count, elsewhere.losses(first, count)));
    }
    for (const auto& [first, count] : own) trainer.compute(first, count);
    trainer.update();
  }
  return hash_of(model.weights());
}

std::string hash_of_steps(int batch_size) {
  const Corpus corpus = small_corpus();
  Gpt model(small_config());
  TrainConfig training;
  training.batch_size = batch_size;
  Trainer trainer(model, corpus, training);
  for (int i = 0; i < 5; ++i) trainer.step();
  return hash_of(model.weights());
}

}  // namespace

TEST_CASE("a step has the same bits however many workers share its shards", "[shards]") {
  for (const int batch_size : {1, 3, 4, 8, 10}) {
    const std::string alone = hash_of_steps(batch_size);
    CHECK(hash_with(batch_size, {{0, 2}}, {{2, 2}}) == alone);
    CHECK(hash_with(batch_size, {{2, 2}}, {{0, 2}}) == alone);
    CHECK(hash_with(batch_size, {{0, 2}}, {{3, 1}, {2, 1}}) == alone);
    CHECK(hash_with(batch_size, {{3, 1}}, {{1, 1}, {0, 1}, {2, 1}}) == alone);
    CHECK(hash_with(batch_size, {}, {{0, 4}}) == alone);
    // A worker dies: its shards are computed by the trainer after all.
    CHECK(hash_with(batch_size, {{0, 1}, {2, 2}, {1, 1}}, {}) == alone);
  }
}

TEST_CASE("shards that are missing, no node of the sum, or with too many losses are refused",
          "[shards]") {
  const Corpus corpus = small_corpus();
  Gpt model(small_config());
  Trainer trainer(model, corpus, TrainConfig{});
  trainer.draw();
  trainer.compute(0, 2);
  trainer.compute(3, 1);
  CHECK_THROWS_WITH(trainer.update(), ContainsSubstring("shard 2 is missing"));
  CHECK_THROWS_WITH(trainer.compute(1, 2), ContainsSubstring("from 1 on, 2 of them"));
  CHECK_THROWS_WITH(trainer.compute(4, 1), ContainsSubstring("from 4 on, 1 of them"));
  CHECK_THROWS_WITH(trainer.compute(0, 3), ContainsSubstring("from 0 on, 3 of them"));
  CHECK_THROWS_WITH(trainer.gradient().accept(2, 1, std::vector<double>{0.5, 0.25}),
                    ContainsSubstring("2 losses came for 1 shards"));
  // The step can still be completed.
  trainer.compute(2, 1);
  CHECK(trainer.update().step == 1);
}

TEST_CASE("the first shards try both orders of products, all later ones keep the same",
          "[shards][matmul]") {
  const Corpus corpus = small_corpus();
  Gpt model(small_config());
  TrainConfig training;
  training.batch_size = 4;
  Trainer trainer(model, corpus, training);
  const auto order_of_shard = [&](int first) {
    trainer.compute(first, 1);
    return tile_order();
  };
  trainer.draw();
  CHECK(order_of_shard(0) != order_of_shard(1));
  for (int i = 0; i < 60; ++i) trainer.step();
  trainer.draw();
  const TileOrder kept = order_of_shard(0);
  for (const int first : {1, 2, 3}) CHECK(order_of_shard(first) == kept);
}
