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

// Milliseconds of one call of f in `samples` samples, each of as many calls as take sample_ms. A
// sample ends by the clock: were the calls counted once and for all, a disturbance in the counting
// would leave samples of a tick or two, of which the fastest is far too fast.
inline std::vector<double> times_of(const std::function<void()>& f, int samples,
                                    double sample_ms = kSampleMs) {
  const auto sample = [&](int calls_at_once) {
    const double began = now_ms();
    for (int calls = 0;;) {
      for (int i = 0; i < calls_at_once; ++i) f();
      calls += calls_at_once;
      const double ms = now_ms() - began;
      if (ms >= sample_ms) return ms / calls;
    }
  };
  // Looks at the clock some eight times a sample.
  const int calls_at_once = std::max(1, static_cast<int>(sample_ms / 8 / sample(1)));
  std::vector<double> times;
  for (int s = 0; s < samples; ++s) times.push_back(sample(calls_at_once));
  return times;
}

inline double time_of(const std::function<void()>& f, int samples = 30,
                      double sample_ms = kSampleMs) {
  return median(times_of(f, samples, sample_ms));
}

}  // namespace poslab
