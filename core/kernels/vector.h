// Plain passes over vectors, written over f32x4 with fixed reduction trees.
#pragma once

#include <array>
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

// Sums over n floats: f_at(offset, lanes) is called for each vector and returns an array of
// vectors, one to add to each sum, with zeros in lanes beyond n. Two interleaved partial sums each,
// so that additions overlap.
template <std::size_t SUMS, class F>
inline std::array<float, SUMS> sums_of(std::size_t n, F f_at) {
  std::array<f32x4, SUMS> even, odd;
  even.fill(splat(0.0f));
  odd.fill(splat(0.0f));
  const auto add_up = [&](std::array<f32x4, SUMS>& sums, std::size_t i, int lanes) {
    const std::array<f32x4, SUMS> more = f_at(i, lanes);
    for (std::size_t s = 0; s < SUMS; ++s) sums[s] = sums[s] + more[s];
  };
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    add_up(even, i, 4);
    add_up(odd, i + 4, 4);
  }
  if (i + 4 <= n) {
    add_up(even, i, 4);
    i += 4;
  }
  if (i < n) add_up(odd, i, static_cast<int>(n - i));
  std::array<float, SUMS> sums;
  for (std::size_t s = 0; s < SUMS; ++s) sums[s] = reduce_add(even[s] + odd[s]);
  return sums;
}

// The same for a single sum: f_at returns a vector.
template <class F>
inline float sum_of(std::size_t n, F f_at) {
  return sums_of<1>(n, [&](std::size_t i, int lanes) { return std::array{f_at(i, lanes)}; })[0];
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
