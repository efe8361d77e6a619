// f32x4 on plain floats: the reference the vector targets must equal bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace poslab {

inline constexpr const char* kSimdBackend = "scalar";

struct f32x4 {
  float lane[4];
};

inline f32x4 load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void store(float* p, f32x4 v) { std::memcpy(p, v.lane, sizeof v.lane); }
inline f32x4 splat(float x) { return {{x, x, x, x}}; }
inline f32x4 load_splat(const float* p) { return splat(*p); }

namespace detail {
template <class F>
inline f32x4 map2(f32x4 a, f32x4 b, F f) {
  return {{f(a.lane[0], b.lane[0]), f(a.lane[1], b.lane[1]), f(a.lane[2], b.lane[2]),
           f(a.lane[3], b.lane[3])}};
}
}  // namespace detail

inline f32x4 operator+(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return x + y; });
}
inline f32x4 operator-(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return x - y; });
}
inline f32x4 operator*(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return x * y; });
}
inline f32x4 operator/(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return x / y; });
}
inline f32x4 min(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return y < x ? y : x; });
}
inline f32x4 max(f32x4 a, f32x4 b) {
  return detail::map2(a, b, [](float x, float y) { return x < y ? y : x; });
}
inline f32x4 sqrt(f32x4 v) {
  return {{std::sqrt(v.lane[0]), std::sqrt(v.lane[1]), std::sqrt(v.lane[2]), std::sqrt(v.lane[3])}};
}
inline f32x4 select_less(f32x4 a, f32x4 b, f32x4 x, f32x4 y) {
  f32x4 r;
  for (int i = 0; i < 4; ++i) r.lane[i] = a.lane[i] < b.lane[i] ? x.lane[i] : y.lane[i];
  return r;
}
inline f32x4 scale_by_power_of_two(f32x4 v, f32x4 t) {
  return detail::map2(v, t, [](float x, float y) {
    std::uint32_t xb, yb;
    std::memcpy(&xb, &x, 4);
    std::memcpy(&yb, &y, 4);
    xb += yb << 23;
    std::memcpy(&x, &xb, 4);
    return x;
  });
}
inline f32x4 low_halves(f32x4 a, f32x4 b) { return {{a.lane[0], a.lane[1], b.lane[0], b.lane[1]}}; }
inline f32x4 high_halves(f32x4 a, f32x4 b) {
  return {{a.lane[2], a.lane[3], b.lane[2], b.lane[3]}};
}
inline void transpose(f32x4& a, f32x4& b, f32x4& c, f32x4& d) {
  f32x4* rows[] = {&a, &b, &c, &d};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) std::swap(rows[i]->lane[j], rows[j]->lane[i]);
  }
}
inline float reduce_add(f32x4 v) { return (v.lane[0] + v.lane[2]) + (v.lane[1] + v.lane[3]); }
inline float reduce_max(f32x4 v) {
  const float a = v.lane[0] < v.lane[2] ? v.lane[2] : v.lane[0];
  const float b = v.lane[1] < v.lane[3] ? v.lane[3] : v.lane[1];
  return a < b ? b : a;
}

}  // namespace poslab
