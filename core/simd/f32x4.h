// The vocabulary every kernel is written in: four float lanes and the few operations on them.
//
// One header a target implements it; this file only chooses. The contract that makes a run give
// the same bits everywhere: every operation below is a single IEEE-754 binary32 operation per lane,
// rounded to nearest even (multiply_add is two), and no target fuses a multiply with an add.
// `reduce_*` fix the order in which lanes meet. Kernels must not know which target they run on.
//
// One target breaks the contract on purpose: with relaxed SIMD ("turbo") multiply_add is fused
// where the CPU can, which is faster and differs in the last digits from machine to machine.
//
//   load/store          4 consecutive floats, any alignment
//   load_first(p, n)    the first n (0..4) floats, remaining lanes 0;  store_first(p, n, v)
//   splat, load_splat   one value (or one float in memory) in all lanes
//   + - * /  sqrt       lane-wise
//   multiply_add(a, b, c)  a * b + c
//   min(a, b)           b < a ? b : a   (a NaN in b gives a)
//   max(a, b)           a < b ? b : a
//   select_less(a,b,x,y) a < b ? x : y, lane-wise
//   scale_by_power_of_two(v, t)  v * 2^k where k stands in the low mantissa bits of t,
//                                see kernels/math.h
//   reduce_add(v)       (v0 + v2) + (v1 + v3)
//   reduce_max(v)       likewise with max
//   low_halves(a, b)    (a0, a1, b0, b1);  high_halves(a, b)  (a2, a3, b2, b3)
//   transpose(a, b, c, d)  the four as rows of a matrix become its columns
#pragma once

#if defined(POSLAB_SIMD_SCALAR)
#include "simd/f32x4_scalar.h"
#elif defined(__wasm_simd128__)
#include "simd/f32x4_wasm.h"
#elif defined(__SSE2__)
#include "simd/f32x4_sse2.h"
#else
#include "simd/f32x4_scalar.h"
#endif

namespace poslab {

#ifndef __wasm_relaxed_simd__
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 c) { return a * b + c; }
#endif

inline f32x4 load_first(const float* p, int n) {
  float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < n; ++i) lanes[i] = p[i];
  return load(lanes);
}

inline void store_first(float* p, int n, f32x4 v) {
  float lanes[4];
  store(lanes, v);
  for (int i = 0; i < n; ++i) p[i] = lanes[i];
}

}  // namespace poslab
