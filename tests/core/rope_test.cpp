#include "position/rope.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

bool close(const std::vector<float>& got, const std::vector<double>& expected, double tolerance) {
  if (got.size() != expected.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::fabs(got[i] - expected[i]) <= tolerance)) return false;
  }
  return true;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

constexpr RopePairing kPairings[] = {RopePairing::half, RopePairing::adjacent};

}  // namespace

TEST_CASE("RoPE of 1, 2, 3, 4 at position 1 has the worked values", "[position][rope]") {
  CHECK(close(rope({1, 2, 3, 4}, 1, RopePairing::adjacent),
              {-1.142640, 1.922076, 2.959851, 4.029800}, 6e-7));
  CHECK(close(rope({1, 2, 3, 4}, 1, RopePairing::half), {-1.984111, 1.959901, 2.462378, 4.019800},
              6e-7));
  CHECK(close(rope({1, 0}, 2, RopePairing::half), {-0.416147, 0.909297}, 6e-7));
}

TEST_CASE("each pair turns by position times base to the power -2i/d", "[position][rope]") {
  Rng rng(1, "rope");
  for (const RopePairing pairing : kPairings) {
    for (const int d : {2, 6, 8, 14, 64}) {
      const std::vector<float> x = random_floats(rng, d);
      std::vector<double> expected(d);
      for (int i = 0; i < d / 2; ++i) {
        const int a = pairing == RopePairing::half ? i : 2 * i;
        const int b = pairing == RopePairing::half ? i + d / 2 : 2 * i + 1;
        const double angle = 37.0 * std::pow(500.0, -2.0 * i / d);
        expected[a] = x[a] * std::cos(angle) - x[b] * std::sin(angle);
        expected[b] = x[a] * std::sin(angle) + x[b] * std::cos(angle);
      }
      CHECK(close(rope(x, 37, pairing, 500.0), expected, 1e-6));
    }
  }
}

TEST_CASE("position 0 turns nothing and negative positions turn back", "[position][rope]") {
  Rng rng(2, "rope");
  const std::vector<float> x = random_floats(rng, 10);
  for (const RopePairing pairing : kPairings) {
    CHECK(same(rope(x, 0, pairing), x));
    const std::vector<float> back = rope(rope(x, 9.5, pairing), -9.5, pairing);
    CHECK(largest_difference(back.data(), x.data(), x.size()) < 1e-6);
  }
}

TEST_CASE("a score depends on the distance between query and key only", "[position][rope]") {
  Rng rng(3, "rope");
  const std::vector<float> q = random_floats(rng, 16), k = random_floats(rng, 16);
  for (const RopePairing pairing : kPairings) {
    for (const int distance : {0, 1, 7, 100}) {
      const double score = dot(rope(q, distance, pairing), rope(k, 0, pairing));
      for (const int shift : {1, 50, 4000}) {
        const double shifted = dot(rope(q, distance + shift, pairing), rope(k, shift, pairing));
        CHECK(std::fabs(shifted - score) < 1e-5);
      }
    }
    // and it does depend on the distance
    CHECK(std::fabs(dot(rope(q, 1, pairing), k) - dot(q, k)) > 0.01);
  }
}

