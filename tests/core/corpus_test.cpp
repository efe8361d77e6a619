#include "corpus.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("the first nine tenths train and the last tenth validates, nothing lost between",
          "[corpus]") {
  for (const std::size_t length : {1000u, 1005u, 1009u, 999u}) {
    const std::u32string text = patterned_text(length);
    const Corpus corpus(text, 8);
    const auto train = corpus.tokens(Split::train), val = corpus.tokens(Split::val);
    CHECK(val.size() == length / 10);
    CHECK(train.size() + val.size() == length);
    std::vector<int> ids(train.begin(), train.end());
    ids.insert(ids.end(), val.begin(), val.end());
    CHECK(corpus.tokenizer().decode(ids) == text);
  }
}

TEST_CASE("the vocabulary is taken from both splits", "[corpus]") {
  std::u32string text(99, U'a');
  text += U'z';
  CHECK(Corpus(text, 4).tokenizer().vocabulary() == U"az");
}

TEST_CASE("a text that is too short is refused with both lengths", "[corpus]") {
  CHECK(refusal([] { Corpus(patterned_text(99), 9); }) ==
        "The text has 99 characters; with block_size 9 it needs at least 100, so that the last "
        "tenth, kept for validation, holds one window.");
  CHECK(refusal([] { Corpus(U"", 64); })
            .find("has 0 characters; with block_size 64 it needs at "
                  "least 650") != std::string::npos);
  const Corpus just_enough(patterned_text(100), 9);
  CHECK(window_count(just_enough.tokens(Split::val).size(), 9) == 1);
}

TEST_CASE("every one of N - B starts is drawn, about equally often", "[corpus]") {
  std::vector<int> tokens(20);
  std::iota(tokens.begin(), tokens.end(), 100);
  constexpr int kBlock = 4, kStarts = 16, kDraws = 16'000;
  REQUIRE(window_count(tokens.size(), kBlock) == kStarts);
  std::vector<int> inputs(kDraws * kBlock), targets(inputs.size()), count(20);
  Rng rng(1, "batches");
  draw_batch(rng, tokens, kDraws, kBlock, inputs.data(), targets.data());
  for (int b = 0; b < kDraws; ++b) {
    const int start = inputs[b * kBlock] - 100;
    ++count[start];
    for (int t = 0; t < kBlock; ++t) {
      REQUIRE(inputs[b * kBlock + t] == tokens[start + t]);
      REQUIRE(targets[b * kBlock + t] == tokens[start + t + 1]);
    }
  }
  double chi_square = 0.0;
  for (int start = 0; start < kStarts; ++start) {
    chi_square += std::pow(count[start] - 1000.0, 2) / 1000.0;
  }
  CHECK(chi_square < 37.7);  // 15 degrees of freedom: exceeded once in a thousand
}

TEST_CASE("a split of one window always gives that window", "[corpus]") {
  const std::vector<int> tokens = {7, 8, 9};
  int inputs[4], targets[4];
  Rng rng(2, "batches");
  draw_batch(rng, tokens, 2, 2, inputs, targets);
  for (int b = 0; b < 2; ++b) {
    CHECK(inputs[2 * b] == 7);
    CHECK(targets[2 * b + 1] == 9);
  }
}

TEST_CASE("splits are named train and val and nothing else", "[corpus]") {
  CHECK(split_named("train") == Split::train);
  CHECK(split_named("val") == Split::val);
  CHECK(refusal([] { split_named("test"); }) ==
        "split is \"test\"; it must be \"train\" or \"val\".");
}
