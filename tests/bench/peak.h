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

// Two loops that do nothing but multiply and add, over CHAINS chains: enough to hide the latency,
// few enough for 15 registers. In the first each chain is multiplied, then added to; in the second
// half of the chains are multiplied (by themselves, from 1) and half added to.
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

template <int CHAINS>
[[gnu::noinline]] float multiply_beside_add(int n, float one) {
  f32x4 product[CHAINS / 2], sum[CHAINS / 2];
  const f32x4 term = splat(one);
  for (int i = 0; i < CHAINS / 2; ++i) product[i] = sum[i] = term;
  for (int k = 0; k < n; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS / 2; ++i) {
      product[i] = product[i] * product[i];
      sum[i] = sum[i] + term;
    }
  }
  f32x4 total = term;
  for (int i = 0; i < CHAINS / 2; ++i) total = total + product[i] + sum[i];
  return reduce_add(total);
}

// Multiply-and-add throughput of f32x4 from registers alone, in GFLOP/s: what a matrix product
// could reach at most. The best of several loops and rounds, since no one loop gets an even share
// of the execution units everywhere: the same loop takes up to a fifth more time in another engine.
inline double peak_gflops() {
  double best = 0.0;
  volatile float one = 1.0f;
  const auto measure = [&](float (*f)(int, float), int flops_a_step) {
    // Many short calls, so that an engine which replaces slow code only between calls gets the
    // chance; together far longer than a clock tick of browsers.
    constexpr int kSteps = 500, kCalls = 20'000;
    for (int round = 0; round < 3; ++round) {
      const double began = now_ms();
      for (int call = 0; call < kCalls; ++call) sink = f(kSteps, one);
      const double ms = now_ms() - began;
      if (ms > 0) best = std::max(best, 1e-6 * flops_a_step * kSteps * kCalls / ms);
    }
  };
  measure(multiply_and_add<12>, 8 * 12);
  measure(multiply_and_add<13>, 8 * 13);
#ifndef __wasm_relaxed_simd__
  measure(multiply_beside_add<12>, 4 * 12);
  measure(multiply_beside_add<14>, 4 * 14);
#endif
  return best;
}

}  // namespace poslab
