#include "probe/baselines.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("baselines of a small text are the ones counted by hand", "[baselines]") {
  // 27 letters to train on: 18 a, 9 b; pairs: 9 aa, 9 ab, 8 ba. Validation "abb" asks for b after a
  // and b after b.
  std::u32string text;
  for (int i = 0; i < 9; ++i) text += U"aab";
  text += U"abb";
  const Baselines got = baselines(Corpus(text, 1));
  CHECK(std::fabs(got.uniform - std::log(2.0)) < 1e-12);
  CHECK(std::fabs(got.unigram - -std::log(10.0 / 29.0)) < 1e-12);
  // (9 + 1) of the 18 + 2 that follow an a; (0 + 1) of the 8 + 2 that follow a b.
  CHECK(std::fabs(got.bigram - -0.5 * (std::log(0.5) + std::log(0.1))) < 1e-12);
}

TEST_CASE("characters that only validation has still get a finite loss", "[baselines]") {
  std::u32string text(90, U'a');
  text += U"aaaaaaaazz";
  const Baselines got = baselines(Corpus(text, 4));
  // 90 a; of nine predictions seven are a after a, one z after a, one z after z.
  const double unigram = -(7 * std::log(91.0 / 92) + 2 * std::log(1.0 / 92)) / 9;
  const double bigram = -(7 * std::log(90.0 / 91) + std::log(1.0 / 91) + std::log(0.5)) / 9;
  CHECK(std::fabs(got.unigram - unigram) < 1e-12);
  CHECK(std::fabs(got.bigram - bigram) < 1e-12);
}

TEST_CASE("knowing more helps: uniform, unigram and bigram fall in this order", "[baselines]") {
  const Baselines got = baselines(Corpus(patterned_text(20'000), 8));
  CHECK(std::fabs(got.uniform - std::log(29.0)) < 1e-12);
  CHECK(got.unigram < got.uniform + 0.01);
  CHECK(got.bigram < got.unigram - 1.0);
  CHECK(got.bigram > std::log(4.0) - 0.05);  // the text picks one of four letters
}
