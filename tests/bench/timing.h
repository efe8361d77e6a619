// How long a function takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace poslab {

inline double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Keeps the compiler from dropping work whose result nobody reads.
inline volatile float sink;

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// What a sample lasts, at least: 400 ticks of the clock of an isolated page, the coarsest of all
// places; and short enough for some samples to fall between two disturbances.
inline constexpr double kSampleMs = 2.0;

// Milliseconds of one call of f in `samples` samples, each of as many calls as take sample_ms.
inline std::vector<double> times_of(const std::function<void()>& f, int samples,
                                    double sample_ms = kSampleMs) {
  f();
  int calls = 1;
  for (;;) {
    const double began = now_ms();
    for (int i = 0; i < calls; ++i) f();
    if (now_ms() - began >= sample_ms) break;
    calls *= 2;
  }
  std::vector<double> times;
  for (int s = 0; s < samples; ++s) {
    const double began = now_ms();
    for (int i = 0; i < calls; ++i) f();
    times.push_back((now_ms() - began) / calls);
  }
  return times;
}

inline double time_of(const std::function<void()>& f, int samples = 30,
                      double sample_ms = kSampleMs) {
  return median(times_of(f, samples, sample_ms));
}

}  // namespace poslab
