// Every gradient of every registered scheme against finite differences of an independent
// double-precision model (reference_gpt.h).
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "formula_weights.h"
#include "gpt.h"
#include "reference_gpt.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

struct Agreement {
  double logits = 0.0;     // largest absolute difference
  double gradients = 0.0;  // largest |difference| / (|expected| + 0.02 largest of the parameter's)
  std::string worst_parameter;
  std::size_t checked = 0;
};

// A gradient that is zero by symmetry (a bias of the keys shifts all scores of a query alike) is
// rounding noise on the float side: below this share of the model's largest gradient it is taken
// for zero.
constexpr double kNoise = 2e-7;

// The weights are multiples of 2^-17, so a weight plus or minus this step is exact also in the
// floats through which a scheme's own parameters pass.
constexpr double kStep = 0x1p-13;

Agreement compare(const GptConfig& config, int B) {
  const int T = config.block_size;
  Gpt model(config);
  set_formula_weights(model.parameters(), model.change_weights());
  ReferenceGpt reference(model, T);
  const std::vector<int> ids = formula_ids("ids", B * T, config.vocab_size);
  const std::vector<int> targets = formula_ids("targets", B * T, config.vocab_size);

  // A pass over other windows first: nothing that it leaves in the buffers may shine through, nor
  // what was in the gradient.
  std::vector<float> gradients(model.weights().size(), 0.0f);
  const std::vector<int> others = formula_ids("others", (B + 1) * T, config.vocab_size);
  model.forward(others.data(), B + 1, T);
  model.backward(others.data(), others.data(), (B + 1) * T, gradients.data());
  std::fill(gradients.begin(), gradients.end(), NAN);

  Agreement out;
  const float* logits = model.forward(ids.data(), B, T);
  const std::vector<double> expected_logits = reference.logits(ids.data(), B);
  for (std::size_t i = 0; i < expected_logits.size(); ++i) {
    const double difference = std::fabs(logits[i] - expected_logits[i]);
    out.logits = difference <= out.logits ? out.logits : difference;
  }
  model.backward(ids.data(), targets.data(), B * T, gradients.data());

  std::vector<double> expected(model.weights().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double& weight = reference.weights[i];
    const double kept = weight;
    weight = kept + kStep;
    const double above = reference.loss(ids.data(), targets.data(), B);
    weight = kept - kStep;
    const double below = reference.loss(ids.data(), targets.data(), B);
    weight = kept;
    expected[i] = (above - below) / (2 * kStep);
    largest = std::max(largest, std::fabs(expected[i]));
  }
  for (const Parameter& parameter : model.parameters().all()) {
    double own_largest = 0.0;
    for (std::size_t i = 0; i < parameter.ref.size; ++i) {
      own_largest = std::max(own_largest, std::fabs(expected[parameter.ref.offset + i]));
    }
    for (std::size_t i = 0; i < parameter.ref.size; ++i, ++out.checked) {
      const std::size_t at = parameter.ref.offset + i;
      const double scale = std::fabs(expected[at]) + 0.02 * own_largest;
      const double excess = std::fabs(gradients[at] - expected[at]) - kNoise * largest;
      const double difference = excess <= 0 ? 0.0 : excess / scale;
      if (!(difference <= out.gradients)) {
        out.gradients = difference;
        out.worst_parameter = parameter.name;
      }
    }
  }
  return out;
}

void check_gradients(const GptConfig& config, int B) {
  const Agreement agreement = compare(config, B);
  INFO(config.positions << " causal " << config.causal << " tied " << config.tie_weights
                        << " pairing " << name_of(config.rope_pairing) << ": gradients off by "
                        << agreement.gradients << " in " << agreement.worst_parameter
                        << ", logits by " << agreement.logits);
  CHECK(agreement.logits < 1e-5);
  CHECK(agreement.gradients < 1e-4);
  CHECK(agreement.checked == Gpt(config).parameters().total());
}

GptConfig small_config(const std::string& positions) {
  GptConfig config;
  config.vocab_size = 7, config.block_size = 6;
  config.n_layer = 2, config.n_head = 2, config.n_embd = 8;
  config.positions = positions;
  return config;
}

}  // namespace

