#include "probe/by_position.h"

#include <algorithm>

#include "error.h"
#include "probe/windows.h"

namespace poslab {
namespace {

double mean_of(const std::vector<double>& x, std::size_t from, std::size_t to) {
  double sum = 0.0;
  for (std::size_t i = from; i < to; ++i) sum += x[i];
  return sum / static_cast<double>(to - from);
}

}  // namespace

LossByPosition loss_by_position(Gpt& model, std::span<const int> tokens, int factor, int windows) {
  require_whole("factor", factor, 1, 16);
  const int block = model.config().block_size, V = model.config().vocab_size;
  const int T = factor * block;
  const Windows chosen(tokens, T, windows);
  LossByPosition out{block, chosen.size(), std::vector<double>(T, 0.0), {}, 0.0};
  for (int w = 0; w < chosen.size(); ++w) {
    const float* logits = model.forward(chosen.inputs(w), 1, T);
    for (int t = 0; t < T; ++t) {
      out.loss[t] +=
          cross_entropy(logits + static_cast<std::ptrdiff_t>(t) * V, chosen.targets(w) + t, 1, V);
    }
  }
  for (double& x : out.loss) x /= chosen.size();
  for (int i = 0; i < factor; ++i)
    out.mean.push_back(mean_of(out.loss, i * block, (i + 1) * block));
  out.last_half = mean_of(out.loss, T / 2, T);
  return out;
}

AttentionByOffset attention_by_offset(Gpt& model, std::span<const int> tokens, int windows) {
  const int T = model.config().block_size;
  const bool causal = model.config().causal;
  const std::size_t L = model.config().n_layer, H = model.config().n_head;
  const std::size_t columns = causal ? T : 2 * T - 1;
  const Windows chosen(tokens, T, windows);
  AttentionByOffset out{causal ? 0 : -(T - 1), zeros<3>({L, H, columns})};
  std::vector<double> total(L * H * columns, 0.0);
  for (int w = 0; w < chosen.size(); ++w) {
    model.forward(chosen.inputs(w), 1, T);
    const Tensor<4> weights = model.attention_weights();
    for (std::size_t head = 0; head < L * H; ++head) {
      for (int i = 0; i < T; ++i) {
        const float* row = &weights(head / H, head % H, i, 0);
        for (int j = 0; j < (causal ? i + 1 : T); ++j)
          total[head * columns + (i - j - out.first)] += row[j];
      }
    }
  }
  for (std::size_t head = 0; head < L * H; ++head) {
    for (std::size_t c = 0; c < columns; ++c) {
      const int offset = out.first + static_cast<int>(c);
      const double pairs = static_cast<double>(T - (offset < 0 ? -offset : offset));
      out.weight(head / H, head % H, c) =
          static_cast<float>(total[head * columns + c] / (pairs * chosen.size()));
    }
  }
  return out;
}

}  // namespace poslab
