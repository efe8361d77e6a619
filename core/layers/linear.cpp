#include "kernels/matmul.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {

void linear_forward(float* out, const float* x, const float* weight, const float* bias, int N,
                    int I, int O) {
  matmul(N, O, I, row_major(x, I), transposed(row_major(weight, I)), {bias, 0}, out, O);
}

void linear_backward(float* dx, float* dweight, float* dbias, const float* dout, const float* x,
                     const float* weight, int N, int I, int O) {
  matmul(N, I, O, row_major(dout, O), row_major(weight, I), {}, dx, I);
  matmul(O, I, N, transposed(row_major(dout, O)), row_major(x, I), {dweight, I}, dweight, I);
  if (dbias == nullptr) return;
  for (int n = 0; n < N; ++n) add_to(dbias, dout + static_cast<std::size_t>(n) * O, O);
}

}  // namespace poslab
