#include "trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.h"
#include "kernels/vector.h"

namespace poslab {

double learning_rate_at(const TrainConfig& config, int step) {
  if (step < config.warmup_steps) return config.learning_rate * (step + 1) / config.warmup_steps;
  const double span = std::max(1, config.steps - config.warmup_steps);
  const double progress = std::min(1.0, (step - config.warmup_steps) / span);
  const double shape = 0.5 * (1.0 + sincos(kPi * progress).cos);
  return config.learning_rate * (config.min_lr_ratio + (1.0 - config.min_lr_ratio) * shape);
}

namespace {

const TrainConfig& checked(const TrainConfig& config) {
  const std::string wrong = complaint(config);
  require(wrong.empty(), wrong);
  return config;
}

}  // namespace

Trainer::Trainer(Gpt& model, const Corpus& corpus, const TrainConfig& config)
    : model_(model),
      corpus_(corpus),
      config_(checked(config)),
      optimizer_(model.parameters(), config_),
      batches_(model.config().seed, "batches"),
      inputs_(static_cast<std::size_t>(config_.batch_size) * model.config().block_size),
      targets_(inputs_.size()),
      sum_(model.parameters().total()),
      pair_(sum_.size()),
      shard_(sum_.size()),
      other_weights_(model.weights()) {}

void Trainer::compute_shard(int shard, float* gradient) {
  const int B = config_.batch_size, T = model_.config().block_size;
  const int first = B * shard / kShards, windows = B * (shard + 1) / kShards - first;
  std::fill_n(gradient, sum_.size(), 0.0f);
  if (windows == 0) return;
  const int *inputs = inputs_.data() + first * T, *targets = targets_.data() + first * T;
  model_.forward(inputs, windows, T);
  loss_ += model_.backward(inputs, targets, B * T, gradient);
}

StepMetrics Trainer::step() {
  const int B = config_.batch_size, T = model_.config().block_size;
  draw_batch(batches_, corpus_.tokens(Split::train), B, T, inputs_.data(), targets_.data());
  loss_ = 0.0;
  compute_shard(0, sum_.data());
  compute_shard(1, shard_.data());
  add_to(sum_.data(), shard_.data(), sum_.size());
  compute_shard(2, pair_.data());
  compute_shard(3, shard_.data());
  add_to(pair_.data(), shard_.data(), sum_.size());
  add_to(sum_.data(), pair_.data(), sum_.size());

  if (!std::isfinite(loss_)) stop_diverged("loss");
  const double norm = gradient_norm(model_.parameters(), sum_.data());
  if (!std::isfinite(norm)) stop_diverged("gradient");
  const double clip =
      config_.grad_clip > 0 && norm > config_.grad_clip ? config_.grad_clip / norm : 1.0;
  const double learning_rate = learning_rate_at(config_, step_);
  optimizer_.step(model_.weights().data(), sum_.data(), static_cast<float>(clip), learning_rate,
                  other_weights_.data());
  std::swap(model_.weights(), other_weights_);
  ++step_;
  return {step_, loss_, norm, learning_rate, B * T};
}

void Trainer::stop_diverged(const char* what) {
  // A loss that is not finite condemns the weights it was computed from, so the ones before come
  // back. A gradient that overflows does not: its loss was finite.
  if (what == std::string("loss")) model_.weights() = other_weights_;
  throw Error("The " + std::string(what) + " of step " + text_of(step_ + 1) +
              " is not a finite number, so training stopped there and kept the last good weights. "
              "A learning_rate below " +
              text_of(config_.learning_rate) +
              ", more warmup_steps or a grad_clip of 1 usually helps.");
}

double evaluate(Gpt& model, const Corpus& corpus, Split split, int max_batches) {
  require_between("max_batches", max_batches, 0, 1e9);
  constexpr int kBatch = 16;
  const std::span<const int> tokens = corpus.tokens(split);
  const int T = model.config().block_size;
  const int fitting = (static_cast<int>(tokens.size()) - 1) / T;
  const int windows =
      max_batches > 0 ? static_cast<int>(std::min<long long>(fitting, 1LL * max_batches * kBatch))
                      : fitting;
  std::vector<int> inputs, targets;
  double total = 0.0;
  for (int first = 0; first < windows; first += kBatch) {
    const int B = std::min(kBatch, windows - first);
    inputs.clear();
    targets.clear();
    for (int i = first; i < first + B; ++i) {
      const auto start =
          tokens.begin() + static_cast<std::ptrdiff_t>(1LL * i * fitting / windows) * T;
      inputs.insert(inputs.end(), start, start + T);
      targets.insert(targets.end(), start + 1, start + T + 1);
    }
    model.forward(inputs.data(), B, T);
    total += model.loss(targets.data()) * B;
  }
  return total / windows;
}

}  // namespace poslab
