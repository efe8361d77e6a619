// A batch cut into shards, so that several workers can share one training step and still reach the
// same bits as one: the shards do not depend on who computes them, and their gradients are always
// summed as (0 + 1) + (2 + 3).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gpt.h"
#include "kernels/tile_trial.h"

namespace poslab {

inline constexpr int kShards = 4;

// Windows and what follows each of their tokens, both (B,T).
struct Batch {
  int B = 0, T = 0;
  std::vector<int> inputs, targets;
};

// The gradient of a batch's loss as far as it has been computed or handed in. What it holds are
// nodes of the tree of sums: shards [first, first + count) with count 1, 2 or 4 and first a
// multiple of count. Once each node has been there, nothing allocates.
class ShardedGradient {
 public:
  explicit ShardedGradient(std::size_t n_parameters) : n_parameters_(n_parameters) {
    free_.reserve(kShards);
  }

  void clear() { counts_.fill(0); }

  // Computes a node by forward and backward passes over its windows. Throws when [first, first +
  // count) is no node. The first shards serve to find the faster order of matrix products, which is
  // this thread's from then on.
  void compute(Gpt& model, const Batch& batch, int first, int count);
  // Takes a node that somebody else computed: the losses of its shards and, written by the caller
  // to where the result points, n_parameters floats. So they are copied once wherever they come
  // from.
  float* accept(int first, int count, std::span<const double> losses);

  // The node that starts at a shard: its gradient and its shards' parts of the batch's mean loss.
  const Floats& gradient(int first) const { return sums_[first]; }
  std::span<const double> losses(int first, int count) const;

  // Adds up all nodes; throws when a shard is missing. Then gradient(0) is the batch's.
  void complete() { complete(0, kShards); }
  // The batch's mean loss, shards added in order.
  double loss() const;

 private:
  Floats& place(int first, int count);
  void join(int first, int half);  // two neighbouring nodes of `half` shards become one
  void complete(int first, int count);

  TileTrial trial_;
  std::size_t n_parameters_;
  // By first shard, and what sums that were added to others leave for the next: a step alone needs
  // three.
  std::array<Floats, kShards> sums_;
  std::vector<Floats> free_;
  std::array<int, kShards> counts_{};  // shards of the node that starts here, 0 = none
  std::array<double, kShards> losses_{};
};

}  // namespace poslab
