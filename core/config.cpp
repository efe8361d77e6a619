#include "config.h"

#include "error.h"
#include "position/registry.h"

namespace poslab {

std::string name_of(RopePairing pairing) {
  return pairing == RopePairing::half ? "half" : "adjacent";
}

RopePairing rope_pairing_named(const std::string& name) {
  if (name == "half") return RopePairing::half;
  if (name == "adjacent") return RopePairing::adjacent;
  throw Error("rope_pairing is " + quoted(name) + "; it must be \"half\" or \"adjacent\".");
}

namespace {

void check(const GptConfig& c) {
  require_between("vocab_size", c.vocab_size, 1, 65536);
  require_between("block_size", c.block_size, 1, 4096);
  require_between("n_layer", c.n_layer, 1, 48);
  require_between("n_head", c.n_head, 1, 64);
  require_between("n_embd", c.n_embd, 1, 2048);
  require(c.n_embd % c.n_head == 0, "n_embd is " + text_of(c.n_embd) +
                                        "; it must be a multiple of n_head, which is " +
                                        text_of(c.n_head) + ".");
  if (c.embedding_scale) require_between("embedding_scale", *c.embedding_scale, 1e-6, 1e6);
  require_between("sinusoidal_scale", c.sinusoidal_scale, 0, 1e6);
  require_between("sinusoidal_base", c.sinusoidal_base, 1, 1e12);
  require_between("rope_base", c.rope_base, 1, 1e12);
  require_between("rotary_fraction", c.rotary_fraction, 0, 1);
  position_scheme(c.positions).check(c);
}

void check(const TrainConfig& c) {
  require_between("steps", c.steps, 1, 10'000'000);
  require_between("batch_size", c.batch_size, 1, 4096);
  require_between("learning_rate", c.learning_rate, 0, 1e6);
  require_between("min_lr_ratio", c.min_lr_ratio, 0, 1);
  require_between("warmup_steps", c.warmup_steps, 0, 10'000'000);
  require_between("weight_decay", c.weight_decay, 0, 1e6);
  require_between("beta1", c.beta1, 0, 0.999999);
  require_between("beta2", c.beta2, 0, 0.999999);
  require_between("grad_clip", c.grad_clip, 0, 1e9);
}

template <class Config>
std::string complaint_of(const Config& config) {
  try {
    check(config);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

std::string complaint(const GptConfig& config) { return complaint_of(config); }
std::string complaint(const TrainConfig& config) { return complaint_of(config); }

}  // namespace poslab
