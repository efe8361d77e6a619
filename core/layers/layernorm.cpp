#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

// Rows that go through a pass before the next pass: a row alone would wait for its sums.
constexpr int kRows = 8;

template <class Float>
Float* row(Float* rows, int n, int C) {
  return rows + static_cast<std::size_t>(n) * C;
}

// layernorm_forward of the rows from first to end.
void normalise(float* out, float* mean, float* rstd, const float* x, const float* gain,
               const float* bias, int first, int end, int C) {
  const float per_channel = 1.0f / static_cast<float>(C);
  for (int n = first; n < end; ++n) {
    const float* from = row(x, n, C);
    mean[n] = sum_of(C, [&](std::size_t i, int lanes) { return load_up_to(from + i, lanes); }) *
              per_channel;
  }
  for (int n = first; n < end; ++n) {
    const float* from = row(x, n, C);
    const f32x4 mean4 = splat(mean[n]);
    const float variance = sum_of(C,
                                  [&](std::size_t i, int lanes) {
                                    f32x4 d = load_up_to(from + i, lanes) - mean4;
                                    if (lanes < 4) {  // lanes past the end must not count as -mean
                                      float kept[4];
                                      store(kept, d);
                                      d = load_first(kept, lanes);
                                    }
                                    return d * d;
                                  }) *
                           per_channel;
    rstd[n] = 1.0f / std::sqrt(variance + 1e-5f);
  }
  for (int n = first; n < end; ++n) {
    const float* from = row(x, n, C);
    float* to = row(out, n, C);
    const f32x4 mean4 = splat(mean[n]), rstd4 = splat(rstd[n]);
    for_each_vector(C, [&](std::size_t i, int lanes) {
      const f32x4 normal = (load_up_to(from + i, lanes) - mean4) * rstd4;
      store_up_to(to + i, lanes,
                  normal * load_up_to(gain + i, lanes) + load_up_to(bias + i, lanes));
    });
  }
}

}  // namespace

void layernorm_forward(float* out, float* mean, float* rstd, const float* x, const float* gain,
                       const float* bias, int N, int C) {
  for (int first = 0; first < N; first += kRows) {
    normalise(out, mean, rstd, x, gain, bias, first, std::min(N, first + kRows), C);
  }
}

void add_layernorm_forward(float* out, float* mean, float* rstd, float* x, const float* input,
                           const float* branch, const float* gain, const float* bias, int N,
                           int C) {
  for (int first = 0; first < N; first += kRows) {
    const int end = std::min(N, first + kRows);
    add(row(x, first, C), row(input, first, C), row(branch, first, C),
        static_cast<std::size_t>(end - first) * C);
    normalise(out, mean, rstd, x, gain, bias, first, end, C);
  }
}

void layernorm_backward(float* dx, float* dgain, float* dbias, const float* dout, const float* x,
                        const float* mean, const float* rstd, const float* gain, int N, int C) {
  const float per_channel = 1.0f / static_cast<float>(C);
  std::fill_n(dgain, C, 0.0f);
  std::fill_n(dbias, C, 0.0f);
  for (int first = 0; first < N; first += kRows) {
    const int end = std::min(N, first + kRows);
    // For each row the mean gradient of its normal values, and of those gradients times the values.
    std::array<float, 2> means[kRows];
    for (int n = first; n < end; ++n) {
      const float *d_row = row(dout, n, C), *from = row(x, n, C);
      const f32x4 mean4 = splat(mean[n]), rstd4 = splat(rstd[n]);
      means[n - first] = sums_of<2>(C, [&](std::size_t i, int lanes) {
        const f32x4 dnormal = load_up_to(d_row + i, lanes) * load_up_to(gain + i, lanes);
        return std::array{dnormal, dnormal * ((load_up_to(from + i, lanes) - mean4) * rstd4)};
      });
      for (float& of_row : means[n - first]) of_row *= per_channel;
    }
    for (int n = first; n < end; ++n) {
      const float *d_row = row(dout, n, C), *from = row(x, n, C);
      float* to = row(dx, n, C);
      const f32x4 mean4 = splat(mean[n]), rstd4 = splat(rstd[n]);
      const f32x4 mean_dnormal = splat(means[n - first][0]),
                  mean_product = splat(means[n - first][1]);
      for_each_vector(C, [&](std::size_t i, int lanes) {
        const f32x4 d = load_up_to(d_row + i, lanes);
        const f32x4 normal = (load_up_to(from + i, lanes) - mean4) * rstd4;
        store_up_to(dgain + i, lanes, load_up_to(dgain + i, lanes) + d * normal);
        store_up_to(dbias + i, lanes, load_up_to(dbias + i, lanes) + d);
        const f32x4 change =
            (d * load_up_to(gain + i, lanes) - mean_dnormal - normal * mean_product) * rstd4;
        store_up_to(to + i, lanes, load_up_to(to + i, lanes) + change);
      });
    }
  }
}

}  // namespace poslab
