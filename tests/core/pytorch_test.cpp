// Logits, loss, gradients and optimiser against numbers that PyTorch computed in double precision
// (tests/fixtures/make_gpt_fixture.py).
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <map>

#include "adamw.h"
#include "formula_weights.h"
#include "gpt.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

using Arrays = std::map<std::string, std::vector<double>>;

struct ModelCase {
  GptConfig config;
  Arrays results;
};

struct Fixture {
  std::vector<ModelCase> models;
  Arrays adamw;
};

void read_array(std::istream& in, Arrays& into) {
  std::string name;
  std::size_t n = 0;
  in >> name >> n;
  std::vector<double>& values = into[name];
  for (values.resize(n); double& x : values) in >> x;
}

void set_field(GptConfig& c, const std::string& key, const std::string& value) {
  if (key == "positions") {
    c.positions = value;
  } else if (key == "rope_pairing") {
    c.rope_pairing = rope_pairing_named(value);
  } else {
    const double x = std::stod(value);
    if (key == "vocab_size") c.vocab_size = static_cast<int>(x);
    if (key == "block_size") c.block_size = static_cast<int>(x);
    if (key == "n_layer") c.n_layer = static_cast<int>(x);
    if (key == "n_head") c.n_head = static_cast<int>(x);
    if (key == "n_embd") c.n_embd = static_cast<int>(x);
    if (key == "causal") c.causal = x != 0;
    if (key == "tie_weights") c.tie_weights = x != 0;
    if (key == "sinusoidal_scale") c.sinusoidal_scale = x;
    if (key == "sinusoidal_base") c.sinusoidal_base = x;
    if (key == "rope_base") c.rope_base = x;
    if (key == "rotary_fraction") c.rotary_fraction = x;
  }
}

Fixture read_fixture() {
  std::ifstream in(POSLAB_FIXTURES "/gpt.txt");
  Fixture fixture;
  std::string word;
  std::getline(in, word);  // the comment
  while (in >> word && word != "end") {
    if (word == "adamw") {
      read_array(in, fixture.adamw);
      read_array(in, fixture.adamw);
      continue;
    }
    ModelCase& model = fixture.models.emplace_back();
    std::string key, value;
    while (in >> key >> value && key != "results") set_field(model.config, key, value);
    for (int i = std::stoi(value); i > 0; --i) read_array(in, model.results);
  }
  return fixture;
}

// Largest difference relative to the expected number; numbers below a hundredth of the array's
// largest are measured against that hundredth, since their digits are lost in sums with larger
// ones.
double relative_difference(const float* got, const std::vector<double>& expected,
                           double least_scale = 0.0) {
  double largest = 0.0, worst = 0.0;
  for (const double x : expected) largest = std::max(largest, std::fabs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double scale = std::max({std::fabs(expected[i]), 0.01 * largest, least_scale});
    const double difference = std::fabs(got[i] - expected[i]) / scale;
    worst = difference <= worst ? worst : difference;  // a NaN stays
  }
  return worst;
}

}  // namespace

TEST_CASE("logits, loss and gradients are PyTorch's within 1e-4 relative for all schemes",
          "[pytorch]") {
  const Fixture fixture = read_fixture();
  REQUIRE(fixture.models.size() == 7);
  for (const ModelCase& model_case : fixture.models) {
    const GptConfig& config = model_case.config;
    INFO(config.positions << " heads " << config.n_head << " causal " << config.causal << " tied "
                          << config.tie_weights);
    Gpt model(config);
    set_formula_weights(model.parameters(), model.change_weights());
    const int B = 2, T = config.block_size;
    const std::vector<int> ids = formula_ids("ids", B * T, config.vocab_size);
    const std::vector<int> targets = formula_ids("targets", B * T, config.vocab_size);
    const Arrays& results = model_case.results;

    const double logits =
        relative_difference(model.forward(ids.data(), B, T), results.at("logits"));
    INFO("logits off by " << logits);
    CHECK(logits < 1e-4);
    const double loss = results.at("loss")[0];
    CHECK(std::fabs(model.loss(targets.data()) / loss - 1.0) < 1e-6);
    std::vector<float> gradients(model.weights().size());
    CHECK(std::fabs(model.backward(ids.data(), targets.data(), B * T, gradients.data()) / loss -
                    1.0) < 1e-6);

    REQUIRE(results.size() == model.parameters().all().size() + 2);
    for (const Parameter& parameter : model.parameters().all()) {
      REQUIRE(results.at(parameter.name).size() == parameter.ref.size);
      const float* gradient = gradients.data() + parameter.ref.offset;
      const double worst = relative_difference(gradient, results.at(parameter.name));
      INFO(parameter.name << " off by " << worst);
      CHECK(worst < 1e-4);
    }
  }
}

TEST_CASE("every scheme the registry began with has PyTorch numbers", "[pytorch]") {
  std::string names;
  for (const ModelCase& model_case : read_fixture().models)
    names += model_case.config.positions + " ";
  CHECK(names == "none learned sinusoidal rope rope alibi alibi ");
}

TEST_CASE("six steps of AdamW are PyTorch's, decay on the matrix only", "[pytorch][adamw]") {
  const Fixture fixture = read_fixture();
  ParameterList parameters;
  parameters.add("matrix.weight", {5, 7}, Init::zeros, 0.0, true);
  parameters.add("vector.bias", {7}, Init::zeros, 0.0, false);
  std::vector<float> weights(parameters.total()), gradients(weights.size()),
      updated(weights.size());
  set_formula_weights(parameters, weights);
  TrainConfig config;
  config.weight_decay = 0.3, config.beta1 = 0.8, config.beta2 = 0.95;
  AdamW optimizer(parameters, config);
  for (int step = 0; step < 6; ++step) {
    for (const Parameter& parameter : parameters.all()) {
      const std::vector<float> g =
          formula(parameter.name + " step " + std::to_string(step), parameter.ref.size);
      // Twice the gradient and half its scale: the scale must reach both moments.
      for (std::size_t i = 0; i < g.size(); ++i) gradients[parameter.ref.offset + i] = 2.0f * g[i];
    }
    optimizer.step(weights.data(), gradients.data(), 0.5f, 0.01 * (step + 1), updated.data());
    weights.swap(updated);
  }
  for (const Parameter& parameter : parameters.all()) {
    CHECK(relative_difference(weights.data() + parameter.ref.offset,
                              fixture.adamw.at(parameter.name)) < 1e-5);
  }
}
