// What a processor can multiply and add at most, and the clock that tells it.
#pragma once

#include <algorithm>
#include <chrono>

#include "simd/f32x4.h"

namespace poslab {

inline double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Keeps the compiler from dropping work whose result nobody reads.
inline volatile float sink;

// Loops that multiply and add and do little else, enough at once to hide the latency, few enough
// for 15 registers. In the first each of the CHAINS is multiplied, then added to.
template <int CHAINS>
[[gnu::noinline]] float multiply_and_add(int n, float one) {
  f32x4 acc[CHAINS];
  for (int i = 0; i < CHAINS; ++i) acc[i] = splat(one + static_cast<float>(i));
  const f32x4 factor = splat(0.999f * one), term = splat(0.001f * one);
  for (int k = 0; k < n; ++k) {
#ifdef __wasm_relaxed_simd__
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS; ++i) acc[i] = multiply_add(acc[i], factor, term);
#else
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS; ++i) acc[i] = acc[i] * factor;
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS; ++i) acc[i] = acc[i] + term;
#endif
  }
  for (int i = 1; i < CHAINS; ++i) acc[0] = acc[0] + acc[i];
  return reduce_add(acc[0]);
}

// Half of the chains are multiplied (by themselves, from 1) and half added to. The total is taken
// by twos for the order that V8 11 then gives the loop, see pair_products in kernels/matmul.cpp; an
// odd half is filled up with one that stands still.
template <int CHAINS>
[[gnu::noinline]] float multiply_beside_add(int n, float one) {
  constexpr int kHalf = CHAINS / 2;
  f32x4 product[kHalf + 1], sum[kHalf + 1];
  const f32x4 term = splat(one);
  for (int i = 0; i <= kHalf; ++i) product[i] = sum[i] = term;
  for (int k = 0; k < n; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < kHalf; ++i) {
      product[i] = product[i] * product[i];
      sum[i] = sum[i] + term;
    }
  }
  f32x4 total = term;
  for (int i = 0; i < kHalf; i += 2) {
    total = total + (product[i] + product[i + 1]);
    total = total + (sum[i] + sum[i + 1]);
  }
  return reduce_add(total);
}

// How often a loop goes round in a call.
inline constexpr int kRounds = 500;

// What the kernel's tile does, with a B that stays in registers: two loads a round for A.
[[gnu::noinline]] inline float multiply_tile(int n, float one) {
  static float a[2][kRounds], first[16];
  // Unlike numbers, or else a compiler does one lane's work instead of four.
  for (int i = 0; i < 16; ++i) first[i] = one + static_cast<float>(i);
  f32x4 b[4], sum[2][4];
  for (int j = 0; j < 4; ++j) b[j] = sum[0][j] = sum[1][j] = load(first + 4 * j);
  for (int k = 0; k < n; ++k) {
    const f32x4 a_k[2] = {load_splat(a[0] + k), load_splat(a[1] + k)};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) sum[i][j] = multiply_add(a_k[i], b[j], sum[i][j]);
    }
  }
  for (int j = 0; j < 4; ++j) b[0] = b[0] + (sum[0][j] + sum[1][j]);
  return reduce_add(b[0]);
}

// Multiply-and-add throughput of f32x4, in GFLOP/s: what a matrix product could reach at most. The
// best of several loops, since no one loop gets an even share of the execution units everywhere
// (the same loop takes up to a fifth more time in another engine), and of all rounds of this
// process so far, since others may slow down any of them.
inline double peak_gflops() {
  static double best = 0.0;
  volatile float one = 1.0f;
  const auto measure = [&](float (*f)(int, float), int flops_a_round) {
    // Many short calls, so that an engine which replaces slow code only between calls gets the
    // chance; together far longer than a clock tick of browsers.
    constexpr int kCalls = 20'000;
    for (int round = 0; round < 6; ++round) {
      const double began = now_ms();
      for (int call = 0; call < kCalls; ++call) sink = f(kRounds, one);
      const double ms = now_ms() - began;
      if (ms > 0) best = std::max(best, 1e-6 * flops_a_round * kRounds * kCalls / ms);
    }
  };
  measure(multiply_and_add<13>, 8 * 13);
  measure(multiply_tile, 8 * 8);
#ifndef __wasm_relaxed_simd__
  measure(multiply_beside_add<12>, 4 * 12);
  measure(multiply_beside_add<14>, 4 * 14);
#endif
  return best;
}

}  // namespace poslab
