#include "kernels/math.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

f32x4 constant(int i) { return load_splat(detail::kGelu + i); }

// 0.5 x (1 + tanh(u)) = x sigmoid(2u) with u = sqrt(2/pi) (x + 0.044715 x^3): the same function
// with one exponential, and that to base 2, whose factor joins the others.
inline f32x4 gate(f32x4 x, f32x4 x_squared) {
  const f32x4 minus_two_u = x * (constant(0) + constant(1) * x_squared);
  // At these bounds the gate is exactly 0 or 1.
  const f32x4 bounded = max(min(minus_two_u, constant(2)), constant(3));
  return constant(4) / (constant(4) + exp2(bounded));
}

}  // namespace

void gelu_forward(float* out, float* slope, const float* x, std::size_t n) {
  for_each_vector(n, [&](std::size_t i, int lanes) {
    const f32x4 v = load_up_to(x + i, lanes), squared = v * v, one = constant(4);
    const f32x4 g = gate(v, squared);
    store_up_to(out + i, lanes, v * g);
    // d/dx x s(2u) = s + x s (1 - s) 2u'
    const f32x4 two_du = constant(5) * (one + constant(6) * squared);
    store_up_to(slope + i, lanes, g + v * g * (one - g) * two_du);
  });
}

void gelu_backward(float* dx, const float* dout, const float* slope, std::size_t n) {
  for_each_vector(n, [&](std::size_t i, int lanes) {
    store_up_to(dx + i, lanes, load_up_to(dout + i, lanes) * load_up_to(slope + i, lanes));
  });
}

}  // namespace poslab
