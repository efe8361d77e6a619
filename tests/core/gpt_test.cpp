#include "gpt.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "formula_weights.h"
#include "position/registry.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

Gpt formula_model(const GptConfig& config) {
  Gpt model(config);
  set_formula_weights(model.parameters(), model.change_weights());
  return model;
}

std::vector<float> logits_of(Gpt& model, const std::vector<int>& ids, int B = 1) {
  const int T = static_cast<int>(ids.size()) / B;
  const float* logits = model.forward(ids.data(), B, T);
  return {logits, logits + ids.size() * model.config().vocab_size};
}

std::vector<float> row(const std::vector<float>& logits, int t, int V) {
  return {logits.begin() + t * V, logits.begin() + (t + 1) * V};
}

}  // namespace

TEST_CASE("parameter counts are those of the lesson", "[gpt]") {
  GptConfig config;
  config.vocab_size = 65, config.block_size = 32, config.n_embd = 32, config.n_layer = 2;
  config.positions = "learned";
  CHECK(Gpt(config).parameters().total() == 28'576);
  config.tie_weights = false;
  CHECK(Gpt(config).parameters().total() == 30'656);
  for (const char* positions : {"none", "sinusoidal", "rope", "alibi"}) {
    config.positions = positions, config.tie_weights = true;
    CHECK(Gpt(config).parameters().total() == 28'576 - 32 * 32);
  }
}

TEST_CASE("parameters fill the flat buffer without gaps and have GPT-2's names and shapes",
          "[gpt]") {
  GptConfig config = odd_config("learned");
  config.tie_weights = false;
  const Gpt model(config);
  std::size_t end = 0;
  for (const Parameter& parameter : model.parameters().all()) {
    CHECK(parameter.ref.offset == end);
    end += parameter.ref.size;
    CHECK(parameter.decay == (parameter.shape.size() == 2));
  }
  CHECK(end == model.weights().size());
  const ParameterList& list = model.parameters();
  CHECK(list.named("wte.weight").shape == std::vector<int>{11, 18});
  CHECK(list.named("wpe.weight").shape == std::vector<int>{13, 18});
  CHECK(list.named("h.1.attn.c_attn.weight").shape == std::vector<int>{54, 18});
  CHECK(list.named("h.0.attn.c_proj.bias").shape == std::vector<int>{18});
  CHECK(list.named("h.1.mlp.c_fc.weight").shape == std::vector<int>{72, 18});
  CHECK(list.named("h.0.mlp.c_proj.weight").shape == std::vector<int>{18, 72});
  CHECK(list.named("lm_head.weight").shape == std::vector<int>{11, 18});
  CHECK(refusal([&] {
          list.named("wtf");
        }).starts_with("There is no parameter \"wtf\"; this model has wte.weight, wpe.weight, "));
}

TEST_CASE("initial weights have GPT-2's spreads and come back on initialise", "[gpt]") {
  GptConfig config;
  config.vocab_size = 65, config.n_layer = 2;
  Gpt model(config);
  for (const Parameter& parameter : model.parameters().all()) {
    const float* w = model.weights().data() + parameter.ref.offset;
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < parameter.ref.size; ++i) sum += w[i], squares += w[i] * w[i];
    const double n = static_cast<double>(parameter.ref.size);
    INFO(parameter.name);
    if (parameter.shape.size() == 1) {
      CHECK(sum == (parameter.name.ends_with(".weight") ? n : 0.0));
      CHECK(squares == sum);
      continue;
    }
    // 0.02, and 0.02 / sqrt(2 layers * 2 branches) for what ends in the residual stream.
    const double expected = parameter.name.find("c_proj") == std::string::npos ? 0.02 : 0.01;
    CHECK(std::fabs(std::sqrt(squares / n) / expected - 1.0) < 4.0 / std::sqrt(2.0 * n));
    CHECK(std::fabs(sum / n) < 4.0 * expected / std::sqrt(n));
  }
  const Floats first = model.weights();
  for (float& w : model.change_weights()) w += 1.0f;
  model.initialise();
  CHECK(same(model.weights(), first));
  config.seed = 1;
  CHECK(largest_difference(Gpt(config).weights().data(), first.data(), first.size()) > 0.01);
}

TEST_CASE("the loss before training is within 0.1 of ln V for every scheme", "[gpt]") {
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config;
    config.vocab_size = 65;
    config.positions = scheme->name();
    Gpt model(config);
    Rng rng(1, "loss");
    const std::vector<int> ids = random_ids(rng, 4 * 64, 65), targets = random_ids(rng, 4 * 64, 65);
    model.forward(ids.data(), 4, 64);
    INFO(scheme->name());
    CHECK(std::fabs(model.loss(targets.data()) - std::log(65.0)) < 0.1);
  }
}

TEST_CASE("one causal layer without positions is blind to the order of earlier tokens", "[gpt]") {
  // "abcX" and "cabX"
  const std::vector<int> abcx = {0, 1, 2, 3}, cabx = {2, 0, 1, 3};
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config;
    config.vocab_size = 4, config.block_size = 8;
    config.n_layer = 1, config.n_head = 4, config.n_embd = 32;
    config.positions = scheme->name();
    Gpt model = formula_model(config);
    const std::vector<float> a = row(logits_of(model, abcx), 3, 4);
    const std::vector<float> b = row(logits_of(model, cabx), 3, 4);
    const double difference = largest_difference(a.data(), b.data(), 4);
    INFO(scheme->name() << " differs by " << difference);
    if (scheme->name() == "none") {
      CHECK(difference < 1e-6);
    } else {
      CHECK(difference > 1e-2);
    }
  }
}