TEST_CASE("turning keeps the norm", "[position][rope]") {
  Rng rng(4, "rope");
  const std::vector<float> x = random_floats(rng, 32);
  for (const RopePairing pairing : kPairings) {
    for (const int position : {1, 63, 100'000}) {
      const std::vector<float> turned = rope(x, position, pairing);
      CHECK(std::fabs(std::sqrt(dot(turned, turned) / dot(x, x)) - 1.0) < 1e-6);
    }
  }
}

TEST_CASE("both pairings are the same turn up to the order of the numbers", "[position][rope]") {
  Rng rng(5, "rope");
  const std::vector<float> x = random_floats(rng, 12);
  std::vector<float> interleaved(12), expected(12);
  for (int i = 0; i < 6; ++i) {
    interleaved[2 * i] = x[i], interleaved[2 * i + 1] = x[i + 6];
  }
  const std::vector<float> half = rope(x, 5, RopePairing::half);
  for (int i = 0; i < 6; ++i) {
    expected[2 * i] = half[i], expected[2 * i + 1] = half[i + 6];
  }
  CHECK(same(rope(interleaved, 5, RopePairing::adjacent), expected));
}

TEST_CASE("rope refuses odd widths and unusable positions and bases", "[position][rope]") {
  CHECK(refusal([] {
          rope({1, 2, 3}, 1);
        }) ==
        "x has 3 numbers; RoPE turns pairs, so it must have an even number of them, at least 2.");
  CHECK(refusal([] { rope({}, 1); }) ==
        "x has 0 numbers; RoPE turns pairs, so it must have an even number of them, at least 2.");
  CHECK(refusal([] {
          rope({1, 2}, 2e6);
        }) == "position is 2000000; it must be from -1000000 to 1000000.");
  CHECK(refusal([] {
          rope({1, 2}, 1, RopePairing::half, 0.1);
        }) == "base is 0.1; it must be from 1 to 1e+12.");
}

TEST_CASE("rotary_dims is an even share of the head or a refusal", "[position][rope]") {
  CHECK(rotary_dims(16, 1.0) == 16);
  CHECK(rotary_dims(16, 0.25) == 4);
  CHECK(rotary_dims(16, 0.0) == 0);
  CHECK(rotary_dims(6, 2.0 / 3.0) == 4);
  CHECK(refusal([] { rotary_dims(5, 1.0); }).find("head width of 5") != std::string::npos);
  CHECK(refusal([] { rotary_dims(16, 0.1); }).find("that is 1.6 numbers") != std::string::npos);
  CHECK(refusal([] { rotary_dims(6, 0.5); }).find("that is 3 numbers") != std::string::npos);
}

TEST_CASE("a model turns the first rotary dims of every head and leaves the rest",
          "[position][rope]") {
  for (const RopePairing pairing : kPairings) {
    GptConfig config = odd_config("rope");
    config.n_embd = 48, config.rotary_fraction = 0.625;  // 3 heads of 16, 10 of them turned
    config.rope_pairing = pairing, config.rope_base = 200.0;
    ParameterList parameters;
    const auto position = position_scheme("rope").make(config, parameters);
    CHECK(parameters.total() == 0);
    CHECK(position->rotates());
    position->prepare(50);
    Rng rng(6, "rope");
    const std::vector<float> x = random_floats(rng, 48);
    for (const int p : {0, 1, 12, 49}) {
      std::vector<float> turned = x, expected = x;
      position->rotate_forward(turned.data(), p, 3, 16);
      for (int h = 0; h < 3; ++h) {
        const auto head = expected.begin() + h * 16;
        const std::vector<float> part = rope({head, head + 10}, p, pairing, 200.0);
        std::copy(part.begin(), part.end(), head);
      }
      CHECK(same(turned, expected));
    }
  }
}

TEST_CASE("a model's turn and its way back are inverses", "[position][rope]") {
  for (const RopePairing pairing : kPairings) {
    GptConfig config = odd_config("rope");
    config.n_embd = 42;  // 3 heads of 14
    config.rope_pairing = pairing;
    ParameterList parameters;
    const auto position = position_scheme("rope").make(config, parameters);
    Rng rng(7, "rope");
    const std::vector<float> x = random_floats(rng, 42);
    std::vector<float> y = x;
    position->rotate_forward(y.data(), 11, 3, 14);
    CHECK(largest_difference(y.data(), x.data(), 42) > 0.1);
    position->rotate_backward(y.data(), 11, 3, 14);
    CHECK(largest_difference(y.data(), x.data(), 42) < 1e-6);
  }
}
