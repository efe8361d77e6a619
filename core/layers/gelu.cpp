#include "kernels/math.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

using detail::kGelu;

inline f32x4 constant(const float& c) { return load_splat(&c); }

// 0.5 x (1 + tanh(u)) = x sigmoid(2u) with u = sqrt(2/pi) (x + 0.044715 x^3): the same function
// with one exponential, and that to base 2, whose factor joins the others.
template <Vector V>
inline V gate(const V& x, const V& x_squared) {
  const V minus_two_u = x * (constant(kGelu.linear) + constant(kGelu.cubic) * x_squared);
  // At these bounds the gate is exactly 0 or 1.
  const V bounded = max(min(minus_two_u, constant(kGelu.upper)), constant(kGelu.lower));
  return constant(kGelu.one) / (constant(kGelu.one) + exp2(bounded));
}

// gelu(x); its slope there into `slope`.
template <Vector V>
inline V gelu(const V& x, V& slope) {
  const f32x4 one = constant(kGelu.one);
  const V squared = x * x, g = gate(x, squared);
  // d/dx x s(2u) = s + x s (1 - s) 2u'
  const V two_du = constant(kGelu.slope) * (one + constant(kGelu.slope_by_square) * squared);
  slope = g + x * g * (one - g) * two_du;
  return x * g;
}

}  // namespace

void gelu_forward(float* out, float* slope, const float* x, std::size_t n) {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    f32x16 s;
    store(out + i, gelu(load16(x + i), s));
    store(slope + i, s);
  }
  for_each_vector(n - i, [&](std::size_t j, int lanes) {
    f32x4 s;
    store_up_to(out + i + j, lanes, gelu(load_up_to(x + i + j, lanes), s));
    store_up_to(slope + i + j, lanes, s);
  });
}

void gelu_backward(float* dx, const float* dout, const float* slope, std::size_t n) {
  for_each_vector(n, [&](std::size_t i, int lanes) {
    store_up_to(dx + i, lanes, load_up_to(dout + i, lanes) * load_up_to(slope + i, lanes));
  });
}

}  // namespace poslab
