#include "position/sinusoidal.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

// Row `row` against numbers printed to six decimals.
bool row_is(const Tensor<2>& table, std::size_t row, const std::vector<double>& expected) {
  if (table.shape(1) != expected.size()) return false;
  for (std::size_t c = 0; c < expected.size(); ++c) {
    if (std::fabs(table(row, c) - expected[c]) > 6e-7) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("sinusoidal rows have the worked values", "[position][sinusoidal]") {
  CHECK(row_is(sinusoidal(2, 8), 0, {0, 1, 0, 1, 0, 1, 0, 1}));
  CHECK(row_is(sinusoidal(2, 8), 1,
               {.841471, .540302, .099833, .995004, .01, .99995, .001, .9999995}));
  CHECK(row_is(sinusoidal(2, 5), 1, {.841471, .540302, .025116, .999685, .000631}));
  CHECK(row_is(sinusoidal(2, 1), 1, {.841471}));
}

TEST_CASE("the concatenated layout has the same numbers, sines first", "[position][sinusoidal]") {
  const auto concatenated = SinusoidLayout::concatenated;
  CHECK(row_is(sinusoidal(2, 8, 10000, concatenated), 1,
               {.841471, .099833, .01, .001, .540302, .995004, .99995, .9999995}));
  CHECK(row_is(sinusoidal(2, 5, 10000, concatenated), 1,
               {.841471, .025116, .000631, .540302, .999685}));
}

TEST_CASE("every entry is its formula rounded to a float", "[position][sinusoidal]") {
  for (const int d : {1, 2, 7, 64}) {
    for (const double base : {1.0, 100.0, 10000.0, 1e6}) {
      const Tensor<2> table = sinusoidal(40, d, base, SinusoidLayout::interleaved, 500);
      double worst = 0.0;
      for (int p = 0; p < 40; ++p) {
        for (int c = 0; c < d; ++c) {
          const double angle = (500 + p) / std::pow(base, (c - c % 2) / static_cast<double>(d));
          const double truth = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
          worst = std::max(worst, std::fabs(table(p, c) - truth));
        }
      }
      CHECK(worst < 3.1e-8);  // half the distance of floats below 1
    }
  }
}

TEST_CASE("rows may start anywhere, before zero too", "[position][sinusoidal]") {
  const Tensor<2> all = sinusoidal(21, 6, 10000, SinusoidLayout::interleaved, -10);
  const Tensor<2> tail = sinusoidal(5, 6, 10000, SinusoidLayout::interleaved, 6);
  for (std::size_t p = 0; p < 5; ++p) {
    for (std::size_t c = 0; c < 6; ++c) CHECK(same(tail(p, c), all(p + 16, c)));
  }
  CHECK(same(all(9, 0), -all(11, 0)));  // sin(-1) = -sin(1)
  CHECK(same(all(9, 1), all(11, 1)));   // cos(-1) = cos(1)
}

TEST_CASE("wavelengths grow geometrically from 2 pi", "[position][sinusoidal]") {
  const std::vector<double> lengths = wavelengths(8, 10000);
  REQUIRE(lengths.size() == 4);
  for (int i = 0; i < 4; ++i) {
    CHECK(std::fabs(lengths[i] / (6.283185307179586 * std::pow(10.0, i)) - 1.0) < 1e-14);
  }
  CHECK(wavelengths(5, 10000).size() == 3);
  CHECK(wavelengths(1, 10000).size() == 1);
}

TEST_CASE("a pair goes round once in its wavelength", "[position][sinusoidal]") {
  const std::vector<double> once = turns(wavelengths(8, 10000)[2], 8, 10000);
  REQUIRE(once.size() == 4);
  CHECK(once[2] == 1.0);
  CHECK(std::abs(once[0] - 100.0) < 1e-9);
  CHECK(turns(0, 5, 10000) == std::vector<double>{0, 0, 0});
  CHECK(refusal([] { turns(2e6, 8, 10000); }).find("2000000") != std::string::npos);
}

TEST_CASE("sinusoidal refuses sizes without rows, columns or a base", "[position][sinusoidal]") {
  CHECK(refusal([] { sinusoidal(0, 8); }) == "n is 0; it must be from 1 to 65536.");
  CHECK(refusal([] { sinusoidal(4, 0); }) == "d is 0; it must be from 1 to 4096.");
  CHECK(refusal([] { sinusoidal(4, 8, 0.0); }) == "base is 0; it must be from 1 to 1e+12.");
  CHECK(refusal([] { sinusoidal(1, 8, 1e4, SinusoidLayout::interleaved, 2'000'000); }) ==
        "first is 2000000; it must be from -1000000 to 999999.");
  CHECK(refusal([] { wavelengths(0, 1e4); }) == "d is 0; it must be from 1 to 4096.");
  CHECK(refusal([] { wavelengths(8, -1); }) == "base is -1; it must be from 1 to 1e+12.");
  CHECK(refusal([] { sinusoid_layout_named("split"); }) ==
        "layout is \"split\"; it must be \"interleaved\" or \"concatenated\".");
  CHECK(sinusoid_layout_named("interleaved") == SinusoidLayout::interleaved);
  CHECK(sinusoid_layout_named("concatenated") == SinusoidLayout::concatenated);
}

TEST_CASE("a model adds the waves times sinusoidal_scale, past block_size too",
          "[position][sinusoidal]") {
  GptConfig config = odd_config("sinusoidal");
  config.sinusoidal_scale = 0.25, config.sinusoidal_base = 500.0;
  ParameterList parameters;
  const auto position = position_scheme("sinusoidal").make(config, parameters);
  CHECK(parameters.total() == 0);
  CHECK(position->adds_rows());
  const int C = config.n_embd, T = 3 * config.block_size;
  const Tensor<2> waves = sinusoidal(T, C, 500.0);
  for (const int first : {0, 2, T - 4}) {
    position->prepare(first + 4);
    std::vector<float> x(4 * C, 1.0f);
    position->embed_forward(nullptr, first, 4, C, x.data());
    for (int t = 0; t < 4; ++t) {
      for (int c = 0; c < C; ++c) {
        REQUIRE(same(x[t * C + c], 1.0f + waves(first + t, c) * 0.25f));
      }
    }
  }
}

TEST_CASE("token rows meet the waves times the square root of their width",
          "[position][sinusoidal]") {
  const GptConfig config = odd_config("sinusoidal");
  CHECK(position_scheme("sinusoidal").default_embedding_scale(config) == std::sqrt(18.0));
  for (const char* other : {"none", "learned", "rope", "alibi"}) {
    CHECK(position_scheme(other).default_embedding_scale(config) == 1.0);
  }
}
