// Plain passes over vectors, written over f32x4 with fixed reduction trees.
#pragma once

#include <cstddef>

#include "simd/f32x4.h"

namespace poslab {

// sum = x + y, n floats.
inline void add(float* sum, const float* x, const float* y, std::size_t n) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) store(sum + i, load(x + i) + load(y + i));
  for (; i < n; ++i) sum[i] = x[i] + y[i];
}

// y += x, n floats.
inline void add_to(float* y, const float* x, std::size_t n) { add(y, y, x, n); }

// y *= scale, n floats.
inline void scale_by(float* y, float scale, std::size_t n) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) store(y + i, load(y + i) * splat(scale));
  for (; i < n; ++i) y[i] *= scale;
}

// Sum of f(first vector), f(second vector), … of n floats; f sees zeros beyond n. Two interleaved
// partial sums, so that additions overlap.
template <class F>
inline float sum_of(std::size_t n, F f_at) {
  f32x4 even = splat(0.0f), odd = splat(0.0f);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    even = even + f_at(i, 4);
    odd = odd + f_at(i + 4, 4);
  }
  if (i + 4 <= n) {
    even = even + f_at(i, 4);
    i += 4;
  }
  if (i < n) odd = odd + f_at(i, static_cast<int>(n - i));
  return reduce_add(even + odd);
}

inline f32x4 load_up_to(const float* p, int n) { return n == 4 ? load(p) : load_first(p, n); }
inline void store_up_to(float* p, int n, f32x4 v) {
  if (n == 4) {
    store(p, v);
  } else {
    store_first(p, n, v);
  }
}

// Calls f(offset, lanes) for each vector of n floats; lanes is 4 but for a last partial vector.
template <class F>
inline void for_each_vector(std::size_t n, F f) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) f(i, 4);
  if (i < n) f(i, static_cast<int>(n - i));
}

}  // namespace poslab
