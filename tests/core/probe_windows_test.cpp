// Probes over windows of a text: loss by position, attention by offset, position read-out.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "corpus.h"
#include "formula_weights.h"
#include "position/registry.h"
#include "probe/by_position.h"
#include "probe/position_readout.h"
#include "probe/windows.h"
#include "support.h"
#include "trainer.h"

using namespace poslab;
using namespace poslab::test;

namespace {

std::vector<int> some_tokens(std::size_t n) {
  Rng rng(9, "tokens");
  return random_ids(rng, n, 11);
}

}  // namespace

TEST_CASE("windows are spread evenly and never run over the end", "[windows]") {
  const std::vector<int> tokens(101);
  CHECK(Windows(tokens, 10, 3).starts == std::vector<std::size_t>{0, 30, 60});
  CHECK(Windows(tokens, 10, 100).size() == 10);
  CHECK(Windows(tokens, 100, 5).starts == std::vector<std::size_t>{0});
  CHECK(refusal([&] { Windows(tokens, 101, 5); }) ==
        "The text has 101 tokens to evaluate on; a window of 101 and the token after it do not "
        "fit.");
}

TEST_CASE("loss by position averages to the loss of the windows", "[by_position]") {
  const std::vector<int> tokens = some_tokens(500);
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model(odd_config(scheme->name()));
    set_formula_weights(model.parameters(), model.change_weights());
    const LossByPosition result = loss_by_position(model, tokens, 1, 4);
    CHECK((result.trained_length == 13 && result.windows == 4 && result.loss.size() == 13));
    const Windows windows(tokens, 13, 4);
    double mean = 0.0;
    for (int w = 0; w < 4; ++w) {
      model.forward(windows.inputs(w), 1, 13);
      mean += model.loss(windows.targets(w)) / 4;
    }
    CHECK(std::fabs(result.mean[0] - mean) < 1e-9);
  }
}

TEST_CASE("past the trained length every scheme goes on but the learned one, which refuses",
          "[by_position]") {
  const std::vector<int> tokens = some_tokens(1000);
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model(odd_config(scheme->name()));
    if (scheme->name() == "learned") {
      CHECK(refusal([&] { loss_by_position(model, tokens, 2, 3); }) ==
            "Position 25 was asked for; a learned table with block_size 13 ends at position 12.");
      continue;
    }
    const LossByPosition result = loss_by_position(model, tokens, 8, 3);
    CHECK((result.loss.size() == 104 && result.mean.size() == 8));
    for (const double loss : result.loss) CHECK((loss > 0.0 && loss < 10.0));
    // The first stretch is causal, so it does not see that the window goes on.
    double last = 0.0;
    for (std::size_t t = 52; t < 104; ++t) last += result.loss[t] / 52;
    CHECK(std::fabs(result.last_half - last) < 1e-12);
  }
  Gpt model(odd_config("rope"));
  CHECK(refusal([&] { loss_by_position(model, tokens, 17, 3); }) ==
        "factor is 17; it must be a whole number from 1 to 16.");
}

TEST_CASE(
    "attention by offset of a model that looks nowhere in particular is one over what it sees",
    "[by_position]") {
  const std::vector<int> tokens = some_tokens(300);
  for (const bool causal : {true, false}) {
    GptConfig config = odd_config("none");
    config.causal = causal;
    Gpt model(config);
    for (int layer = 0; layer < 2; ++layer) {  // no queries, no keys: all scores 0
      const ParameterRef ref =
          model.parameters().named("h." + std::to_string(layer) + ".attn.c_attn.weight").ref;
      std::fill_n(model.change_weights().begin() + static_cast<std::ptrdiff_t>(ref.offset),
                  ref.size, 0.f);
    }
    const AttentionByOffset result = attention_by_offset(model, tokens, 3);
    CHECK(result.first == (causal ? 0 : -12));
    CHECK(result.weight.shape()[2] == (causal ? 13u : 25u));
    for (std::size_t c = 0; c < result.weight.shape()[2]; ++c) {
      const int offset = result.first + static_cast<int>(c);
      double expected = 1.0 / 13;
      if (causal) {
        expected = 0.0;
        for (int i = offset; i < 13; ++i) expected += 1.0 / (i + 1) / (13 - offset);
      }
      CHECK(std::fabs(result.weight(1, 2, c) - expected) < 1e-6);
    }
  }
}

TEST_CASE("with strong ALiBi slopes attention falls with distance", "[by_position]") {
  GptConfig config = odd_config("alibi");
  config.n_head = 2, config.n_embd = 18;
  Gpt model(config);
  const AttentionByOffset result = attention_by_offset(model, some_tokens(300), 5);
  for (std::size_t c = 1; c < 13; ++c) CHECK(result.weight(0, 0, c) < result.weight(0, 0, c - 1));
}

TEST_CASE("the solver solves, and refuses what is not positive definite", "[readout]") {
  Rng rng(3, "solver");
  const std::size_t n = 20;
  const std::vector<float> m = random_floats(rng, n * n);
  std::vector<double> A(n * n, 0.0), x(n), b(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = rng.normal();
    A[i * n + i] = 0.1;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) A[i * n + j] += m[i * n + k] * m[j * n + k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[i] += A[i * n + j] * x[j];
  }
  const std::vector<double> solved = solve_positive_definite(A, b);
  for (std::size_t i = 0; i < n; ++i) CHECK(std::fabs(solved[i] - x[i]) < 1e-9);
  CHECK(refusal([] {
          solve_positive_definite({1, 2, 2, 1}, {1, 1});
        }) == "The matrix is not positive definite; a larger ridge helps.");
}

TEST_CASE("positions are read out where a scheme or a mask puts them, and nowhere else",
          "[readout]") {
  const std::vector<int> fit = some_tokens(5000), held_out = [] {
    Rng rng(10, "held out");
    return random_ids(rng, 3000, 11);
  }();
  const auto r2 = [&](const std::string& positions, bool causal) {
    GptConfig config = odd_config(positions);
    config.causal = causal;
    if (positions == "sinusoidal") config.embedding_scale = 1.0;
    Gpt model(config);
    set_formula_weights(model.parameters(), model.change_weights());
    return position_readout(model, fit, held_out, 200);
  };
  const std::vector<Readout> none = r2("none", false);
  REQUIRE(none.size() == 3);
  CHECK((none[0].name == "input" && none[1].name == "h.0" && none[2].name == "h.1"));
  for (const Readout& stage : none) CHECK(stage.r2 < 0.05);
  const std::vector<Readout> masked = r2("none", true);
  CHECK(masked[0].r2 < 0.05);
  CHECK(masked[1].r2 > 0.07);  // the mask leaks order
  CHECK(r2("sinusoidal", false)[0].r2 > 0.9);
  CHECK(r2("learned", false)[0].r2 > 0.5);
  CHECK(r2("rope", false)[0].r2 < 0.05);  // nothing is added
}
