#include "kernels/matmul.h"
#include "layers/layers.h"

namespace poslab {

void linear_forward(float* out, const float* x, const float* packed_transpose, const float* bias,
                    int N, int I, int O) {
  matmul_packed(N, O, I, row_major(x, I), packed_transpose, I, 0, {bias, 0}, out, O);
}

void linear_backward(float* dx, float* dweight, float* dbias, const float* dout, const float* x,
                     const float* packed, int N, int I, int O) {
  // The product with the weight's gradient needs x, which the way back has not seen for long.
  const std::span<const float> ahead(x, static_cast<std::size_t>(N) * I);
  matmul_packed(N, I, O, row_major(dout, O), packed, O, 0, {}, dx, I, ahead);
  // Adding to what is there would wait for it to come from memory, tile after tile: 3 % of a step
  // at nano.
  matmul(O, I, N, transposed(row_major(dout, O)), row_major(x, I), {}, dweight, I, dbias);
}

}  // namespace poslab
