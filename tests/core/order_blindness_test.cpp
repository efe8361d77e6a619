#include "probe/order_blindness.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

const std::vector<int> kIds{3, 1, 4, 1, 5, 9, 2};
const std::vector<int> kOrder{6, 2, 0, 5, 1, 4, 3};

std::vector<LayerBlindness> blindness(const std::string& positions, bool causal, int n_layer) {
  GptConfig config = odd_config(positions);
  config.causal = causal;
  config.n_layer = n_layer;
  Gpt model(config);
  return order_blindness(model, kIds, kOrder);
}

}  // namespace

TEST_CASE("without positions and mask every layer only moves its outputs along", "[blindness]") {
  for (int n_layer = 1; n_layer <= 4; ++n_layer) {
    const std::vector<LayerBlindness> layers = blindness("none", false, n_layer);
    REQUIRE(static_cast<int>(layers.size()) == n_layer);
    for (const LayerBlindness& layer : layers) {
      INFO(layer.moves_along.claim << ": " << layer.moves_along.largest);
      CHECK(layer.moves_along.holds);
      CHECK(layer.moves_along.cases == 7.0);
      CHECK(layer.moves_along.largest ==
            *std::max_element(layer.shares.begin(), layer.shares.end()));
      CHECK(layer.last_kept.holds);
      CHECK(layer.last_kept.cases == 1.0);
    }
  }
}

TEST_CASE("a mask hides the order from the last token in one layer, and leaks it in two",
          "[blindness]") {
  const std::vector<LayerBlindness> layers = blindness("none", true, 4);
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    INFO(layers[layer].last_kept.claim << ": " << layers[layer].last_kept.largest);
    CHECK_FALSE(layers[layer].moves_along.holds);
    CHECK(layers[layer].last_kept.holds == (layer == 0));
  }
}

TEST_CASE("any scheme ends order-blindness in the first layer, for the last token too",
          "[blindness]") {
  for (const PositionScheme* scheme : position_schemes()) {
    if (scheme->name() == "none") continue;
    for (const bool causal : {false, true}) {
      const LayerBlindness first = blindness(scheme->name(), causal, 1).front();
      INFO(scheme->name() << (causal ? ", causal: " : ", no mask: ") << first.moves_along.largest
                          << ", last " << first.last_kept.largest);
      CHECK_FALSE(first.moves_along.holds);
      CHECK_FALSE(first.last_kept.holds);
    }
  }
}

TEST_CASE("an order that only moves the last token still tests what the last one notices",
          "[blindness]") {
  GptConfig config = odd_config("none");
  config.causal = true;
  config.n_layer = 2;
  Gpt model(config);
  const std::vector<LayerBlindness> layers = order_blindness(model, {1, 2, 3}, {2, 0, 1});
  CHECK(layers[0].last_kept.holds);
  CHECK_FALSE(layers[1].last_kept.holds);
  CHECK(order_blindness(model, {1}, {0})[1].last_kept.largest == 0.0);
}
