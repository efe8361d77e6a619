#include <limits>

#include "kernels/math.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

float largest(const float* row, int V) {
  f32x4 most = splat(-std::numeric_limits<float>::infinity());
  int i = 0;
  for (; i + 4 <= V; i += 4) most = max(most, load(row + i));
  float m = reduce_max(most);
  for (; i < V; ++i) m = m < row[i] ? row[i] : m;
  return m;
}

// -log softmax(row)[target] given the row's maximum and the sum of exp(row - maximum).
double surprise(float logit, float maximum, float sum) {
  // The sum lies in [1, V] unless something is not a number, which log has no answer for.
  if (!(sum >= 1.0f)) return std::numeric_limits<double>::quiet_NaN();
  return log(static_cast<double>(sum)) +
         (static_cast<double>(maximum) - static_cast<double>(logit));
}

}  // namespace

double cross_entropy(const float* logits, const int* targets, int N, int V) {
  double total = 0.0;
  for (int n = 0; n < N; ++n, logits += V) {
    const float maximum = largest(logits, V);
    const f32x4 top = splat(maximum);
    // Lanes past the end would count exp(0 - maximum); load them as -inf instead.
    const float sum = sum_of(V, [&](std::size_t i, int lanes) {
      if (lanes == 4) return exp(load(logits + i) - top);
      float rest[4] = {};
      for (int k = 0; k < 4; ++k) {
        rest[k] = k < lanes ? logits[i + k] - maximum : -std::numeric_limits<float>::infinity();
      }
      return exp(load(rest));
    });
    total += surprise(logits[targets[n]], maximum, sum);
  }
  return total / N;
}

double cross_entropy_backward(float* logits, const int* targets, int N, int V, int batch_rows) {
  double total = 0.0;
  const float per_row = 1.0f / static_cast<float>(batch_rows);
  const int whole = V / 4 * 4;
  for (int n = 0; n < N; ++n, logits += V) {
    const float maximum = largest(logits, V);
    const float logit = logits[targets[n]];
    exp_below(logits, whole, maximum);
    if (whole < V) {
      const f32x4 last = load_first(logits + whole, V - whole);
      store_first(logits + whole, V - whole, exp(last - splat(maximum)));
    }
    const float sum =
        sum_of(V, [&](std::size_t i, int lanes) { return load_up_to(logits + i, lanes); });
    scale_by(logits, per_row / sum, V);
    logits[targets[n]] -= per_row;
    total += surprise(logit, maximum, sum);
  }
  return total / batch_rows;
}

}  // namespace poslab