TEST_CASE("two causal layers without positions are no longer blind: the mask leaks order",
          "[gpt]") {
  GptConfig config;
  config.vocab_size = 4, config.block_size = 8;
  config.n_layer = 2, config.n_head = 4, config.n_embd = 32;
  config.positions = "none";
  Gpt model = formula_model(config);
  const std::vector<float> a = row(logits_of(model, {0, 1, 2, 3}), 3, 4);
  const std::vector<float> b = row(logits_of(model, {2, 0, 1, 3}), 3, 4);
  CHECK(largest_difference(a.data(), b.data(), 4) > 1e-2);

  config.causal = false;  // without the mask it is blind at any depth
  Gpt encoder = formula_model(config);
  const std::vector<float> c = row(logits_of(encoder, {0, 1, 2, 3}), 3, 4);
  const std::vector<float> d = row(logits_of(encoder, {2, 0, 1, 3}), 3, 4);
  CHECK(largest_difference(c.data(), d.data(), 4) < 2e-6);
}

TEST_CASE("attention rows sum to 1 and look at nothing that is masked", "[gpt][attention]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {true, false}) {
      GptConfig config = odd_config(scheme->name());
      config.causal = causal;
      Gpt model = formula_model(config);
      const std::size_t T = 13;
      // Leftovers of an earlier pass in the buffers must not be taken for weights.
      logits_of(model, formula_ids("others", 3 * T, config.vocab_size), 3);
      logits_of(model, formula_ids("ids", T, config.vocab_size));
      const Tensor<4> weights = model.attention_weights();
      REQUIRE(weights.shape() == Tensor<4>::shape_type{2, 3, T, T});
      double worst = 0.0;
      bool masked_are_zero = true, seen_are_positive = true;
      for (std::size_t row_at = 0; row_at < 2 * 3 * T; ++row_at) {
        const float* p = weights.data() + row_at * T;
        double sum = 0.0;
        for (std::size_t j = 0; j < T; ++j) {
          sum += p[j];
          const bool masked = causal && j > row_at % T;
          if (masked) masked_are_zero = masked_are_zero && same(p[j], 0.0f);
          if (!masked) seen_are_positive = seen_are_positive && p[j] > 0.0f;
        }
        worst = std::max(worst, std::fabs(sum - 1.0));
      }
      INFO(scheme->name() << " causal " << causal);
      CHECK(worst < 1e-6);
      CHECK(masked_are_zero);
      CHECK(seen_are_positive);
    }
  }
}

TEST_CASE("attention weights are the softmax of turned queries, keys and biases", "[attention]") {
  // One head, one layer: from the parameters by hand.
  GptConfig config = odd_config("alibi");
  config.n_layer = 1, config.n_head = 1, config.n_embd = 2, config.vocab_size = 3;
  Gpt model(config);
  std::fill(model.change_weights().begin(), model.change_weights().end(), 0.0f);
  float* w = model.change_weights().data();
  // LayerNorm off: every row becomes its bias (1, 2); queries and keys are then constant, so that
  // scores are equal and only the bias 2^-8 * distance tells keys apart.
  const ParameterRef bias = model.parameters().named("h.0.ln_1.bias").ref;
  w[bias.offset] = 1.0f, w[bias.offset + 1] = 2.0f;
  const ParameterRef qkv = model.parameters().named("h.0.attn.c_attn.weight").ref;
  for (int i = 0; i < 8; ++i) w[qkv.offset + i] = 0.25f * static_cast<float>(i);
  logits_of(model, {0, 1, 2, 1});
  const Tensor<4> weights = model.attention_weights();
  for (int i = 0; i < 4; ++i) {
    double total = 0.0;
    for (int j = 0; j <= i; ++j) total += std::exp(-(i - j) / 256.0);
    for (int j = 0; j <= i; ++j) {
      CHECK(std::fabs(weights(0, 0, i, j) - std::exp(-(i - j) / 256.0) / total) < 1e-7);
    }
  }
}

