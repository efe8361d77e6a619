// Which rows of a learned table move.
#include "probe/row_movement.h"

#include <catch2/catch_test_macros.hpp>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

std::u32string verse() {
  std::u32string text;
  for (int i = 0; i < 20; ++i) text += U"the dog bites the man and the man bites the dog\n";
  return text;
}

GptConfig small_model() {
  GptConfig config;
  config.n_layer = 1, config.n_head = 2, config.n_embd = 8, config.block_size = 16;
  return config;
}

}  // namespace

TEST_CASE("a row's distance is Euclidean, and 0 exactly where nothing changed", "[row_movement]") {
  const std::vector<float> before{1, 2, 3, 4, 5, 6}, after{1, 2, 6, 8, 5, 6};
  CHECK(row_distances(before.data(), after.data(), 3, 2) == std::vector<double>{0, 5, 0});
}

TEST_CASE("only the rows that texts reach are moved by training", "[row_movement]") {
  for (const int length : {1, 5, 15, 16}) {
    const ShortTextTraining trained = train_on_short_texts(verse(), small_model(), length, 5);
    REQUIRE(trained.distance.size() == 16);
    REQUIRE(trained.table.shape()[0] == 16);
    for (int row = 0; row < 16; ++row) {
      INFO("texts of " << length << " tokens, row " << row);
      CHECK((trained.distance[row] > 1e-4) == (row < length));
      CHECK((trained.distance[row] == 0.0) == (row >= length));
    }
  }
}

TEST_CASE("impossible lengths and steps are refused", "[row_movement]") {
  const auto trained = [](int length, int steps) {
    return refusal([&] { train_on_short_texts(verse(), small_model(), length, steps); });
  };
  CHECK(trained(17, 5).find("17") != std::string::npos);
  CHECK(trained(0, 5).find("length is 0") != std::string::npos);
  CHECK(trained(4, 0).find("steps is 0") != std::string::npos);
}