TEST_CASE("every parameter of every scheme has the gradient of finite differences", "[gradient]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {true, false}) {
      for (const bool tied : {true, false}) {
        GptConfig config = small_config(scheme->name());
        config.causal = causal, config.tie_weights = tied;
        check_gradients(config, 2);
      }
    }
  }
}

TEST_CASE("gradients hold for widths and lengths that fill no vector and no tile", "[gradient]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {true, false}) {
      GptConfig config = small_config(scheme->name());
      config.causal = causal;
      config.vocab_size = 11, config.block_size = 19;
      config.n_layer = 1, config.n_head = 1, config.n_embd = 6;
      check_gradients(config, 1);
      config.block_size = 1;
      check_gradients(config, 3);
      config.block_size = 9, config.n_head = 3, config.n_embd = 6;
      check_gradients(config, 1);
    }
  }
}

TEST_CASE("gradients hold for odd heads of every scheme that allows them", "[gradient]") {
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config = small_config(scheme->name());
    config.n_head = 3, config.n_embd = 9, config.n_layer = 1;
    if (complaint(config).empty()) check_gradients(config, 2);
  }
}

TEST_CASE("gradients hold for both RoPE pairings and partly turned heads", "[gradient][rope]") {
  for (const RopePairing pairing : {RopePairing::half, RopePairing::adjacent}) {
    for (const double fraction : {1.0, 0.5, 0.0}) {
      GptConfig config = small_config("rope");
      config.n_head = 1, config.n_layer = 1;
      config.rope_pairing = pairing, config.rotary_fraction = fraction, config.rope_base = 50.0;
      check_gradients(config, 2);
    }
  }
}

TEST_CASE("gradients hold with scaled embeddings and scaled waves", "[gradient]") {
  GptConfig config = small_config("sinusoidal");
  config.embedding_scale = 0.75, config.sinusoidal_scale = 0.3, config.sinusoidal_base = 40.0;
  check_gradients(config, 2);
  config = small_config("learned");
  config.embedding_scale = 3.0;
  check_gradients(config, 2);
}

TEST_CASE("windows computed in parts add up to the gradient of the whole batch", "[gradient]") {
  const GptConfig config = small_config("learned");
  Gpt model(config);
  set_formula_weights(model.parameters(), model.change_weights());
  constexpr int B = 3, T = 6;
  const std::vector<int> ids = formula_ids("ids", B * T, 7);
  const std::vector<int> targets = formula_ids("targets", B * T, 7);
  std::vector<float> whole(model.weights().size()), parts = whole, rest = whole;
  model.forward(ids.data(), B, T);
  const double loss = model.backward(ids.data(), targets.data(), B * T, whole.data());
  model.forward(ids.data(), 1, T);
  double loss_of_parts = model.backward(ids.data(), targets.data(), B * T, parts.data());
  model.forward(ids.data() + T, 2, T);
  loss_of_parts += model.backward(ids.data() + T, targets.data() + T, B * T, rest.data());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += rest[i];
  CHECK(std::fabs(loss_of_parts - loss) < 1e-12);
  double largest = 0.0;
  for (const float g : whole) largest = std::max(largest, std::fabs(static_cast<double>(g)));
  CHECK(largest_difference(whole.data(), parts.data(), whole.size()) < 1e-6 * largest);
}

TEST_CASE("numbers that were not finite do not haunt a model once its weights are good again",
          "[gradient]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {true, false}) {
      GptConfig config = odd_config(scheme->name());
      config.causal = causal, config.block_size = 19;
      Gpt haunted(config), fresh(config);
      const std::vector<int> ids = formula_ids("ids", 2 * 19, 11);
      std::vector<float> expected(fresh.weights().size()), gradients = expected;
      for (float& w : haunted.change_weights()) w = NAN;
      haunted.forward(ids.data(), 2, 19);
      haunted.backward(ids.data(), ids.data(), 2 * 19, gradients.data());
      haunted.initialise();
      for (Gpt* model : {&haunted, &fresh}) {
        model->forward(ids.data(), 1, 13);
        model->backward(ids.data(), ids.data() + 1, 13,
                        (model == &fresh ? expected : gradients).data());
      }
      INFO(scheme->name() << " causal " << causal);
      CHECK(same(gradients, expected));
    }
  }
}
