#include "probe/small_attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/matmul.h"
#include "layers/layers.h"

namespace poslab {
namespace {

// A scheme that adds whatever bias it is given.
class AnyBias final : public Position {
 public:
  AnyBias(const SmallAttention& layer, int Tq, int Tk) : Tq_(Tq), Tk_(Tk), row_((Tk + 3) / 4 * 4) {
    if (!layer.bias) return;
    table_.assign(static_cast<std::size_t>(layer.n_head) * Tq * row_, 0.0f);
    for (int h = 0; h < layer.n_head; ++h) {
      for (int i = 0; i < Tq; ++i) {
        for (int j = 0; j < Tk; ++j)
          table_[(static_cast<std::size_t>(h) * Tq + i) * row_ + j] =
              static_cast<float>(layer.bias(h, Tk - Tq + i, j));
      }
    }
  }
  const float* bias_row(int head, int query_position) const override {
    if (table_.empty()) return nullptr;
    return table_.data() +
           (static_cast<std::size_t>(head) * Tq_ + query_position - (Tk_ - Tq_)) * row_;
  }

 private:
  int Tq_, Tk_, row_;
  std::vector<float> table_;  // (H,Tq,row_)
};

}  // namespace

Tensor<2> SmallAttention::operator()(const Tensor<2>& q, const Tensor<2>& k,
                                     const Tensor<2>& v) const {
  const int Tq = static_cast<int>(q.shape()[0]), Tk = static_cast<int>(k.shape()[0]);
  const int C = static_cast<int>(q.shape()[1]);
  const AttentionShape shape{1, Tq, Tk, n_head, C / n_head, C, C, causal};
  const AnyBias position(*this, Tq, Tk);
  std::vector<float> probs(shape.probs_size()), scratch(shape.scratch_size());
  Tensor<2> out = zeros<2>({q.shape()[0], q.shape()[1]});
  attention_forward(out.data(), probs.data(), q.data(), k.data(), v.data(), position, shape,
                    scratch.data());
  return out;
}

Tensor<2> random_rows(Rng& rng, int rows, int columns, double spread) {
  Tensor<2> out = zeros<2>({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
  for (float& x : out) x = static_cast<float>(rng.normal() * spread);
  return out;
}

Tensor<2> times(const Tensor<2>& a, const Tensor<2>& b) {
  Tensor<2> out = zeros<2>({a.shape()[0], b.shape()[1]});
  const int M = static_cast<int>(a.shape()[0]), K = static_cast<int>(a.shape()[1]),
            N = static_cast<int>(b.shape()[1]);
  matmul(M, N, K, row_major(a.data(), K), row_major(b.data(), N), {}, out.data(), N);
  return out;
}

Tensor<2> plus(const Tensor<2>& a, const Tensor<2>& b) {
  Tensor<2> out = a;
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] += b.data()[i];
  return out;
}

Tensor<2> transpose(const Tensor<2>& a) {
  Tensor<2> out = zeros<2>({a.shape()[1], a.shape()[0]});
  for (std::size_t i = 0; i < a.shape()[0]; ++i) {
    for (std::size_t j = 0; j < a.shape()[1]; ++j) out(j, i) = a(i, j);
  }
  return out;
}

double largest_difference(const Tensor<2>& a, const Tensor<2>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::fabs(static_cast<double>(a.data()[i]) - b.data()[i]));
  return largest;
}

Tensor<2> reordered(const Tensor<2>& a, const std::vector<int>& order) {
  Tensor<2> out = a;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t c = 0; c < a.shape()[1]; ++c) out(i, c) = a(order[i], c);
  }
  return out;
}

}  // namespace poslab
