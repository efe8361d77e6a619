#include "rng.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support.h"

using namespace poslab;

TEST_CASE("the generator is PCG32: the published numbers for seed 42, stream 54", "[rng]") {
  // The output of the reference implementation's own demo (pcg32-demo, round 1).
  Rng rng(42, std::uint64_t{54});
  for (const std::uint32_t expected :
       {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu}) {
    CHECK(rng.next() == expected);
  }
}

TEST_CASE("purposes and seeds give streams of their own", "[rng]") {
  Rng a(1, "batches"), b(1, "generate"), c(2, "batches"), again(1, "batches");
  int equal_purpose = 0, equal_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t x = a.next();
    equal_purpose += x == b.next();
    equal_seed += x == c.next();
    REQUIRE(x == again.next());
  }
  CHECK(equal_purpose < 3);
  CHECK(equal_seed < 3);
}

TEST_CASE("the hash of a purpose is FNV-1a", "[rng]") {
  CHECK(Rng::hash("") == 0xcbf29ce484222325u);
  CHECK(Rng::hash("a") == 0xaf63dc4c8601ec8cu);
  CHECK(Rng::hash("foobar") == 0x85944171f73967e8u);
}

TEST_CASE("below draws each number of a small range equally often", "[rng]") {
  Rng rng(1, "below");
  std::array<int, 7> count{};
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++count[rng.below(7)];
  double chi_square = 0.0;
  for (const int c : count) chi_square += (c - kDraws / 7.0) * (c - kDraws / 7.0) / (kDraws / 7.0);
  CHECK(chi_square < 22.5);  // 6 degrees of freedom: exceeded once in a thousand
  CHECK(rng.below(1) == 0);
}

TEST_CASE("below has no bias where multiplying alone would have a large one", "[rng]") {
  // 2^32 draws onto 3 * 2^30 numbers: without rejection every third number comes twice as often.
  Rng rng(2, "below");
  std::array<int, 3> count{};
  constexpr int kDraws = 60'000;
  std::uint32_t most = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t x = rng.below(0xC0000000u);
    most = std::max(most, x);
    ++count[x % 3];
  }
  CHECK(most < 0xC0000000u);
  for (const int c : count) CHECK(std::abs(c - kDraws / 3) < 4 * 116);  // 4 standard deviations
}

TEST_CASE("uniform numbers fill the unit interval and leave out 1", "[rng]") {
  Rng rng(3, "uniform");
  double sum = 0.0, least = 1.0, most = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = rng.uniform();
    sum += x, least = std::min(least, x), most = std::max(most, x);
  }
  CHECK(least >= 0.0);
  CHECK(least < 1e-4);
  CHECK(most < 1.0);
  CHECK(most > 1.0 - 1e-4);
  CHECK(std::fabs(sum / 100'000 - 0.5) < 0.004);
}

TEST_CASE("normal numbers have the moments of a standard normal", "[rng]") {
  Rng rng(4, "normal");
  constexpr int kDraws = 200'000;
  double moment[5] = {}, with_previous = 0.0, previous = 0.0;
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    double power = 1.0;
    for (int k = 1; k < 5; ++k) moment[k] += power *= x;
    with_previous += x * previous;
    previous = x;
    beyond_two += std::fabs(x) > 2.0;
  }
  // Bounds of 4 standard deviations of each mean.
  const double root = std::sqrt(static_cast<double>(kDraws));
  CHECK(std::fabs(moment[1] / kDraws) < 4.0 / root);
  CHECK(std::fabs(moment[2] / kDraws - 1.0) < 4.0 * std::sqrt(2.0) / root);
  CHECK(std::fabs(moment[3] / kDraws) < 4.0 * std::sqrt(15.0) / root);
  CHECK(std::fabs(moment[4] / kDraws - 3.0) < 4.0 * std::sqrt(96.0) / root);
  CHECK(std::fabs(with_previous / kDraws) < 4.0 / root);  // the pair of a draw is independent
  CHECK(std::fabs(beyond_two / static_cast<double>(kDraws) - 0.0455) < 4.0 * 0.21 / root);
}
