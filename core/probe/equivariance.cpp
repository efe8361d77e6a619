#include "probe/equivariance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "error.h"
#include "kernels/math.h"
#include "probe/small_attention.h"

namespace poslab {
namespace {

// In double, so that what deviates is the arithmetic of the two orders and not of long sums.
Tensor<2> product(const Tensor<2>& a, const Tensor<2>& b) {
  const std::size_t rows = a.shape()[0], inner = a.shape()[1], columns = b.shape()[1];
  Tensor<2> out = zeros<2>({rows, columns});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < inner; ++k) sum += static_cast<double>(a(i, k)) * b(k, j);
      out(i, j) = static_cast<float>(sum);
    }
  }
  return out;
}

Tensor<2> scores(const Tensor<2>& q, const Tensor<2>& k) {
  Tensor<2> out = product(q, transpose(k));
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.shape()[1]));
  for (float& x : out) x = static_cast<float>(x * scale);
  return out;
}

Tensor<2> softmax(const Tensor<2>& s) {
  Tensor<2> out = s;
  for (std::size_t i = 0; i < s.shape()[0]; ++i) {
    double top = s(i, 0), sum = 0.0;
    for (std::size_t j = 0; j < s.shape()[1]; ++j) top = std::max<double>(top, s(i, j));
    const auto raised = [&](std::size_t j) { return exp(std::max(s(i, j) - top, -700.0)); };
    for (std::size_t j = 0; j < s.shape()[1]; ++j) sum += raised(j);
    for (std::size_t j = 0; j < s.shape()[1]; ++j) out(i, j) = static_cast<float>(raised(j) / sum);
  }
  return out;
}

// A small MLP, row by row: relu(x W_1) W_2.
Tensor<2> mlp(const Tensor<2>& x, const Tensor<2>& w1, const Tensor<2>& w2) {
  Tensor<2> hidden = product(x, w1);
  for (float& v : hidden) v = std::max(v, 0.0f);
  return product(hidden, w2);
}

std::vector<int> random_order(Rng& rng, int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
  if (std::is_sorted(order.begin(), order.end())) std::swap(order[0], order[1]);
  return order;
}

EquivarianceStep step(std::string name, std::string equality, Tensor<2> left, Tensor<2> right) {
  double deviation = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i)
    deviation =
        std::max(deviation, std::fabs(static_cast<double>(left.data()[i]) - right.data()[i]));
  return {std::move(name),  std::move(equality), std::move(left),
          std::move(right), deviation,           deviation <= 1e-6};
}

}  // namespace

Equivariance equivariance(int n, int d, std::uint64_t seed) {
  require_whole("n", n, 2, 64);
  require_whole("d", d, 1, 64);
  Rng rng(seed, "equivariance");
  const std::size_t rows = n;
  const double spread = 1.0 / std::sqrt(static_cast<double>(d));
  Equivariance out{random_rows(rng, n, d, 1.0), zeros<2>({rows, rows}), {}, {}};
  const Tensor<2> wq = random_rows(rng, d, d, spread), wk = random_rows(rng, d, d, spread),
                  wv = random_rows(rng, d, d, spread), w1 = random_rows(rng, d, 4 * d, spread),
                  w2 = random_rows(rng, 4 * d, d, 0.5 * spread);
  out.order = random_order(rng, n);
  Tensor<2>& p = out.permutation;
  for (int i = 0; i < n; ++i) p(i, out.order[i]) = 1.0f;

  const Tensor<2> moved = product(p, out.x), pt = transpose(p);
  const Tensor<2> q = product(out.x, wq), k = product(out.x, wk), v = product(out.x, wv);
  const Tensor<2> mq = product(moved, wq), mk = product(moved, wk), mv = product(moved, wv);
  const Tensor<2> s = scores(q, k), ms = scores(mq, mk);
  const Tensor<2> a = softmax(s), ma = softmax(ms);
  const Tensor<2> y = product(a, v), my = product(ma, mv);

  out.steps.push_back(step("queries", "(P X) W_q = P Q", mq, product(p, q)));
  out.steps.push_back(step("keys", "(P X) W_k = P K", mk, product(p, k)));
  out.steps.push_back(step("values", "(P X) W_v = P V", mv, product(p, v)));
  out.steps.push_back(
      step("scores", "(P Q)(P K)^T / sqrt(d) = P S P^T", ms, product(product(p, s), pt)));
  out.steps.push_back(
      step("softmax", "softmax(P S P^T) = P softmax(S) P^T", ma, product(product(p, a), pt)));
  out.steps.push_back(step("output", "P softmax(S) P^T P V = P Attn(X)", my, product(p, y)));
  out.steps.push_back(
      step("mlp", "MLP(P Attn(X)) = P MLP(Attn(X))", mlp(my, w1, w2), product(p, mlp(y, w1, w2))));
  return out;
}

}  // namespace poslab
