#include "trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.h"

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
      batch_{config_.batch_size, model.config().block_size, {}, {}},
      gradient_(model.parameters().total()),
      other_weights_(model.weights()) {
  batch_.inputs.resize(static_cast<std::size_t>(batch_.B) * batch_.T);
  batch_.targets.resize(batch_.inputs.size());
}

const Batch& Trainer::draw() {
  gradient_.clear();
  draw_batch(batches_, corpus_.tokens(Split::train), batch_.B, batch_.T, batch_.inputs.data(),
             batch_.targets.data());
  return batch_;
}

StepMetrics Trainer::step() {
  draw();
  compute(0, kShards);
  return update();
}

StepMetrics Trainer::update() {
  gradient_.complete();
  const double loss = gradient_.loss();
  if (!std::isfinite(loss)) stop_diverged("loss");
  const float* gradient = gradient_.gradient(0).data();
  const double norm = gradient_norm(model_.parameters(), gradient);
  if (!std::isfinite(norm)) stop_diverged("gradient");
  const double clip =
      config_.grad_clip > 0 && norm > config_.grad_clip ? config_.grad_clip / norm : 1.0;
  const double learning_rate = learning_rate_at(config_, step_);
  optimizer_.step(model_.weights().data(), gradient, static_cast<float>(clip), learning_rate,
                  other_weights_.data());
  std::swap(model_.change_weights(), other_weights_);
  gradient_.clear();
  ++step_;
  return {step_, loss, norm, learning_rate, batch_.B * batch_.T};
}

void Trainer::stop_diverged(const char* what) {
  // A loss that is not finite condemns the weights it was computed from, so the ones before come
  // back. A gradient that overflows does not: its loss was finite.
  if (what == std::string("loss")) model_.change_weights() = other_weights_;
  throw Error("The " + std::string(what) + " of step " + text_of(step_ + 1) +
              " is not a finite number, so training stopped there and kept the last good weights. "
              "A learning_rate below " +
              text_of(config_.learning_rate) +
              ", more warmup_steps or a grad_clip of 1 usually helps.");
}

Evaluation::Evaluation(Gpt& model, const Corpus& corpus, Split split, int max_batches)
    : model_(model), tokens_(corpus.tokens(split)) {
  require_between("max_batches", max_batches, 0, 1e9);
  constexpr int kBatch = 16;
  fitting_ = (static_cast<int>(tokens_.size()) - 1) / model.config().block_size;
  windows_ = max_batches > 0
                 ? static_cast<int>(std::min<long long>(fitting_, 1LL * max_batches * kBatch))
                 : fitting_;
  inputs_.reserve(static_cast<std::size_t>(std::min(kPass, windows_)) * model.config().block_size);
  targets_.reserve(inputs_.capacity());
}

void Evaluation::advance() {
  const int T = model_.config().block_size;
  const int B = std::min(kPass, windows_ - measured_);
  if (B == 0) return;
  inputs_.clear();
  targets_.clear();
  for (int i = measured_; i < measured_ + B; ++i) {
    const auto start =
        tokens_.begin() + static_cast<std::ptrdiff_t>(1LL * i * fitting_ / windows_) * T;
    inputs_.insert(inputs_.end(), start, start + T);
    targets_.insert(targets_.end(), start + 1, start + T + 1);
  }
  model_.forward(inputs_.data(), B, T);
  total_ += model_.loss(targets_.data()) * B;
  measured_ += B;
}

double evaluate(Gpt& model, const Corpus& corpus, Split split, int max_batches) {
  Evaluation evaluation(model, corpus, split, max_batches);
  while (!evaluation.done()) evaluation.advance();
  return evaluation.loss();
}

}  // namespace poslab
