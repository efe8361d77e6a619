#include <algorithm>

#include "kernels/math.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

using detail::kGelu;

inline f32x4 constant(const float& c) { return load_splat(&c); }

// 0.5 x (1 + tanh(u)) = x sigmoid(2u) with u = sqrt(2/pi) (x + 0.044715 x^3): the same function
// with one exponential, and that to base 2, whose factor joins the others. The slope is
// d/dx x s(2u) = s + x s (1 - s) 2u'. For n <= kExpFloats floats, a multiple of 4.
void gelu(float* out, float* slope, const float* x, std::size_t n) {
  alignas(16) float e[kExpFloats];
  exp2_of(e, n, [x](std::size_t i) {
    const f32x4 v = load(x + i);
    const f32x4 minus_two_u = v * (constant(kGelu.linear) + constant(kGelu.cubic) * (v * v));
    // At these bounds the sigmoid is exactly 0 or 1.
    return max(min(minus_two_u, constant(kGelu.upper)), constant(kGelu.lower));
  });
  const f32x4 one = constant(kGelu.one);
  for (std::size_t i = 0; i < n; i += 4) {
    const f32x4 v = load(x + i), s = one / (one + load(e + i));
    const f32x4 two_du = constant(kGelu.slope) * (one + constant(kGelu.slope_by_square) * (v * v));
    store(out + i, v * s);
    store(slope + i, s + v * s * (one - s) * two_du);
  }
}

}  // namespace

void gelu_forward(float* out, float* slope, const float* x, std::size_t n) {
  const std::size_t whole = n / 4 * 4;
  for (std::size_t i = 0; i < whole; i += kExpFloats) {
    gelu(out + i, slope + i, x + i, std::min(kExpFloats, whole - i));
  }
  if (whole == n) return;
  float last[4] = {}, last_slope[4];
  std::copy(x + whole, x + n, last);
  gelu(last, last_slope, last, 4);
  std::copy_n(last, n - whole, out + whole);
  std::copy_n(last_slope, n - whole, slope + whole);
}

void gelu_backward(float* dx, const float* dout, const float* slope, std::size_t n) {
  for_each_vector(n, [&](std::size_t i, int lanes) {
    store_up_to(dx + i, lanes, load_up_to(dout + i, lanes) * load_up_to(slope + i, lanes));
  });
}

}  // namespace poslab
