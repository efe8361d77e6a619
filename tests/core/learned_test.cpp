// The learned table, and what the registry promises of all schemes.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "gpt.h"
#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("a learned table refuses the position after its last row in a sentence",
          "[position][learned]") {
  Gpt model(odd_config("learned"));
  const std::vector<int> ids(14, 1);
  CHECK(refusal([&] { model.forward(ids.data(), 1, 13); }) == "");
  CHECK(refusal([&] { model.forward(ids.data(), 1, 14); }) ==
        "Position 13 was asked for; a learned table with block_size 13 ends at position 12.");
  CHECK(refusal([&] { model.position_rows(14); }) ==
        "Position 13 was asked for; a learned table with block_size 13 ends at position 12.");
  CHECK(refusal([&] { model.forward(ids.data(), 1, 13); }) == "");  // and goes on working
}

TEST_CASE("all other schemes go on past block_size", "[position]") {
  for (const PositionScheme* scheme : position_schemes()) {
    if (scheme->name() == "learned") continue;
    INFO(scheme->name());
    const GptConfig config = odd_config(scheme->name());
    Gpt model(config);
    const int T = 3 * config.block_size + 2;
    Rng rng(1, "past");
    const std::vector<int> ids = random_ids(rng, T, config.vocab_size);
    const float* logits = model.forward(ids.data(), 1, T);
    const std::vector<float> far(logits, logits + T * config.vocab_size);
    bool finite = true;
    for (const float x : far) finite = finite && std::isfinite(x);
    CHECK(finite);
    // The tokens within block_size do not notice the ones after them.
    const std::vector<float> near(far.begin(), far.begin() + config.block_size * config.vocab_size);
    logits = model.forward(ids.data(), 1, config.block_size);
    CHECK(same(near, {logits, logits + near.size()}));
  }
}

TEST_CASE("the rows a model adds are the weights of its learned table", "[position][learned]") {
  Gpt model(odd_config("learned"));
  CHECK(model.adds_rows());
  const Parameter& table = model.parameters().named("wpe.weight");
  CHECK(table.shape == std::vector<int>{13, 18});
  CHECK(table.decay);
  const Tensor<2> rows = model.position_rows(13);
  const float* weights = model.weights().data() + table.ref.offset;
  CHECK(same(std::vector<float>(rows.begin(), rows.end()), {weights, weights + 13 * 18}));
}

TEST_CASE("only schemes that add rows say so", "[position]") {
  for (const PositionScheme* scheme : position_schemes()) {
    INFO(scheme->name());
    Gpt model(odd_config(scheme->name()));
    bool anything = false;
    for (const float x : model.position_rows(5)) anything = anything || x != 0.0f;
    CHECK(anything == model.adds_rows());
  }
}

TEST_CASE("every registered scheme has a name of its own, a title and a sentence", "[position]") {
  std::set<std::string> names;
  for (const PositionScheme* scheme : position_schemes()) {
    CHECK(names.insert(scheme->name()).second);
    CHECK(&position_scheme(scheme->name()) == scheme);
    CHECK_FALSE(scheme->title().empty());
    CHECK(scheme->summary().back() == '.');
  }
  for (const char* name : {"none", "learned", "sinusoidal", "rope", "alibi"}) {
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("models that share a parameter start it from the same numbers", "[position]") {
  const Gpt reference(odd_config("none"));
  for (const PositionScheme* scheme : position_schemes()) {
    INFO(scheme->name());
    const Gpt model(odd_config(scheme->name()));
    for (const Parameter& parameter : reference.parameters().all()) {
      const Parameter& twin = model.parameters().named(parameter.name);
      const float* a = reference.weights().data() + parameter.ref.offset;
      const float* b = model.weights().data() + twin.ref.offset;
      REQUIRE(same({a, a + parameter.ref.size}, {b, b + twin.ref.size}));
    }
  }
}
