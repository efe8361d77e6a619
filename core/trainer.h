// Training: step() = batch, forward, backward, clip, update, metrics; evaluate() on either split.
#pragma once

#include <span>
#include <vector>

#include "adamw.h"
#include "config.h"
#include "corpus.h"
#include "gpt.h"
#include "rng.h"
#include "shards.h"

namespace poslab {

struct StepMetrics {
  int step;              // steps taken so far, this one included
  double loss;           // of this step's batch before the update, nats per token
  double grad_norm;      // before clipping
  double learning_rate;  // of this step
  int tokens;            // in this step's batch
};

// Learning rate of step `step` (from 0): linear warm-up over warmup_steps, then a cosine that
// reaches learning_rate * min_lr_ratio at `steps` and stays there.
double learning_rate_at(const TrainConfig& config, int step);

class Trainer {
 public:
  // Starts a fresh optimiser on the model's present weights. Batches are drawn from the model's
  // seed, the same for every model with that seed, block_size and batch_size. Model and corpus must
  // outlive the trainer. Throws complaint(config).
  Trainer(Gpt& model, const Corpus& corpus, const TrainConfig& config);

  // One optimiser step. Throws at the first loss or gradient that is not finite; the model then has
  // the last weights whose loss was finite. Allocates nothing once the first step is done.
  StepMetrics step();

  // step() in three parts, for several workers that share it: draw the batch; compute shards of its
  // gradient, or accept them from others, until all are there; update. The result has the same bits
  // however the shards came.
  const Batch& draw();
  const Batch& batch() const { return batch_; }  // that draw() drew last
  ShardedGradient& gradient() { return gradient_; }
  void compute(int first, int count) { gradient_.compute(model_, batch_, first, count); }
  StepMetrics update();

 private:
  [[noreturn]] void stop_diverged(const char* what);

  Gpt& model_;
  const Corpus& corpus_;
  TrainConfig config_;
  AdamW optimizer_;
  Rng batches_;
  int step_ = 0;
  Batch batch_;
  ShardedGradient gradient_;
  // The update is written here, then swapped in: what it held is the last good.
  Floats other_weights_;
};

// The mean loss of a split, a few windows at a time, so that a worker can do something else between
// them. The model's weights must stay as they are meanwhile. Allocates two lists of ids however
// many windows there are, once the model has seen its largest batch.
class Evaluation {
 public:
  Evaluation(Gpt& model, const Corpus& corpus, Split split, int max_batches = 0);

  bool done() const { return measured_ == windows_; }
  // Part of the windows measured so far, in [0, 1].
  double part() const { return static_cast<double>(measured_) / windows_; }
  // Measures the next few windows; none when done.
  void advance();
  // Mean loss in nats per token of those measured so far; not a number before the first.
  double loss() const { return total_ / measured_; }

 private:
  // Windows of one pass: few, since the activations of a pass are most of the memory it needs.
  static constexpr int kPass = 4;

  Gpt& model_;
  std::span<const int> tokens_;
  int fitting_, windows_, measured_ = 0;
  double total_ = 0.0;
  std::vector<int> inputs_, targets_;
};

// Mean loss in nats per token over windows of block_size tokens laid end to end over a split; with
// max_batches > 0 at most max_batches * 16 of them, evenly spread. Always the same windows for the
// same split and block_size.
double evaluate(Gpt& model, const Corpus& corpus, Split split, int max_batches = 0);

}  // namespace poslab
