// Why attention without positions only reorders its outputs, step by step on random matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor.h"

namespace poslab {

// One equality of the derivation with both of its sides.
struct EquivarianceStep {
  std::string name;       // "queries", "keys", "values", "scores", "softmax", "output", "mlp"
  std::string equality;   // as a formula in words: "softmax(P S P^T) = P softmax(S) P^T"
  Tensor<2> left, right;  // computed each in its own way
  double deviation;       // largest difference of the two
  bool holds;             // deviation <= 1e-6
};

struct Equivariance {
  Tensor<2> x;             // (n,d), standard normal
  Tensor<2> permutation;   // (n,n) P: row i has its 1 at the token that comes to place i
  std::vector<int> order;  // the same as indices
  std::vector<EquivarianceStep> steps;
};

// n 2 … 64 tokens, d 1 … 64 numbers each; X, W_q, W_k, W_v, the MLP and P are drawn from the seed.
// P moves at least one token.
Equivariance equivariance(int n, int d, std::uint64_t seed);

}  // namespace poslab
