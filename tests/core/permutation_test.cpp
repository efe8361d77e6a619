#include "probe/permutation.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "formula_weights.h"
#include "position/registry.h"
#include "probe/embed.h"
#include "probe/nearest.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

const std::vector<int> kIds{3, 1, 4, 1, 5, 9, 2};
const std::vector<int> kOrder{6, 2, 0, 5, 1, 4, 3};

// Weights as large as a trained model's, so that order has something to act on.
Gpt strong_model(const std::string& positions, bool causal, int n_layer) {
  GptConfig config = odd_config(positions);
  config.causal = causal;
  config.n_layer = n_layer;
  Gpt model(config);
  set_formula_weights(model.parameters(), model.change_weights());
  return model;
}

}  // namespace

TEST_CASE("without positions and mask a model of any depth moves each row along with its token",
          "[permutation]") {
  for (int n_layer = 1; n_layer <= 4; ++n_layer) {
    Gpt model = strong_model("none", false, n_layer);
    const std::vector<PermutationStage> stages = permutation_error(model, kIds, kOrder);
    REQUIRE(static_cast<int>(stages.size()) == 2 + 2 * n_layer);
    CHECK(stages.front().name == "input");
    CHECK(stages[1].name == "h.0.attn");
    CHECK(stages[2].name == "h.0");
    CHECK(stages.back().name == "logits");
    for (const PermutationStage& stage : stages) {
      INFO(stage.name << " of " << n_layer << " layers: " << stage.relative);
      CHECK(stage.relative < 1e-5);
      CHECK(stage.distances.size() == kIds.size());
    }
  }
}

TEST_CASE("a causal mask or any scheme ends order-blindness, in its own place", "[permutation]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {false, true}) {
      if (scheme->name() == "none" && !causal) continue;
      Gpt model = strong_model(scheme->name(), causal, 2);
      const std::vector<PermutationStage> stages = permutation_error(model, kIds, kOrder);
      INFO(scheme->name() << (causal ? ", causal" : ", no mask"));
      CHECK((stages[0].largest > 0.0) == model.adds_rows());
      CHECK(stages[1].relative > 1e-2);
      CHECK(stages.back().relative > 1e-2);
    }
  }
}

TEST_CASE("a fresh model is told apart from an order-blind one too", "[permutation]") {
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config = odd_config(scheme->name());
    config.causal = false;
    Gpt model(config);
    const double relative = permutation_error(model, kIds, kOrder)[1].relative;
    INFO(scheme->name() << ": " << relative);
    CHECK((relative > 1e-4) == (scheme->name() != "none"));
    CHECK((relative < 1e-6) == (scheme->name() == "none"));
  }
}

TEST_CASE("keeping the order changes nothing, to the last bit", "[permutation]") {
  Gpt model = strong_model("learned", true, 2);
  for (const PermutationStage& stage : permutation_error(model, kIds, {0, 1, 2, 3, 4, 5, 6}))
    CHECK(stage.largest == 0.0);
}

TEST_CASE("the first token of a causal model stays the same when only later ones move",
          "[permutation]") {
  Gpt model = strong_model("none", true, 2);
  const std::vector<PermutationStage> stages =
      permutation_error(model, kIds, {0, 1, 2, 4, 3, 6, 5});
  CHECK(stages.back().distances[0] == 0.0);
  CHECK(stages.back().distances[2] == 0.0);
  CHECK(stages.back().distances[3] > 1e-3);
}

TEST_CASE("orders and ids that make no sense are refused", "[permutation]") {
  Gpt model = strong_model("none", true, 1);
  CHECK(refusal([&] {
          permutation_error(model, {1, 2}, {0});
        }) == "order has 1 places; there are 2 tokens to place.");
  CHECK(refusal([&] {
          permutation_error(model, {1, 2}, {1, 1});
        }) == "order names token 1 twice; each token must be placed once.");
  CHECK(refusal([&] {
          permutation_error(model, {1, 2}, {0, 2});
        }) == "a place of order is 2; it must be a whole number from 0 to 1.");
  CHECK(refusal([&] {
          permutation_error(model, {1, 11}, {0, 1});
        }) == "token id is 11; it must be a whole number from 0 to 10.");
  CHECK(refusal([&] { permutation_error(model, {}, {}); }) ==
        "ids is empty; at least one token id is needed.");
}

TEST_CASE("the residual stream is the one that the forward pass added up", "[permutation][gpt]") {
  Gpt model = strong_model("learned", true, 2);
  model.forward(kIds.data(), 1, static_cast<int>(kIds.size()));
  const Tensor<2> input = model.residual(0);
  CHECK(input.shape() == Tensor<2>::shape_type{7, 18});
  const float* wte = model.weights().data() + model.parameters().named("wte.weight").ref.offset;
  const float* wpe = model.weights().data() + model.parameters().named("wpe.weight").ref.offset;
  CHECK(input(2, 5) == wte[4 * 18 + 5] + wpe[2 * 18 + 5]);
  CHECK(refusal([&] { model.residual(3); }) == "layer is 3; it must be from 0 to 2.");
  CHECK(refusal([&] { model.residual_after_attention(2); }) ==
        "layer is 2; it must be from 0 to 1.");
}

TEST_CASE("input rows are token rows plus position rows for every scheme", "[embed]") {
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model(odd_config(scheme->name()));
    const InputRows rows = input_rows(model, kIds);
    INFO(scheme->name());
    double norm = 0.0;
    for (std::size_t t = 0; t < kIds.size(); ++t) {
      for (std::size_t c = 0; c < 18; ++c)
        CHECK(rows.sum(t, c) == rows.token(t, c) + rows.position(t, c));
    }
    for (std::size_t c = 0; c < 18; ++c) norm += std::pow(rows.position(3, c), 2);
    CHECK(std::fabs(rows.position_norms[3] - std::sqrt(norm)) < 1e-6);
    CHECK((rows.position_norms[3] > 0) == model.adds_rows());
    CHECK(rows.token_norms[1] == rows.token_norms[3]);  // the same token twice
  }
}

TEST_CASE("nearest rows come by cosine, the lower index first among equals", "[nearest]") {
  const float table[] = {1,  0,  //
                         0,  1,  //
                         2,  0,  //
                         1,  1,  //
                         0,  0,  //
                         -3, 0,  //
                         5,  0};
  const std::vector<Neighbour> near = nearest_rows(table, 7, 2, 0, 3);
  REQUIRE(near.size() == 3);
  CHECK((near[0].row == 2 && near[0].cosine == 1.0));
  CHECK((near[1].row == 6 && near[1].cosine == 1.0));
  CHECK((near[2].row == 3 && std::fabs(near[2].cosine - std::sqrt(0.5)) < 1e-12));
  const std::vector<Neighbour> all = nearest_rows(table, 7, 2, 0, 100);
  REQUIRE(all.size() == 6);
  CHECK((all[3].row == 1 && all[4].row == 4 && all[5].row == 5 && all[5].cosine == -1.0));
  for (const Neighbour& n : nearest_rows(table, 7, 2, 4, 6)) CHECK(n.cosine == 0.0);
  CHECK(refusal([&] { nearest_rows(table, 7, 2, 7, 3); }) ==
        "row is 7; it must be a whole number from 0 to 6.");
}
