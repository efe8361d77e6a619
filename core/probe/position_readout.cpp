#include "probe/position_readout.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "probe/windows.h"

namespace poslab {

std::vector<double> solve_positive_definite(std::vector<double> A, std::vector<double> b) {
  const std::size_t n = b.size();
  // A becomes its lower factor L, A = L L^T.
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      const double factor = A[j * n + k];
      for (std::size_t i = j; i < n; ++i) A[i * n + j] -= A[i * n + k] * factor;
    }
    require(A[j * n + j] > 0.0, "The matrix is not positive definite; a larger ridge helps.");
    const double scale = 1.0 / std::sqrt(A[j * n + j]);
    for (std::size_t i = j; i < n; ++i) A[i * n + j] *= scale;
  }
  for (std::size_t i = 0; i < n; ++i) {  // L y = b
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {  // L^T x = y
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return b;
}

namespace {

// Residual rows of all windows, each stage (N,C) with N = windows * T.
std::vector<std::vector<float>> stages_of(Gpt& model, std::span<const int> tokens, int windows) {
  const int T = model.config().block_size, L = model.config().n_layer;
  const Windows chosen(tokens, T, windows);
  std::vector<std::vector<float>> stages(L + 1);
  for (int w = 0; w < chosen.size(); ++w) {
    model.forward(chosen.inputs(w), 1, T);
    for (int layer = 0; layer <= L; ++layer) {
      const Tensor<2> rows = model.residual(layer);
      stages[layer].insert(stages[layer].end(), rows.begin(), rows.end());
    }
  }
  return stages;
}

// position = mean + weights . (x - center)
struct LinearReadout {
  std::vector<double> center, weights;
  double mean;

  double operator()(const float* x) const {
    double sum = mean;
    for (std::size_t c = 0; c < center.size(); ++c) sum += weights[c] * (x[c] - center[c]);
    return sum;
  }
};

LinearReadout fit(const std::vector<float>& rows, int C, int T, double ridge) {
  const std::size_t n = rows.size() / C, width = C;
  LinearReadout out{std::vector<double>(C, 0.0), {}, 0.5 * (T - 1)};
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < width; ++c) out.center[c] += rows[r * width + c];
  }
  for (double& c : out.center) c /= static_cast<double>(n);
  std::vector<double> A(width * width, 0.0), b(width, 0.0), x(width);
  for (std::size_t r = 0; r < n; ++r) {
    const double target = static_cast<double>(r % T) - out.mean;
    for (std::size_t c = 0; c < width; ++c) x[c] = rows[r * width + c] - out.center[c];
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j <= i; ++j) A[i * width + j] += x[i] * x[j];
      b[i] += x[i] * target;
    }
  }
  double trace = 0.0;
  for (std::size_t i = 0; i < width; ++i) trace += A[i * width + i];
  const double added = std::max(ridge * trace / static_cast<double>(width), 1e-30);
  for (std::size_t i = 0; i < width; ++i) {
    A[i * width + i] += added;
    for (std::size_t j = 0; j < i; ++j) A[j * width + i] = A[i * width + j];
  }
  out.weights = solve_positive_definite(std::move(A), std::move(b));
  return out;
}

double r_squared(const LinearReadout& read, const std::vector<float>& rows, int C, int T) {
  double error = 0.0, spread = 0.0;
  for (std::size_t r = 0; r < rows.size() / C; ++r) {
    const double position = static_cast<double>(r % T);
    const double miss = read(rows.data() + r * C) - position;
    error += miss * miss;
    spread += (position - read.mean) * (position - read.mean);
  }
  return spread > 0.0 ? 1.0 - error / spread : 0.0;
}

}  // namespace

std::vector<Readout> position_readout(Gpt& model, std::span<const int> fit_tokens,
                                      std::span<const int> held_out, int windows, double ridge) {
  require_between("ridge", ridge, 1e-9, 1e3);
  const int C = model.config().n_embd, T = model.config().block_size;
  require_between("block_size", T, 2, 4096);
  const std::vector<std::vector<float>> seen = stages_of(model, fit_tokens, windows),
                                        unseen = stages_of(model, held_out, windows);
  std::vector<Readout> out;
  for (std::size_t stage = 0; stage < seen.size(); ++stage) {
    const std::string name = stage == 0 ? "input" : "h." + text_of(static_cast<double>(stage - 1));
    out.push_back({name, r_squared(fit(seen[stage], C, T, ridge), unseen[stage], C, T)});
  }
  return out;
}

}  // namespace poslab
