#include "position/rope_stretch.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

bool near(double a, double b, double relative = 1e-12) {
  return std::fabs(a - b) <= relative * std::fabs(b);
}

std::vector<double> of(RopeStretch stretch, double factor, int d = 64, double trained = 2048,
                       double length = 2048) {
  return rope_frequencies(d, 10000, {stretch, factor, trained, length});
}

}  // namespace

TEST_CASE("stretched RoPE has the worked values", "[position][rope_stretch]") {
  CHECK(std::fabs(ntk_base(64, 10000, 2) - 20452.23) < 0.005);
  CHECK(std::fabs(attention_factor({RopeStretch::yarn, 4}) - 1.138629) < 5e-7);
  CHECK(attention_factor({RopeStretch::ntk, 4}) == 1.0);
}

TEST_CASE("a factor of 1 stretches nothing", "[position][rope_stretch]") {
  const std::vector<double> plain = of(RopeStretch::none, 1);
  for (int i = 0; i < 32; ++i) CHECK(near(plain[i], std::pow(10000.0, -2.0 * i / 64)));
  for (const RopeStretch stretch : {RopeStretch::linear, RopeStretch::ntk, RopeStretch::yarn,
                                    RopeStretch::llama3, RopeStretch::dynamic_ntk}) {
    const std::vector<double> same = of(stretch, 1);
    for (int i = 0; i < 32; ++i) CHECK(near(same[i], plain[i]));
    CHECK(attention_factor({stretch, 1}) == 1.0);
  }
}

TEST_CASE("each way slows down the pairs that it should", "[position][rope_stretch]") {
  const std::vector<double> plain = of(RopeStretch::none, 4);
  const std::vector<double> linear = of(RopeStretch::linear, 4), ntk = of(RopeStretch::ntk, 4),
                            yarn = of(RopeStretch::yarn, 4), llama3 = of(RopeStretch::llama3, 4);
  for (int i = 0; i < 32; ++i) {
    CHECK(near(linear[i], plain[i] / 4));
    for (const auto& some : {ntk, yarn, llama3}) {
      CHECK(some[i] <= plain[i] * (1 + 1e-12));
      CHECK(some[i] >= plain[i] / 4 * (1 - 1e-12));
    }
    // By turns within the trained length: many stay, less than one is divided.
    const double turns = 2048 * plain[i] / (2 * 3.14159265358979);
    if (turns > 4) CHECK(near(llama3[i], plain[i]));
    if (turns < 1) CHECK(near(llama3[i], plain[i] / 4));
    if (turns > 64) CHECK(near(yarn[i], plain[i]));
    if (turns < 0.5) CHECK(near(yarn[i], plain[i] / 4));
  }
  CHECK(ntk[0] == 1.0);
  CHECK(near(ntk[31], plain[31] / 4));
  // YaRN's ramp for d = 64, 2048 tokens: from pair 8 (32 turns) to pair 21 (one turn).
  CHECK(near(yarn[8], plain[8]));
  CHECK(near(yarn[14], plain[14] * (6.0 / 13 / 4 + 7.0 / 13)));
  CHECK(near(yarn[21], plain[21] / 4));
}

TEST_CASE("dynamic NTK leaves texts within the trained length alone", "[position][rope_stretch]") {
  CHECK(of(RopeStretch::dynamic_ntk, 2, 64, 2048, 1000) == of(RopeStretch::none, 2));
  // At twice the length with factor 2: 2 * 2 - 1 = 3.
  const std::vector<double> long_text = of(RopeStretch::dynamic_ntk, 2, 64, 2048, 4096);
  CHECK(near(long_text[31], of(RopeStretch::none, 2)[31] / 3));
}

TEST_CASE("stretchings are named and checked", "[position][rope_stretch]") {
  for (const char* name : {"none", "linear", "ntk", "dynamic_ntk", "yarn", "llama3"})
    CHECK(name_of(rope_stretch_named(name)) == name);
  CHECK(refusal([] { rope_stretch_named("x"); }) ==
        "stretch is \"x\"; it must be one of none, linear, ntk, dynamic_ntk, yarn, llama3.");
  CHECK(refusal([] { of(RopeStretch::linear, 0.5); }) ==
        "factor is 0.5; it must be from 1 to 1000.");
  CHECK(refusal([] { of(RopeStretch::linear, 2, 5); }) ==
        "d is 5; RoPE turns pairs, so it must be even.");
}
