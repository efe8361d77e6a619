// A file of its own, so that what else a benchmark does has no say in how these loops are compiled.
#include "peak.h"

#include <algorithm>
#include <vector>

#include "simd/f32x4.h"
#include "timing.h"

namespace poslab {
namespace {

// How often a loop goes round in a call: some 20 microseconds.
constexpr int kRounds = 500;

// Each of the CHAINS is squared, then doubled, from 0.5, or both at once as x * x + x, from 0, and
// so stays what it is: with no operand but itself there are registers for 15 chains. A product and
// a sum take 3 cycles each on an AMD EPYC, which begins 4 of them a cycle: it takes more than 12
// chains to keep it busy.
template <int CHAINS>
float square_and_double(int n, float one) {
#ifdef __wasm_relaxed_simd__
  constexpr float kStart = 0.0f;
#else
  constexpr float kStart = 0.5f;
#endif
  f32x4 x[CHAINS];
  for (f32x4& x_i : x) x_i = splat(kStart * one);
  for (int k = 0; k < n; ++k) {
#pragma GCC unroll 16
    for (f32x4& x_i : x) {
#ifdef __wasm_relaxed_simd__
      x_i = multiply_add(x_i, x_i, x_i);
#else
      x_i = x_i * x_i;
      x_i = x_i + x_i;
#endif
    }
  }
  f32x4 total = splat(one);
  for (const f32x4 x_i : x) total = total + x_i;
  return reduce_add(total);
}

// One half of the chains is squared, from 1, the other half added to.
template <int CHAINS>
float square_beside_add(int n, float one) {
  constexpr int kHalf = CHAINS / 2;
  const f32x4 term = splat(one);
  f32x4 product[kHalf], sum[kHalf];
  for (int i = 0; i < kHalf; ++i) product[i] = sum[i] = term;
  for (int k = 0; k < n; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < kHalf; ++i) {
      product[i] = product[i] * product[i];
      sum[i] = sum[i] + term;
    }
  }
  f32x4 total = term;
  for (const f32x4 product_i : product) total = total + product_i;
  for (const f32x4 sum_i : sum) total = total + sum_i;
  return reduce_add(total);
}

struct Loop {
  float (*run)(int, float);
  int flops_a_round;
};
// No one loop gets an even share of the execution units everywhere: the first two reach 58 GFLOP/s
// on an AMD EPYC in Chromium 156, where the third reaches 53, and in Node 20 it is the fastest.
constexpr Loop kLoops[] = {{square_and_double<15>, 8 * 15},
                           {square_and_double<14>, 8 * 14},
                           {square_beside_add<14>, 4 * 14}};

struct Peak {
  double best, usual;
};

// GFLOP/s: the best sample so far, and the median of the fastest loop's samples just now.
Peak measure() {
  static double best = 0.0;
  // Asked anew for every call, so that no compiler or linker moves a loop into its only caller: an
  // engine might then run it slowly to the end, since it replaces slow code only between calls.
  float (*volatile run)(int, float);
  volatile float one = 1.0f;
  double usual = 0.0;
  for (const Loop& loop : kLoops) {
    run = loop.run;
    const double flops = 1.0 * loop.flops_a_round * kRounds;
    const std::vector<double> times = times_of([&] { sink = run(kRounds, one); }, 50);
    best = std::max(best, 1e-6 * flops / std::ranges::min(times));
    usual = std::max(usual, 1e-6 * flops / median(times));
  }
  return {best, usual};
}

}  // namespace

double peak_gflops() { return measure().best; }

void wait_until_quiet() {
  // Another system on an EPYC's core took a tenth of the peak, and a fifth of a product's speed.
  constexpr double kNear = 0.97;
  static double patience_ms = 90'000.0;
  while (patience_ms > 0.0) {
    const double began = now_ms();
    const auto [best, usual] = measure();
    if (usual >= kNear * best) return;
    patience_ms -= now_ms() - began;
  }
}

}  // namespace poslab
