// Four f32x4 side by side. A chain of dependent operations, such as an exponential's, leaves most
// of a processor waiting; with four chains in step GELU takes two thirds of the time in Node 20,
// nine tenths in Node 26. Operations are those of f32x4 and give its bits; an operand that is the
// same for all four may stay an f32x4.
#pragma once

#include <type_traits>

#include "simd/f32x4.h"

namespace poslab {

struct f32x16 {
  f32x4 part[4];
};

inline f32x4 part_of(f32x4 a, int) { return a; }
inline f32x4 part_of(const f32x16& a, int i) { return a.part[i]; }

// f by parts of its arguments.
template <class F, class... V>
inline f32x16 by_parts(F f, const V&... v) {
  f32x16 out;
  for (int i = 0; i < 4; ++i) out.part[i] = f(part_of(v, i)...);
  return out;
}

inline f32x16 load16(const float* p) { return {load(p), load(p + 4), load(p + 8), load(p + 12)}; }
inline void store(float* p, const f32x16& a) {
  for (int i = 0; i < 4; ++i) store(p + 4 * i, a.part[i]);
}

template <class V>
concept Vector = std::is_same_v<V, f32x4> || std::is_same_v<V, f32x16>;

// The operations of f32x4 for which at least one operand is an f32x16.
template <class... V>
concept AnyWide = (std::is_same_v<V, f32x16> || ...);

template <class A, class B>
requires AnyWide<A, B>
inline f32x16 operator+(const A& a, const B& b) {
  return by_parts([](f32x4 x, f32x4 y) { return x + y; }, a, b);
}
template <class A, class B>
requires AnyWide<A, B>
inline f32x16 operator-(const A& a, const B& b) {
  return by_parts([](f32x4 x, f32x4 y) { return x - y; }, a, b);
}
template <class A, class B>
requires AnyWide<A, B>
inline f32x16 operator*(const A& a, const B& b) {
  return by_parts([](f32x4 x, f32x4 y) { return x * y; }, a, b);
}
template <class A, class B>
requires AnyWide<A, B>
inline f32x16 operator/(const A& a, const B& b) {
  return by_parts([](f32x4 x, f32x4 y) { return x / y; }, a, b);
}
template <class A, class B, class C>
requires AnyWide<A, B, C>
inline f32x16 multiply_add(const A& a, const B& b, const C& c) {
  return by_parts([](f32x4 x, f32x4 y, f32x4 z) { return multiply_add(x, y, z); }, a, b, c);
}
inline f32x16 min(const f32x16& a, f32x4 b) {
  return by_parts([](f32x4 x, f32x4 y) { return min(x, y); }, a, b);
}
inline f32x16 max(const f32x16& a, f32x4 b) {
  return by_parts([](f32x4 x, f32x4 y) { return max(x, y); }, a, b);
}
template <class A, class B, class X>
requires AnyWide<A, B>
inline f32x16 select_less(const A& a, const B& b, const X& x, const f32x16& y) {
  return by_parts([](f32x4 p, f32x4 q, f32x4 r, f32x4 s) { return select_less(p, q, r, s); }, a, b,
                  x, y);
}
inline f32x16 scale_by_power_of_two(const f32x16& a, const f32x16& t) {
  return by_parts([](f32x4 x, f32x4 y) { return scale_by_power_of_two(x, y); }, a, t);
}

}  // namespace poslab
