// f32x4 on x86 SSE2, the baseline of every x86-64.
#pragma once

#include <emmintrin.h>

namespace poslab {

inline constexpr const char* kSimdBackend = "sse2";

// A struct rather than __m128 itself, whose built-in operators would hide ours.
struct f32x4 {
  __m128 v;
};

inline f32x4 load(const float* p) { return {_mm_loadu_ps(p)}; }
inline void store(float* p, f32x4 a) { _mm_storeu_ps(p, a.v); }
inline f32x4 splat(float x) { return {_mm_set1_ps(x)}; }
inline f32x4 load_splat(const float* p) { return {_mm_set1_ps(*p)}; }

inline f32x4 operator+(f32x4 a, f32x4 b) { return {_mm_add_ps(a.v, b.v)}; }
inline f32x4 operator-(f32x4 a, f32x4 b) { return {_mm_sub_ps(a.v, b.v)}; }
inline f32x4 operator*(f32x4 a, f32x4 b) { return {_mm_mul_ps(a.v, b.v)}; }
inline f32x4 operator/(f32x4 a, f32x4 b) { return {_mm_div_ps(a.v, b.v)}; }
// minps/maxps return their second operand when the comparison fails, hence the swap.
inline f32x4 min(f32x4 a, f32x4 b) { return {_mm_min_ps(b.v, a.v)}; }
inline f32x4 max(f32x4 a, f32x4 b) { return {_mm_max_ps(b.v, a.v)}; }
inline f32x4 sqrt(f32x4 a) { return {_mm_sqrt_ps(a.v)}; }
inline f32x4 select_less(f32x4 a, f32x4 b, f32x4 x, f32x4 y) {
  const __m128 mask = _mm_cmplt_ps(a.v, b.v);
  return {_mm_or_ps(_mm_and_ps(mask, x.v), _mm_andnot_ps(mask, y.v))};
}
inline f32x4 scale_by_power_of_two(f32x4 a, f32x4 t) {
  const __m128i shifted = _mm_slli_epi32(_mm_castps_si128(t.v), 23);
  return {_mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(a.v), shifted))};
}
inline f32x4 low_halves(f32x4 a, f32x4 b) { return {_mm_movelh_ps(a.v, b.v)}; }
inline f32x4 high_halves(f32x4 a, f32x4 b) { return {_mm_movehl_ps(b.v, a.v)}; }
inline void transpose(f32x4& a, f32x4& b, f32x4& c, f32x4& d) {
  _MM_TRANSPOSE4_PS(a.v, b.v, c.v, d.v);
}
inline float reduce_add(f32x4 a) {
  const __m128 pair = _mm_add_ps(a.v, _mm_movehl_ps(a.v, a.v));
  return _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps(pair, pair, 1)));
}
inline float reduce_max(f32x4 a) {
  const f32x4 pair = max(a, {_mm_movehl_ps(a.v, a.v)});
  return _mm_cvtss_f32(max(pair, {_mm_shuffle_ps(pair.v, pair.v, 1)}).v);
}

}  // namespace poslab
