// Windows of a text, spread evenly over it: what the probes that look at a model's behaviour read.
#pragma once

#include <span>
#include <vector>

namespace poslab {

// `count` windows of length T with the token after each, as many as fit without overlap at most.
// Throws with both lengths when not even one fits.
struct Windows {
  Windows(std::span<const int> tokens, int T, int count);

  int size() const { return static_cast<int>(starts.size()); }
  const int* inputs(int window) const { return tokens.data() + starts[window]; }
  const int* targets(int window) const { return inputs(window) + 1; }

  std::span<const int> tokens;
  std::vector<std::size_t> starts;
};

}  // namespace poslab
