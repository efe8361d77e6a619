// A fingerprint of weights: equal exactly when every bit of them is.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/floats.h"
#include "rng.h"

namespace poslab {

// FNV-1a over the bytes of the floats, least significant byte first, as 16 hexadecimal digits.
inline std::string hash_of(const Floats& weights) {
  const std::uint64_t hash =
      Rng::hash({reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)});
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4)
    digits.push_back("0123456789abcdef"[(hash >> shift) & 15]);
  return digits;
}

}  // namespace poslab
