#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {

void embedding_forward(float* x, const int* ids, const float* weights, ParameterRef wte,
                       const Position& position, float embedding_scale, int B, int T, int C,
                       int first) {
  const f32x4 scale = splat(embedding_scale);
  for (int b = 0; b < B; ++b) {
    float* window = x + static_cast<std::size_t>(b) * T * C;
    for (int t = 0; t < T; ++t) {
      const float* row = weights + wte.offset + static_cast<std::size_t>(ids[b * T + t]) * C;
      float* to = window + static_cast<std::size_t>(t) * C;
      for_each_vector(
          C, [&](std::size_t i, int n) { store_up_to(to + i, n, load_up_to(row + i, n) * scale); });
    }
    position.embed_forward(weights, first, T, C, window);
  }
}

void embedding_backward(float* grads, const float* dx, const int* ids, ParameterRef wte,
                        const Position& position, float embedding_scale, int B, int T, int C) {
  const f32x4 scale = splat(embedding_scale);
  for (int n = 0; n < B * T; ++n) {
    float* drow = grads + wte.offset + static_cast<std::size_t>(ids[n]) * C;
    const float* from = dx + static_cast<std::size_t>(n) * C;
    for_each_vector(C, [&](std::size_t i, int lanes) {
      store_up_to(drow + i, lanes,
                  load_up_to(drow + i, lanes) + load_up_to(from + i, lanes) * scale);
    });
  }
  position.embed_backward(dx, B, T, C, grads);
}

}  // namespace poslab
