#include "probe/permutation.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace poslab {
namespace {

struct Stage {
  std::string name;
  Tensor<2> rows;  // (T,width)
};

std::vector<Stage> stages_of(Gpt& model, const std::vector<int>& ids) {
  const int T = static_cast<int>(ids.size());
  const float* logits = model.forward(ids.data(), 1, T);
  std::vector<Stage> stages{{"input", model.residual(0)}};
  for (int layer = 0; layer < model.config().n_layer; ++layer) {
    const std::string h = "h." + text_of(layer);
    const Tensor<2> before = model.residual(layer);
    Tensor<2> attention = model.residual_after_attention(layer);
    for (std::size_t i = 0; i < attention.size(); ++i) attention.data()[i] -= before.data()[i];
    stages.push_back({h + ".attn", std::move(attention)});
    stages.push_back({h, model.residual(layer + 1)});
  }
  Tensor<2> out = zeros<2>({ids.size(), static_cast<std::size_t>(model.config().vocab_size)});
  std::copy_n(logits, out.size(), out.data());
  stages.push_back({"logits", std::move(out)});
  return stages;
}

double norm_of(const float* row, std::size_t n) {
  double square = 0.0;
  for (std::size_t i = 0; i < n; ++i) square += static_cast<double>(row[i]) * row[i];
  return std::sqrt(square);
}

PermutationStage compare(const Stage& straight, const Stage& reordered,
                         const std::vector<int>& order) {
  const std::size_t T = straight.rows.shape()[0], width = straight.rows.shape()[1];
  PermutationStage result{straight.name, 0.0, 0.0, {}};
  double norms = 0.0;
  for (std::size_t i = 0; i < T; ++i) {
    const float* a = straight.rows.data() + static_cast<std::size_t>(order[i]) * width;
    const float* b = reordered.rows.data() + i * width;
    double square = 0.0;
    for (std::size_t c = 0; c < width; ++c) {
      const double difference = static_cast<double>(b[c]) - a[c];
      square += difference * difference;
    }
    result.distances.push_back(std::sqrt(square));
    result.largest = std::max(result.largest, result.distances.back());
    norms += norm_of(a, width);
  }
  if (norms > 0.0) result.relative = result.largest / (norms / static_cast<double>(T));
  return result;
}

}  // namespace

void require_ids(const std::vector<int>& ids, int V) {
  require(!ids.empty(), "ids is empty; at least one token id is needed.");
  for (const int id : ids) require_whole("token id", id, 0, V - 1);
}

void require_permutation(const std::vector<int>& order, std::size_t n) {
  require(order.size() == n, "order has " + text_of(static_cast<double>(order.size())) +
                                 " places; there are " + text_of(static_cast<double>(n)) +
                                 " tokens to place.");
  std::vector<bool> seen(n, false);
  for (const int place : order) {
    require_whole("a place of order", place, 0, static_cast<double>(n) - 1);
    require(!seen[place],
            "order names token " + text_of(place) + " twice; each token must be placed once.");
    seen[place] = true;
  }
}

std::vector<PermutationStage> permutation_error(Gpt& model, const std::vector<int>& ids,
                                                const std::vector<int>& order) {
  require_ids(ids, model.config().vocab_size);
  require_permutation(order, ids.size());
  std::vector<int> reordered;
  for (const int place : order) reordered.push_back(ids[place]);
  const std::vector<Stage> straight = stages_of(model, ids), moved = stages_of(model, reordered);
  std::vector<PermutationStage> result;
  for (std::size_t i = 0; i < straight.size(); ++i)
    result.push_back(compare(straight[i], moved[i], order));
  return result;
}

}  // namespace poslab
