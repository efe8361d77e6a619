// The project's own random numbers: the same stream natively and in WebAssembly, unlike <random>,
// whose distributions differ between standard libraries.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "kernels/math.h"

namespace poslab {

// PCG32 (O'Neill 2014): 64 bits of state, a stream number, 32 bits a draw.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : increment_((stream << 1) | 1) {
    next();
    state_ += seed;
    next();
  }

  // A stream of its own for each purpose, so that one purpose drawing more does not shift another.
  Rng(std::uint64_t seed, std::string_view purpose) : Rng(seed, hash(purpose)) {}

  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto xorshifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto rotation = static_cast<std::uint32_t>(old >> 59);
    return (xorshifted >> rotation) | (xorshifted << ((32 - rotation) & 31));
  }

  // Uniform in {0, …, n-1}, n >= 1, without bias (Lemire 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = static_cast<std::uint64_t>(next()) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) {
        product = static_cast<std::uint64_t>(next()) * n;
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform in [0, 1) with 32 random bits.
  double uniform() { return next() * 0x1p-32; }

  // Standard normal (Box and Muller 1958).
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2.0 * log(1.0 - uniform()));
    const SinCos angle = sincos(2.0 * kPi * uniform());
    spare_ = radius * angle.sin;
    has_spare_ = true;
    return radius * angle.cos;
  }

  // FNV-1a.
  static std::uint64_t hash(std::string_view text) {
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
  }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t increment_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace poslab
