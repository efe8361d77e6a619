#include "generate.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "formula_weights.h"
#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

Gpt formula_model(GptConfig config) {
  Gpt model(config);
  set_formula_weights(model.parameters(), model.change_weights());
  return model;
}

GenerateOptions options(double temperature, int top_k = 0, std::uint64_t seed = 0) {
  GenerateOptions out;
  out.temperature = temperature, out.top_k = top_k, out.seed = seed;
  return out;
}

}  // namespace

TEST_CASE("cached and uncached logits agree far past block_size for every scheme", "[generate]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const int block_size : {1, 2, 13}) {
      GptConfig config = odd_config(scheme->name());
      config.block_size = block_size;
      Gpt cached_model = formula_model(config), plain_model = formula_model(config);
      NextToken cached(cached_model, true), plain(plain_model, false);
      const std::vector<int> text = formula_ids("text", 5 * 13, 11);
      double worst = 0.0;
      for (std::size_t n = 1; n <= text.size(); ++n) {
        const std::vector<int> tokens(text.begin(), text.begin() + n);
        const float *a = cached.logits(tokens), *b = plain.logits(tokens);
        worst = std::max(worst, largest_difference(a, b, 11));
      }
      INFO(scheme->name() << " block " << block_size << " differs by " << worst);
      CHECK(worst == 0.0);  // 1e-5 would do; the kernels promise equality
    }
  }
}

TEST_CASE("a cache may be fed several tokens at once and started by a long text", "[generate]") {
  for (const PositionScheme* scheme : position_schemes()) {
    const GptConfig config = odd_config(scheme->name());
    Gpt cached_model = formula_model(config), plain_model = formula_model(config);
    NextToken cached(cached_model, true), plain(plain_model, false);
    const std::vector<int> text = formula_ids("text", 60, 11);
    for (const int n : {3, 7, 8, 12, 30, 33, 60}) {
      const std::vector<int> tokens(text.begin(), text.begin() + n);
      INFO(scheme->name() << " at " << n);
      CHECK(largest_difference(cached.logits(tokens), plain.logits(tokens), 11) <= 1e-5);
    }
  }
}

TEST_CASE("the uncached logits are those of the window alone, numbered from 0", "[generate]") {
  for (const PositionScheme* scheme : position_schemes()) {
    const GptConfig config = odd_config(scheme->name());
    Gpt model = formula_model(config), other = formula_model(config);
    NextToken next(model, true);
    const std::vector<int> text = formula_ids("text", 40, 11);
    for (const int n : {5, 13, 14, 40}) {
      const int start = window_start(n, 13);
      const float* expected = other.forward(text.data() + start, 1, n - start);
      const float* got = next.logits({text.begin(), text.begin() + n});
      CHECK(largest_difference(got, expected + (n - start - 1) * 11, 11) <= 1e-5);
    }
  }
}

TEST_CASE("an encoder's generation with a cache equals the one without", "[generate]") {
  // Without a mask a token's keys depend on tokens after it, so a cache must not keep them.
  GptConfig config = odd_config("learned");
  config.causal = false;
  Gpt cached_model = formula_model(config), plain_model = formula_model(config);
  NextToken cached(cached_model, true), plain(plain_model, false);
  const std::vector<int> text = formula_ids("text", 30, 11);
  for (int n = 1; n <= 30; ++n) {
    const std::vector<int> tokens(text.begin(), text.begin() + n);
    REQUIRE(largest_difference(cached.logits(tokens), plain.logits(tokens), 11) <= 1e-5);
  }
}

TEST_CASE("the window keeps at least half a block and moves by half a block", "[generate]") {
  for (const int block_size : {1, 2, 3, 8, 13, 64}) {
    const int hop = std::max(1, block_size / 2);
    int previous = 0;
    for (int n = 1; n < 5 * block_size + 5; ++n) {
      const int start = window_start(n, block_size);
      const int kept = n - start;
      REQUIRE(kept <= block_size);
      REQUIRE(kept > (n <= block_size ? 0 : block_size - hop));
      REQUIRE(start % hop == 0);
      REQUIRE((start == previous || start == previous + hop));
      if (n <= block_size) REQUIRE(start == 0);
      previous = start;
    }
  }
}

TEST_CASE("temperature 0 takes the likeliest token, the lowest id among equals", "[generate]") {
  Rng rng(1, "sample");
  const std::array<float, 5> logits = {0.5f, 2.0f, -1.0f, 2.0f, 2.0f};
  CHECK(sample(logits.data(), 5, options(0), rng) == 1);
  CHECK(sample(logits.data(), 1, options(0), rng) == 0);
  CHECK(sample(logits.data(), 5, options(0, 3), rng) == 1);
  const std::array<float, 4> equal = {-7.0f, -7.0f, -7.0f, -7.0f};
  CHECK(sample(equal.data(), 4, options(0), rng) == 0);
  // and no random number is spent
  Rng untouched(1, "sample");
  CHECK(rng.next() == untouched.next());
}

