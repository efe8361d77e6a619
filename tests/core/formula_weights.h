// Weights, tokens and targets that tests/fixtures/make_gpt_fixture.py computes as well, large
// enough that no gradient is lost in rounding, and multiples of 2^-17, so that double and float
// hold the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parameters.h"

namespace poslab::test {

// n numbers in [-1, 1), multiples of 2^-15, scattered by a hash of name and index.
inline std::vector<float> formula(const std::string& name, std::size_t n) {
  std::uint32_t seed = 2166136261u;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 16777619u;
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t x = seed + static_cast<std::uint32_t>(i) * 2654435761u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    x ^= x >> 16;
    out[i] = static_cast<float>(static_cast<int>(x >> 16) - 32768) / 32768.0f;
  }
  return out;
}

inline std::vector<int> formula_ids(const std::string& name, std::size_t n, int V) {
  std::vector<int> ids;
  for (const float x : formula(name, n)) ids.push_back(static_cast<int>((x + 1) * 32768) % V);
  return ids;
}

// Matrices in [-0.5, 0.5), gains around 1, biases in [-0.25, 0.25).
inline void set_formula_weights(const ParameterList& parameters, std::span<float> weights) {
  for (const Parameter& parameter : parameters.all()) {
    const bool matrix = parameter.shape.size() == 2;
    const bool gain = !matrix && parameter.name.ends_with("weight");
    const std::vector<float> x = formula(parameter.name, parameter.ref.size);
    for (std::size_t i = 0; i < x.size(); ++i) {
      weights[parameter.ref.offset + i] = (gain ? 1.0f : 0.0f) + x[i] * (matrix ? 0.5f : 0.25f);
    }
  }
}

}  // namespace poslab::test
