// f32x4 on WebAssembly SIMD128, with or without relaxed SIMD.
#pragma once

#include <wasm_simd128.h>

namespace poslab {

// A struct rather than v128_t itself, whose built-in operators work on integer lanes.
struct f32x4 {
  v128_t v;
};

#ifdef __wasm_relaxed_simd__
inline constexpr const char* kSimdBackend = "wasm-relaxed-simd";
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 c) {
  return {wasm_f32x4_relaxed_madd(a.v, b.v, c.v)};
}
#else
inline constexpr const char* kSimdBackend = "wasm-simd128";
#endif

inline f32x4 load(const float* p) { return {wasm_v128_load(p)}; }
inline void store(float* p, f32x4 a) { wasm_v128_store(p, a.v); }
inline f32x4 splat(float x) { return {wasm_f32x4_splat(x)}; }
inline f32x4 load_splat(const float* p) { return {wasm_v128_load32_splat(p)}; }

inline f32x4 operator+(f32x4 a, f32x4 b) { return {wasm_f32x4_add(a.v, b.v)}; }
inline f32x4 operator-(f32x4 a, f32x4 b) { return {wasm_f32x4_sub(a.v, b.v)}; }
inline f32x4 operator*(f32x4 a, f32x4 b) { return {wasm_f32x4_mul(a.v, b.v)}; }
inline f32x4 operator/(f32x4 a, f32x4 b) { return {wasm_f32x4_div(a.v, b.v)}; }
inline f32x4 min(f32x4 a, f32x4 b) { return {wasm_f32x4_pmin(a.v, b.v)}; }
inline f32x4 max(f32x4 a, f32x4 b) { return {wasm_f32x4_pmax(a.v, b.v)}; }
inline f32x4 sqrt(f32x4 a) { return {wasm_f32x4_sqrt(a.v)}; }
inline f32x4 select_less(f32x4 a, f32x4 b, f32x4 x, f32x4 y) {
  return {wasm_v128_bitselect(x.v, y.v, wasm_f32x4_lt(a.v, b.v))};
}
inline f32x4 scale_by_power_of_two(f32x4 a, f32x4 t) {
  return {wasm_i32x4_add(a.v, wasm_i32x4_shl(t.v, 23))};
}
inline f32x4 low_halves(f32x4 a, f32x4 b) { return {wasm_i32x4_shuffle(a.v, b.v, 0, 1, 4, 5)}; }
inline f32x4 high_halves(f32x4 a, f32x4 b) { return {wasm_i32x4_shuffle(a.v, b.v, 2, 3, 6, 7)}; }
inline void transpose(f32x4& a, f32x4& b, f32x4& c, f32x4& d) {
  const f32x4 ab_low{wasm_i32x4_shuffle(a.v, b.v, 0, 4, 1, 5)};
  const f32x4 ab_high{wasm_i32x4_shuffle(a.v, b.v, 2, 6, 3, 7)};
  const f32x4 cd_low{wasm_i32x4_shuffle(c.v, d.v, 0, 4, 1, 5)};
  const f32x4 cd_high{wasm_i32x4_shuffle(c.v, d.v, 2, 6, 3, 7)};
  a = low_halves(ab_low, cd_low);
  b = high_halves(ab_low, cd_low);
  c = low_halves(ab_high, cd_high);
  d = high_halves(ab_high, cd_high);
}
inline float reduce_add(f32x4 a) {
  const v128_t pair = wasm_f32x4_add(a.v, wasm_i32x4_shuffle(a.v, a.v, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(pair, 0) + wasm_f32x4_extract_lane(pair, 1);
}
inline float reduce_max(f32x4 a) {
  const f32x4 pair = max(a, {wasm_i32x4_shuffle(a.v, a.v, 2, 3, 2, 3)});
  return wasm_f32x4_extract_lane(max(pair, {wasm_i32x4_shuffle(pair.v, pair.v, 1, 1, 1, 1)}).v, 0);
}

}  // namespace poslab
