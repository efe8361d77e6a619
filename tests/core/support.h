// What several tests need. Knows the core and nothing of the test framework.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "config.h"
#include "error.h"
#include "rng.h"

namespace poslab::test {

inline std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Equal to the last bit, with +0 and -0 apart; the payload of a NaN is left to the machine.
inline bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

inline bool same(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

inline double largest_difference(const float* a, const float* b, std::size_t n) {
  double most = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    // Written so that a NaN counts as the largest difference of all.
    if (!(difference <= most && -difference <= most)) {
      most = difference != difference ? 1e300 : (difference < 0 ? -difference : difference);
    }
  }
  return most;
}

inline std::vector<float> random_floats(Rng& rng, std::size_t n, double spread = 1.0) {
  std::vector<float> out(n);
  for (float& x : out) x = static_cast<float>(rng.normal() * spread);
  return out;
}

inline std::vector<int> random_ids(Rng& rng, std::size_t n, int V) {
  std::vector<int> out(n);
  for (int& id : out) id = static_cast<int>(rng.below(static_cast<std::uint32_t>(V)));
  return out;
}

// The sentence with which f refuses; empty when it does not.
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// A model whose widths are multiples of neither 4 nor 8: heads of 6, rows of 18, 11 tokens.
inline GptConfig odd_config(const std::string& positions) {
  GptConfig config;
  config.vocab_size = 11;
  config.block_size = 13;
  config.n_layer = 2;
  config.n_head = 3;
  config.n_embd = 18;
  config.positions = positions;
  config.seed = 5;
  return config;
}

// A text with something to learn: which letter follows depends on the one before. Plain 32-bit
// arithmetic, so that a script in another language can write the same text.
inline std::u32string patterned_text(std::size_t length) {
  const std::u32string letters = U"abcdefghijklmnopqrstuvwxyz .\n";  // 29, a prime
  std::u32string text;
  std::uint32_t x = 1, at = 0;
  while (text.size() < length) {
    x = x * 1664525u + 1013904223u;
    at = (at * 5 + (x >> 30)) % 29;
    text.push_back(letters[at]);
  }
  return text;
}

}  // namespace poslab::test
