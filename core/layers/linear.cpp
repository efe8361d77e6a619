#include <algorithm>

#include "kernels/matmul.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

// sums (O) = the sums of the columns of x (N,O), each from the first row to the last. Four rows at
// once, so that the sums are loaded and stored a quarter as often.
void sum_rows(float* sums, const float* x, int N, int O) {
  std::fill_n(sums, O, 0.0f);
  int n = 0;
  for (; n + 4 <= N; n += 4, x += 4 * static_cast<std::ptrdiff_t>(O)) {
    for_each_vector(O, [&](std::size_t i, int lanes) {
      f32x4 sum = load_up_to(sums + i, lanes);
      for (int row = 0; row < 4; ++row) sum = sum + load_up_to(x + i + row * O, lanes);
      store_up_to(sums + i, lanes, sum);
    });
  }
  for (; n < N; ++n, x += O) add_to(sums, x, O);
}

}  // namespace

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
  matmul(O, I, N, transposed(row_major(dout, O)), row_major(x, I), {}, dweight, I);
  if (dbias != nullptr) sum_rows(dbias, dout, N, O);
}

}  // namespace poslab