TEST_CASE("tokens are drawn in proportion to exp(logit / temperature)", "[generate]") {
  Rng rng(2, "sample");
  const std::array<float, 4> logits = {1.0f, 0.0f, 3.0f, -20.0f};
  for (const double temperature : {1.0, 2.0, 0.5}) {
    std::array<int, 4> count{};
    constexpr int kDraws = 20'000;
    for (int i = 0; i < kDraws; ++i) ++count[sample(logits.data(), 4, options(temperature), rng)];
    double total = 0.0;
    for (const float x : logits) total += std::exp(x / temperature);
    for (int id = 0; id < 4; ++id) {
      const double p = std::exp(logits[id] / temperature) / total;
      CHECK(std::fabs(count[id] / double{kDraws} - p) <= 4.5 * std::sqrt(p / kDraws) + 1e-9);
    }
  }
}

TEST_CASE("top_k leaves only the k likeliest, ties to the lower id, and is clamped", "[generate]") {
  const std::array<float, 5> logits = {0.0f, 1.0f, 0.5f, 1.0f, 0.5f};
  const auto drawn = [&](int top_k) {
    Rng rng(3, "sample");
    std::array<bool, 5> seen{};
    for (int i = 0; i < 2000; ++i) seen[sample(logits.data(), 5, options(1.0, top_k), rng)] = true;
    return seen;
  };
  CHECK(drawn(1) == std::array<bool, 5>{false, true, false, false, false});
  CHECK(drawn(2) == std::array<bool, 5>{false, true, false, true, false});
  CHECK(drawn(3) == std::array<bool, 5>{false, true, true, true, false});
  CHECK(drawn(4) == std::array<bool, 5>{false, true, true, true, true});
  const std::array<bool, 5> all = {true, true, true, true, true};
  CHECK(drawn(5) == all);
  CHECK(drawn(1000) == all);
  CHECK(drawn(0) == all);
}

TEST_CASE("extreme temperatures neither overflow nor leave the vocabulary", "[generate]") {
  Rng rng(4, "sample");
  const std::array<float, 3> logits = {3e38f, -3e38f, 2e38f};
  for (const double temperature : {1e-300, 1e-9, 100.0}) {
    for (int i = 0; i < 100; ++i) CHECK(sample(logits.data(), 3, options(temperature), rng) == 0);
  }
}

TEST_CASE("the same seed gives the same text, with and without a cache", "[generate]") {
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model = formula_model(odd_config(scheme->name()));
    GenerateOptions with = options(1.0, 0, 7);
    const std::vector<int> first = generate(model, {1, 2, 3}, 50, with);
    CHECK(first.size() == 50);
    CHECK(first == generate(model, {1, 2, 3}, 50, with));
    GenerateOptions without = with;
    without.use_cache = false;
    CHECK(first == generate(model, {1, 2, 3}, 50, without));
    CHECK(first != generate(model, {1, 2, 3}, 50, options(1.0, 0, 8)));
    const std::vector<int> greedy = generate(model, {1, 2, 3}, 20, options(0));
    CHECK(greedy == generate(model, {1, 2, 3}, 20, options(0, 0, 99)));
  }
}

TEST_CASE("generation goes on from prompts longer than the context", "[generate]") {
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model = formula_model(odd_config(scheme->name()));
    const std::vector<int> prompt = formula_ids("prompt", 100, 11);
    CHECK(generate(model, prompt, 30, options(0.8)).size() == 30);
    CHECK(generate(model, prompt, 0, options(0.8)).empty());
  }
}

TEST_CASE("unusable generation settings are refused in a sentence", "[generate]") {
  Gpt model = formula_model(odd_config("none"));
  const std::vector<int> prompt = {1};
  CHECK(refusal([&] { generate(model, {}, 5, options(1)); }) ==
        "The prompt has no tokens; generation continues from at least one.");
  CHECK(refusal([&] { generate(model, prompt, -1, options(1)); }) ==
        "n_tokens is -1; it must be from 0 to 1000000.");
  CHECK(refusal([&] { generate(model, prompt, 5, options(-0.5)); }) ==
        "temperature is -0.5; it must be from 0 to 100.");
  CHECK(refusal([&] { generate(model, prompt, 5, options(1, -3)); }) ==
        "top_k is -3; it must be from 0 to 1000000000.");
  for (float& w : model.change_weights()) w = NAN;
  CHECK(refusal([&] { generate(model, prompt, 5, options(1)); }) ==
        "The model's logits are not finite numbers, so there is nothing to sample from.");
}
