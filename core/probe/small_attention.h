// One attention layer over given queries, keys and values, for experiments: the model's own layer
// with a bias of the experimenter's choice.
#pragma once

#include <functional>

#include "rng.h"
#include "tensor.h"

namespace poslab {

struct SmallAttention {
  int n_head = 2;
  bool causal = true;
  // Added to the score of query i with key j in a head; empty = nothing.
  std::function<double(int head, int i, int j)> bias;

  // q (Tq,C), k and v (Tk,C) with C a multiple of n_head, result (Tq,C). With fewer queries than
  // keys they are the last ones.
  Tensor<2> operator()(const Tensor<2>& q, const Tensor<2>& k, const Tensor<2>& v) const;
};

Tensor<2> random_rows(Rng& rng, int rows, int columns, double spread = 1.0);
// a (n,k) b (k,m)
Tensor<2> times(const Tensor<2>& a, const Tensor<2>& b);
Tensor<2> plus(const Tensor<2>& a, const Tensor<2>& b);
Tensor<2> transpose(const Tensor<2>& a);
double largest_difference(const Tensor<2>& a, const Tensor<2>& b);
// Row i is row order[i] of a.
Tensor<2> reordered(const Tensor<2>& a, const std::vector<int>& order);

}  // namespace poslab
