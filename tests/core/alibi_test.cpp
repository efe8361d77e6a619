#include "position/alibi.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("slopes of a power of two of heads are a geometric row ending at 2^-8",
          "[position][alibi]") {
  CHECK(alibi_slopes(1) == std::vector<float>{0x1p-8f});
  CHECK(alibi_slopes(2) == std::vector<float>{0x1p-4f, 0x1p-8f});
  CHECK(alibi_slopes(4) == std::vector<float>{0x1p-2f, 0x1p-4f, 0x1p-6f, 0x1p-8f});
  CHECK(alibi_slopes(8) ==
        std::vector<float>{0x1p-1f, 0x1p-2f, 0x1p-3f, 0x1p-4f, 0x1p-5f, 0x1p-6f, 0x1p-7f, 0x1p-8f});
}

TEST_CASE("other head counts add every second slope of twice the power of two",
          "[position][alibi]") {
  CHECK(alibi_slopes(3) == std::vector<float>{0x1p-4f, 0x1p-8f, 0x1p-2f});
  CHECK(alibi_slopes(6) ==
        std::vector<float>{0.25f, 0.0625f, 0.015625f, 0.00390625f, 0.5f, 0.125f});
  // 8 heads' own, then 2^-0.5, 2^-1.5, 2^-2.5, 2^-3.5 of the 16 heads'.
  const std::vector<float> twelve = alibi_slopes(12);
  REQUIRE(twelve.size() == 12);
  for (int i = 0; i < 8; ++i) CHECK(twelve[i] == std::ldexp(1.0f, -i - 1));
  const double root = 0.70710678118654752;
  for (int i = 0; i < 4; ++i) {
    CHECK(twelve[8 + i] == static_cast<float>(std::ldexp(root, -i)));
  }
}

TEST_CASE("slopes need at least one head", "[position][alibi]") {
  CHECK(refusal([] { alibi_slopes(0); }) == "n_head is 0; it must be from 1 to 1024.");
  CHECK(refusal([] { alibi_slopes(2000); }) == "n_head is 2000; it must be from 1 to 1024.");
}

TEST_CASE("a model's bias is minus slope times distance, to both sides and past block_size",
          "[position][alibi]") {
  GptConfig config = odd_config("alibi");
  config.n_head = 6;
  ParameterList parameters;
  const auto position = position_scheme("alibi").make(config, parameters);
  CHECK(parameters.total() == 0);
  const std::vector<float> slopes = alibi_slopes(6);
  for (const int n : {config.block_size, 3 * config.block_size + 1}) {
    position->prepare(n);
    for (int h = 0; h < 6; ++h) {
      for (int i = 0; i < n; ++i) {
        const float* row = position->bias_row(h, i);
        for (int j = 0; j < n; ++j) REQUIRE(row[j] == -slopes[h] * std::abs(i - j));
      }
    }
  }
}

TEST_CASE("bias rows can be read in whole vectors", "[position][alibi]") {
  // Read past the last key up to a multiple of 4: the sanitizer build stops here if that is not
  // inside the table.
  for (const int n : {1, 2, 3, 5, 13}) {
    GptConfig config = odd_config("alibi");
    config.block_size = n;
    ParameterList parameters;
    const auto position = position_scheme("alibi").make(config, parameters);
    float sum = 0.0f;
    for (int h = 0; h < config.n_head; ++h) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < (n + 3) / 4 * 4; ++j) sum += position->bias_row(h, i)[j];
      }
    }
    CHECK(sum <= 0.0f);
  }
}
