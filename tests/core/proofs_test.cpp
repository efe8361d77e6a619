#include "probe/proofs.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "gpt.h"
#include "position/registry.h"
#include "probe/equivariance.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

TEST_CASE("the product of two sinusoidal rows depends on their distance only", "[proofs]") {
  for (const int d : {2, 8, 64, 130}) {
    for (const double base : {100.0, 10000.0}) {
      const Proof proof = sinusoidal_diagonals(50, d, base);
      INFO(d << " " << base << ": " << proof.largest);
      CHECK(proof.holds);
      CHECK(proof.cases == 50 * 51 / 2);
      CHECK(proof.largest < 1e-5);
    }
  }
}

TEST_CASE("a sine without its cosine breaks that, and the proof says so", "[proofs]") {
  const Proof proof = sinusoidal_diagonals(50, 5);
  CHECK_FALSE(proof.holds);
  CHECK(proof.largest > 1e-4);
}

TEST_CASE("a shift by k is one fixed linear map of all rows, forward and back", "[proofs]") {
  for (const int k : {1, 7, -3, 1000}) {
    const Proof proof = sinusoidal_shift(60, 32, k);
    INFO(k << ": " << proof.largest);
    CHECK(proof.holds);
    CHECK(proof.cases == 60 * 32);
  }
  const Tensor<2> turn = shift_matrix(2, 4);
  CHECK(std::fabs(turn(0, 0) - std::cos(2.0)) < 1e-7);
  CHECK(std::fabs(turn(0, 1) - std::sin(2.0)) < 1e-7);
  CHECK(std::fabs(turn(3, 2) + std::sin(0.02)) < 1e-7);
  CHECK(turn(0, 2) == 0.0f);
  CHECK(refusal([] { shift_matrix(1, 5); }) ==
        "d is 5; a shift turns pairs of sine and cosine, so d must be even.");
}

TEST_CASE("RoPE scores depend on the distance only, for any q and k", "[proofs]") {
  for (const Proof& proof : rope_proofs(16, 10, 3, 10000.0)) {
    INFO(proof.claim << ": " << proof.largest);
    CHECK(proof.holds);
    CHECK(proof.cases >= 320);
  }
  const std::vector<float> q{1, 2, 3, 4}, k{-2, 0.5, 7, 1};
  for (const RopePairing pairing : {RopePairing::half, RopePairing::adjacent}) {
    CHECK(rope_distance(q, k, 64, pairing, 10000).holds);
    CHECK(rope_norm(q, 200, pairing, 10000).holds);
    const double at_3 = rope_score(q, k, 10, 7, pairing, 10000);
    CHECK(std::fabs(at_3 - rope_score(q, k, 103, 100, pairing, 10000)) < 1e-4);
    CHECK(std::fabs(at_3 - rope_score(q, k, 10, 8, pairing, 10000)) > 0.1);
    double sum = 0.0;
    for (const double share : rope_contributions(q, k, 10, 7, pairing, 10000)) sum += share;
    CHECK(std::fabs(sum - at_3) < 1e-5);
  }
  CHECK(rope_pairings({1, 2, 3, 4, 5, 6}, 100, 10000).holds);
  CHECK(rope_norm({0, 0}, 10, RopePairing::half, 10000).holds);
  CHECK(rope_distance({0, 0}, {1, 1}, 10, RopePairing::half, 10000).largest == 0.0);
  CHECK(refusal([&] {
          rope_score({1, 2}, {1, 2, 3, 4}, 0, 0, RopePairing::half, 1e4);
        }) == "q has 2 numbers and k has 4; a score needs equally many.");
}

TEST_CASE("a broken rotation would not pass: norms of scaled vectors differ", "[proofs]") {
  Deviations deviations;
  deviations.add(1.0, 1.0 + 1e-3);
  deviations.add(2.0, 2.0);
  const Proof proof = deviations.proof("x", 1e-6);
  CHECK_FALSE(proof.holds);
  CHECK(proof.cases == 2);
  Deviations undefined;
  undefined.add(std::nan(""), 1.0);
  CHECK_FALSE(undefined.proof("x", 1e300).holds);
}

TEST_CASE("ALiBi's rows step by the slope and know distances only", "[proofs]") {
  for (const int n_head : {1, 4, 6}) {
    const std::vector<Proof> proofs = alibi_proofs(n_head, 40);
    REQUIRE(proofs.size() == 3);
    for (const Proof& proof : proofs) {
      INFO(proof.claim << ": " << proof.largest);
      CHECK(proof.holds);
      CHECK(proof.cases > 0);
    }
  }
  const Tensor<3> bias = alibi_bias(4, 8);
  CHECK(bias(0, 5, 3) == -0.5f);
  CHECK(bias(0, 3, 5) == -0.5f);
}

TEST_CASE("parameter counts by formula are those of the models", "[proofs]") {
  GptConfig config;
  config.vocab_size = 65, config.block_size = 32, config.n_embd = 32, config.n_layer = 2;
  const ParameterCounts lesson = parameter_counts(config);
  CHECK(lesson.tied == 28'576);
  CHECK(lesson.untied == 30'656);
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool tied : {true, false}) {
      config.positions = scheme->name();
      config.tie_weights = tied;
      const ParameterCounts counts = parameter_counts(config);
      CHECK(counts.tied_proof.holds);
      CHECK(counts.untied_proof.holds);
      CHECK(counts.untied - counts.tied == 65 * 32);
      double sum = 0.0;
      for (const ParameterGroup& group : counts.groups) sum += group.count;
      CHECK(sum == static_cast<double>(Gpt(config).parameters().total()));
    }
  }
  config.n_head = 7;
  CHECK(refusal([&] { parameter_counts(config); }) ==
        "n_embd is 32; it must be a multiple of n_head, which is 7.");
}

TEST_CASE("every step of the derivation agrees on random matrices", "[proofs][equivariance]") {
  const std::vector<std::string> names{"queries", "keys",   "values", "scores",
                                       "softmax", "output", "mlp"};
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    for (const auto& [n, d] : {std::pair{4, 3}, {2, 1}, {9, 16}, {64, 64}}) {
      const Equivariance result = equivariance(n, d, seed);
      REQUIRE(result.steps.size() == names.size());
      for (std::size_t i = 0; i < names.size(); ++i) {
        INFO(names[i] << ": " << result.steps[i].deviation);
        CHECK(result.steps[i].name == names[i]);
        CHECK(result.steps[i].holds);
        CHECK(result.steps[i].left.shape() == result.steps[i].right.shape());
      }
      const std::set<int> placed(result.order.begin(), result.order.end());
      CHECK(static_cast<int>(placed.size()) == n);
      CHECK(result.permutation(0, result.order[0]) == 1.0f);
      bool moved = false;
      for (int i = 0; i < n; ++i) moved = moved || result.order[i] != i;
      CHECK(moved);
      float sum = 0.0f;
      for (int j = 0; j < n; ++j) sum += result.steps[4].left(0, j);
      CHECK(std::fabs(sum - 1.0f) < 1e-6);
    }
  }
  CHECK(refusal([] { equivariance(1, 3, 0); }) ==
        "n is 1; it must be a whole number from 2 to 64.");
}
