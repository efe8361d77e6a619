// Numbers of fewer bits than a float, as files hold them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace poslab {

inline float float_from_bits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

inline std::uint32_t float_bits(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// IEEE 754 binary16.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 31u, mantissa = half & 1023u;
  if (exponent == 31) return float_from_bits(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float tiny = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -tiny : tiny;
  }
  return float_from_bits(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

// The nearest binary16, ties to even, as a float; beyond its range infinity.
inline float round_to_half(float x) {
  const float size = std::fabs(x);
  if (!(size < 65520.0f)) return size >= 65520.0f ? std::copysign(INFINITY, x) : x;
  // The spacing of halves around x is 2^-10 of its power of two, and never below 2^-24. Adding and
  // taking away 1.5 * 2^23 spacings rounds to a multiple of it.
  const std::uint32_t exponent = float_bits(size) >> 23;  // biased by 127
  const float spacing = exponent < 113 ? 0x1p-24f : float_from_bits((exponent - 10) << 23);
  const float magic = spacing * 12582912.0f;
  return std::copysign((size + magic) - magic, x);
}

// The upper half of a float.
inline float bfloat16_to_float(std::uint16_t bits) {
  return float_from_bits(static_cast<std::uint32_t>(bits) << 16);
}

inline float round_to_bfloat16(float x) {
  const std::uint32_t bits = float_bits(x);
  return float_from_bits((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}

// n bytes, the least significant first, as a whole number.
inline std::uint64_t little_endian(const std::uint8_t* bytes, int n) {
  std::uint64_t value = 0;
  for (int i = n - 1; i >= 0; --i) value = (value << 8) | bytes[i];
  return value;
}

inline double double_from_bits(std::uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace poslab