TEST_CASE("asking for attention weights does not change the logits by one bit", "[attention]") {
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model = formula_model(odd_config(scheme->name()));
    const std::vector<int> ids = formula_ids("ids", 12, 11);
    const float* logits = model.forward(ids.data(), 1, 12);
    const std::vector<float> before(logits, logits + 12 * 11);
    model.attention_weights();
    CHECK(same(before, {logits, logits + 12 * 11}));
    CHECK(same(before, logits_of(model, ids)));
  }
}

TEST_CASE("attention weights are kept for a single window only", "[attention]") {
  Gpt model(odd_config("none"));
  logits_of(model, formula_ids("ids", 10, 11), 2);
  CHECK(refusal([&] { model.attention_weights(); }) ==
        "Attention weights are kept for one window without a cache.");
}

TEST_CASE("under a causal mask later tokens do not change earlier logits by one bit", "[gpt]") {
  for (const PositionScheme* scheme : position_schemes()) {
    Gpt model = formula_model(odd_config(scheme->name()));
    const std::vector<int> ids = formula_ids("ids", 13, 11);
    const std::vector<float> all = logits_of(model, ids);
    for (int changed = 1; changed < 13; ++changed) {
      std::vector<int> other = ids;
      other[changed] = (other[changed] + 1) % 11;
      const std::vector<float> logits = logits_of(model, other);
      INFO(scheme->name() << " token " << changed);
      REQUIRE(std::equal(all.begin(), all.begin() + changed * 11, logits.begin()));
      REQUIRE_FALSE(same(row(all, changed, 11), row(logits, changed, 11)));
    }
    // and neither does their absence
    for (int T = 1; T < 13; ++T) {
      const std::vector<float> shorter = logits_of(model, {ids.begin(), ids.begin() + T});
      REQUIRE(same(shorter, {all.begin(), all.begin() + T * 11}));
    }
  }
}

TEST_CASE("without a mask earlier tokens see later ones", "[gpt]") {
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config = odd_config(scheme->name());
    config.causal = false;
    Gpt model = formula_model(config);
    std::vector<int> ids = formula_ids("ids", 13, 11);
    const std::vector<float> before = row(logits_of(model, ids), 0, 11);
    ids[12] = (ids[12] + 1) % 11;
    const std::vector<float> after = row(logits_of(model, ids), 0, 11);
    CHECK(largest_difference(before.data(), after.data(), 11) > 1e-4);
  }
}

TEST_CASE("windows of a batch do not see each other, to the last bit", "[gpt]") {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool causal : {true, false}) {
      GptConfig config = odd_config(scheme->name());
      config.causal = causal;
      Gpt model = formula_model(config);
      const std::vector<int> ids = formula_ids("ids", 3 * 7, 11);
      const std::vector<float> batch = logits_of(model, ids, 3);
      for (int b = 0; b < 3; ++b) {
        const std::vector<float> alone =
            logits_of(model, {ids.begin() + 7 * b, ids.begin() + 7 * (b + 1)});
        REQUIRE(same(alone, {batch.begin() + 77 * b, batch.begin() + 77 * (b + 1)}));
      }
    }
  }
}

TEST_CASE("embedding_scale multiplies token rows and is sqrt(n_embd) for the waves", "[gpt]") {
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig open = odd_config(scheme->name()), set = open;
    set.embedding_scale = scheme->name() == "sinusoidal" ? std::sqrt(18.0) : 1.0;
    Gpt a = formula_model(open), b = formula_model(set);
    const std::vector<int> ids = formula_ids("ids", 9, 11);
    CHECK(same(logits_of(a, ids), logits_of(b, ids)));
    set.embedding_scale = 0.1;
    Gpt c = formula_model(set);
    CHECK_FALSE(same(logits_of(a, ids), logits_of(c, ids)));
  }
}
