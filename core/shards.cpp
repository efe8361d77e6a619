#include "shards.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "error.h"
#include "kernels/vector.h"

namespace poslab {
namespace {

// POSIX's clock: that of the library could fail, which weighs two kilobytes of WebAssembly.
double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void require_node(int first, int count) {
  const bool is_node = (count == 1 || count == 2 || count == kShards) && first >= 0 &&
                       first % count == 0 && first + count <= kShards;
  if (is_node) return;
  throw Error("The shards from " + text_of(first) + " on, " + text_of(count) +
              " of them, are no node of the sum (0 + 1) + (2 + 3).");
}

}  // namespace

Floats& ShardedGradient::place(int first, int count) {
  counts_[first] = count;
  Floats& sum = sums_[first];
  if (sum.empty() && !free_.empty()) {
    sum = std::move(free_.back());
    free_.pop_back();
  }
  sum.resize(n_parameters_);
  return sum;
}

void ShardedGradient::join(int first, int half) {
  add_to(sums_[first].data(), sums_[first + half].data(), n_parameters_);
  counts_[first] = 2 * half;
  counts_[first + half] = 0;
  free_.push_back(std::exchange(sums_[first + half], {}));
}

void ShardedGradient::compute(Gpt& model, const Batch& batch, int first, int count) {
  require_node(first, count);
  if (count > 1) {
    compute(model, batch, first, count / 2);
    compute(model, batch, first + count / 2, count / 2);
    join(first, count / 2);
    return;
  }
  Floats& gradient = place(first, 1);
  losses_[first] = 0.0;
  const int from = batch.B * first / kShards, windows = batch.B * (first + 1) / kShards - from;
  if (windows == 0) {
    std::fill(gradient.begin(), gradient.end(), 0.0f);
    return;
  }
  const int* inputs = batch.inputs.data() + from * batch.T;
  const int* targets = batch.targets.data() + from * batch.T;
  use_tile_order(trial_.order());
  const double began = now_ms();
  model.forward(inputs, windows, batch.T);
  losses_[first] = model.backward(inputs, targets, batch.B * batch.T, gradient.data());
  trial_.took((now_ms() - began) / windows);
}

float* ShardedGradient::accept(int first, int count, std::span<const double> losses) {
  require_node(first, count);
  if (static_cast<int>(losses.size()) != count) {
    throw Error(text_of(static_cast<double>(losses.size())) + " losses came for " + text_of(count) +
                " shards.");
  }
  std::copy(losses.begin(), losses.end(), losses_.begin() + first);
  return place(first, count).data();
}

std::span<const double> ShardedGradient::losses(int first, int count) const {
  return std::span(losses_).subspan(first, count);
}

void ShardedGradient::complete(int first, int count) {
  if (counts_[first] == count) return;
  if (count == 1) throw Error("The gradient of shard " + text_of(first) + " is missing.");
  const int half = count / 2;
  complete(first, half);
  complete(first + half, half);
  join(first, half);
}

double ShardedGradient::loss() const {
  double total = 0.0;
  for (const double loss : losses_) total += loss;
  return total;
}

}  // namespace poslab
