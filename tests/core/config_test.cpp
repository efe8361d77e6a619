// Each rejected value with its whole sentence: field, value, what is allowed.
#include "config.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <limits>

#include "gpt.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

GptConfig valid() {
  GptConfig config;
  config.vocab_size = 65;
  return config;
}

template <class Config>
struct Rejected {
  std::function<void(Config&)> change;
  std::string sentence;
};

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the defaults are accepted", "[config]") {
  CHECK(complaint(valid()) == "");
  CHECK(complaint(TrainConfig{}) == "");
}

TEST_CASE("each unusable model setting is refused in a sentence that names it", "[config]") {
  using C = GptConfig;
  const std::vector<Rejected<C>> cases = {
      {[](C& c) { c.vocab_size = 0; }, "vocab_size is 0; it must be from 1 to 65536."},
      {[](C& c) { c.vocab_size = 65537; }, "vocab_size is 65537; it must be from 1 to 65536."},
      {[](C& c) { c.block_size = 0; }, "block_size is 0; it must be from 1 to 4096."},
      {[](C& c) { c.block_size = 4097; }, "block_size is 4097; it must be from 1 to 4096."},
      {[](C& c) { c.n_layer = 0; }, "n_layer is 0; it must be from 1 to 48."},
      {[](C& c) { c.n_layer = 49; }, "n_layer is 49; it must be from 1 to 48."},
      {[](C& c) { c.n_head = 0; }, "n_head is 0; it must be from 1 to 64."},
      {[](C& c) { c.n_head = 65; }, "n_head is 65; it must be from 1 to 64."},
      {[](C& c) { c.n_embd = -4; }, "n_embd is -4; it must be from 1 to 2048."},
      {[](C& c) { c.n_embd = 2049; }, "n_embd is 2049; it must be from 1 to 2048."},
      {[](C& c) { c.n_embd = 66; }, "n_embd is 66; it must be a multiple of n_head, which is 4."},
      {[](C& c) { c.embedding_scale = 0.0; },
       "embedding_scale is 0; it must be from 1e-06 to 1000000."},
      {[](C& c) { c.embedding_scale = kNaN; },
       "embedding_scale is nan; it must be from 1e-06 to 1000000."},
      {[](C& c) { c.sinusoidal_scale = -1; },
       "sinusoidal_scale is -1; it must be from 0 to 1000000."},
      {[](C& c) { c.sinusoidal_base = 0.5; },
       "sinusoidal_base is 0.5; it must be from 1 to 1e+12."},
      {[](C& c) { c.rope_base = 0; }, "rope_base is 0; it must be from 1 to 1e+12."},
      {[](C& c) { c.rope_base = 2e12; }, "rope_base is 2e+12; it must be from 1 to 1e+12."},
      {[](C& c) { c.rotary_fraction = 1.5; }, "rotary_fraction is 1.5; it must be from 0 to 1."},
      {[](C& c) { c.rotary_fraction = kNaN; }, "rotary_fraction is nan; it must be from 0 to 1."},
      {[](C& c) { c.positions = "roap"; },
       "positions is \"roap\"; it must be one of \"none\", \"learned\", \"sinusoidal\", \"rope\", "
       "\"alibi\"."},
      {[](C& c) { c.positions = "rope", c.n_embd = 20; },
       "rotary_fraction is 1; of a head width of 5 that is 5 numbers, and RoPE turns pairs, so it "
       "must be an even whole number."},
      {[](C& c) { c.positions = "rope", c.rotary_fraction = 0.3; },
       "rotary_fraction is 0.3; of a head width of 16 that is 4.8 numbers, and RoPE turns pairs, "
       "so it must be an even whole number."},
      {[](C& c) { c.positions = "rope", c.rotary_fraction = 0.0625; },
       "rotary_fraction is 0.0625; of a head width of 16 that is 1 numbers, and RoPE turns pairs, "
       "so it must be an even whole number."},
  };
  for (const Rejected<C>& rejected : cases) {
    GptConfig config = valid();
    rejected.change(config);
    CHECK(complaint(config) == rejected.sentence);
    CHECK(refusal([&] { Gpt model(config); }) == rejected.sentence);
  }
}

TEST_CASE("each unusable training setting is refused in a sentence that names it", "[config]") {
  using C = TrainConfig;
  const std::vector<Rejected<C>> cases = {
      {[](C& c) { c.steps = 0; }, "steps is 0; it must be from 1 to 10000000."},
      {[](C& c) { c.batch_size = 0; }, "batch_size is 0; it must be from 1 to 4096."},
      {[](C& c) { c.batch_size = 5000; }, "batch_size is 5000; it must be from 1 to 4096."},
      {[](C& c) { c.learning_rate = -1e-3; },
       "learning_rate is -0.001; it must be from 0 to 1000000."},
      {[](C& c) { c.learning_rate = kNaN; }, "learning_rate is nan; it must be from 0 to 1000000."},
      {[](C& c) { c.min_lr_ratio = 2; }, "min_lr_ratio is 2; it must be from 0 to 1."},
      {[](C& c) { c.warmup_steps = -1; }, "warmup_steps is -1; it must be from 0 to 10000000."},
      {[](C& c) { c.weight_decay = -0.1; }, "weight_decay is -0.1; it must be from 0 to 1000000."},
      {[](C& c) { c.beta1 = 1; }, "beta1 is 1; it must be from 0 to 0.999999."},
      {[](C& c) { c.beta2 = -0.5; }, "beta2 is -0.5; it must be from 0 to 0.999999."},
      {[](C& c) { c.grad_clip = -1; }, "grad_clip is -1; it must be from 0 to 1000000000."},
  };
  for (const Rejected<C>& rejected : cases) {
    TrainConfig config;
    rejected.change(config);
    CHECK(complaint(config) == rejected.sentence);
  }
}

TEST_CASE("settings at the edge of what is allowed are accepted", "[config]") {
  GptConfig config = valid();
  config.n_head = 1, config.n_embd = 1, config.n_layer = 1, config.block_size = 1;
  config.vocab_size = 1;
  CHECK(complaint(config) == "");
  config = valid();
  config.n_embd = 20;  // heads of 5: odd, fine for all that do not turn pairs
  for (const char* positions : {"none", "learned", "sinusoidal", "alibi"}) {
    config.positions = positions;
    CHECK(complaint(config) == "");
  }
  config.positions = "rope", config.n_embd = 64;
  for (const double fraction : {0.0, 0.125, 0.5, 1.0}) {
    config.rotary_fraction = fraction;
    CHECK(complaint(config) == "");
  }
}

TEST_CASE("rope pairings go by name", "[config]") {
  CHECK(rope_pairing_named("half") == RopePairing::half);
  CHECK(rope_pairing_named("adjacent") == RopePairing::adjacent);
  CHECK(name_of(RopePairing::half) == "half");
  CHECK(name_of(RopePairing::adjacent) == "adjacent");
  CHECK(refusal([] { rope_pairing_named("both"); }) ==
        "rope_pairing is \"both\"; it must be \"half\" or \"adjacent\".");
}
