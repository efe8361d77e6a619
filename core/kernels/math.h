// Elementary functions that give the same bits on every machine.
//
// libm differs between platforms in the last digit, so nothing in the core calls it. Single
// precision is vectorised (hot loops); double precision is scalar and fills tables once. Only
// + - * / and sqrt are used, which IEEE-754 rounds the same everywhere. Each function states its
// largest error; tests/core/math_test.cpp measures it.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "simd/f32x4.h"

namespace poslab {

namespace detail {

// The constants of exp and exp2, in the order of their use, and of layers/gelu.cpp. They lie in
// memory, defined out of every caller's sight, because V8's newer compiler makes a constant that it
// can see anew wherever it is used, in three instructions and in loops as well, which made GELU
// take two thirds longer.
extern const float kExp[13];
extern const float kExp2[8];
struct GeluConstants {
  float linear, cubic;  // of -2u log2(e), by x and x^3
  float upper, lower;   // bounds of that
  float one;
  float slope, slope_by_square;  // 2u' = slope (1 + slope_by_square x^2)
};
extern const GeluConstants kGelu;

}  // namespace detail

// An exponent cut in two: base^exponent = base^rest * 2^k, rest small, k in the low mantissa bits
// of `power`.
struct CutExponent {
  f32x4 rest, power;
};

// x = k ln 2 + rest, with ln 2 in two parts.
inline CutExponent cut_exp(f32x4 x) {
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low mantissa bits.
  const f32x4 magic = load_splat(detail::kExp);
  const f32x4 power = x * load_splat(detail::kExp + 1) + magic;
  const f32x4 k = power - magic;
  return {(x - k * load_splat(detail::kExp + 2)) - k * load_splat(detail::kExp + 3), power};
}
// The polynomial is the single-precision one of Moshier's Cephes library.
inline f32x4 join_exp(CutExponent x) {
  const auto constant = [](int i) { return load_splat(detail::kExp + i); };
  const f32x4 r = x.rest;
  f32x4 p = multiply_add(constant(4), r, constant(5));
  for (int i = 6; i < 10; ++i) p = multiply_add(p, r, constant(i));
  p = multiply_add(p, r * r, r) + constant(10);
  return scale_by_power_of_two(p, x.power);
}
// y, or 0 where x lies below the normal range of e^x.
inline f32x4 unless_underflow(f32x4 x, f32x4 y) {
  return select_less(x, load_splat(detail::kExp + 11), splat(0.0f), y);
}

// e^x per lane, at most 1 ulp. Below -87.33 (where the result leaves the normal range) it is 0,
// above 88.72 it is +inf, so -inf gives exactly 0.
inline f32x4 exp(f32x4 x) {
  return select_less(load_splat(detail::kExp + 12), x,
                     splat(std::numeric_limits<float>::infinity()),
                     unless_underflow(x, join_exp(cut_exp(x))));
}

// y = k + rest, for y from -126 to 128.
inline CutExponent cut_exp2(f32x4 y) {
  const f32x4 magic = load_splat(detail::kExp2);
  const f32x4 power = y + magic;
  return {y - (power - magic), power};
}
// The polynomial interpolates 2^rest on [-1/2, 1/2] in Chebyshev nodes (relative error 2.6e-9).
inline f32x4 join_exp2(CutExponent y) {
  const auto constant = [](int i) { return load_splat(detail::kExp2 + i); };
  f32x4 p = multiply_add(constant(1), y.rest, constant(2));
  for (int i = 3; i < 8; ++i) p = multiply_add(p, y.rest, constant(i));
  return scale_by_power_of_two(p, y.power);
}

// 2^y per lane for y from -126 to 128 (where it is +inf), at most 2 ulp: cheaper than exp where the
// argument is scaled and bounded anyway.
inline f32x4 exp2(f32x4 y) { return join_exp2(cut_exp2(y)); }

// Floats that in_two_loops takes at most at once.
inline constexpr std::size_t kExpFloats = 128;

// use(i, cut(exponent(i))) for i in steps of 4 below n <= kExpFloats, a multiple of 4: one loop
// cuts and another uses, since a processor keeps only so many operations that wait for others. Of
// an exponential's whole chain of 30 it has two or three under way, of each half several times as
// many. Cycles of GELU for four numbers, Node 20 and Node 26: 15.0 and 14.9; with one loop 26 and
// 26, with four chains side by side in it 16.7 and 22.5.
template <class Exponent, class Cut, class Use>
inline void in_two_loops(std::size_t n, Exponent exponent, Cut cut, Use use) {
  alignas(16) float rest[kExpFloats], power[kExpFloats];
  for (std::size_t i = 0; i < n; i += 4) {
    const CutExponent parts = cut(exponent(i));
    store(rest + i, parts.rest);
    store(power + i, parts.power);
  }
  for (std::size_t i = 0; i < n; i += 4) use(i, CutExponent{load(rest + i), load(power + i)});
}

// x[i] = exp(x[i] - top) for n floats, a multiple of 4, none above top but NaNs.
inline void exp_below(float* x, std::size_t n, float top) {
  const f32x4 top4 = splat(top);
  const auto below = [&](std::size_t i) {
    const f32x4 difference = load(x + i) - top4;
    store(x + i, difference);
    return difference;
  };
  const auto raise = [&](std::size_t i, CutExponent parts) {
    store(x + i, unless_underflow(load(x + i), join_exp(parts)));
  };
  for (; n > kExpFloats; n -= kExpFloats, x += kExpFloats) {
    in_two_loops(kExpFloats, below, cut_exp, raise);
  }
  in_two_loops(n, below, cut_exp, raise);
}

// out[i] = exp2(exponent(i)) for i in steps of 4 below n <= kExpFloats, a multiple of 4.
template <class Exponent>
inline void exp2_of(float* out, std::size_t n, Exponent exponent) {
  in_two_loops(n, exponent, cut_exp2,
               [&](std::size_t i, CutExponent parts) { store(out + i, join_exp2(parts)); });
}

inline float exp(float x) {
  float lanes[4];
  store(lanes, exp(splat(x)));
  return lanes[0];
}

namespace detail {

inline std::uint64_t bits_of(double x) {
  std::uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

inline double from_bits(std::uint64_t b) {
  double x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

inline double power_of_two(int k) { return from_bits(static_cast<std::uint64_t>(k + 1023) << 52); }

inline double round_half_even(double x) {
  const double magic = 6755399441055744.0;  // 1.5 * 2^52
  return (x + magic) - magic;
}

}  // namespace detail

// e^x, at most 1 ulp; 0 and +inf where the result leaves the range, NaN for NaN. Coefficients of
// Sun's fdlibm (e_exp.c).
inline double exp(double x) {
  if (x != x) return x;
  x = x < -746.0 ? -746.0 : x > 710.0 ? 710.0 : x;
  const double k = detail::round_half_even(x * 1.44269504088896338700e+00);
  const double hi = x - k * 6.93147180369123816490e-01;
  const double lo = k * 1.90821492927058770002e-10;
  const double r = hi - lo;
  const double z = r * r;
  const double c =
      r - z * (1.66666666666666019037e-01 +
               z * (-2.77777777770155933842e-03 +
                    z * (6.61375632143793436117e-05 +
                         z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))));
  const double y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
  // In two steps, because 2^k alone may leave the range where y * 2^k does not.
  const int half = static_cast<int>(k) / 2;
  return y * detail::power_of_two(half) * detail::power_of_two(static_cast<int>(k) - half);
}

// Natural logarithm, at most 1 ulp; -inf for 0, NaN for a negative number. Coefficients of Sun's
// fdlibm (e_log.c).
inline double log(double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(x > 0.0)) return x == 0.0 ? -infinity : std::numeric_limits<double>::quiet_NaN();
  if (x == infinity) return x;
  int k = -1023;
  if (x < std::numeric_limits<double>::min()) {
    x *= detail::power_of_two(54);
    k -= 54;
  }
  std::uint64_t bits = detail::bits_of(x);
  k += static_cast<int>(bits >> 52);
  bits = (bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL;
  double m = detail::from_bits(bits);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++k;
  }
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double even = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 +
                               w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double half_square = 0.5 * f * f;
  const double dk = k;
  return dk * 6.93147180369123816490e-01 -
         ((half_square - (s * (half_square + (even + odd)) + dk * 1.90821492927058770002e-10)) - f);
}

// base^exponent for base > 0.
inline double power(double base, double exponent) { return exp(exponent * log(base)); }

struct SinCos {
  double sin, cos;
};

// Sine and cosine of x radians for |x| <= 1e6 (error at most 2e-16 absolute); NaN for what is not
// finite. Reduction by pi/2 in three parts of 33 bits, so that k times a part is exact; kernels
// with the coefficients of Sun's fdlibm (k_sin.c, k_cos.c).
inline SinCos sincos(double x) {
  if (x - x != 0.0) return {x - x, x - x};
  const double k = detail::round_half_even(x * 6.36619772367581382433e-01);
  const double r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) -
                   k * 2.02226624879595063154e-21;
  const double z = r * r;
  const double s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                z * 1.58969099521155010221e-10)))));
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  const double c =
      w +
      (((1.0 - w) - half) +
       z * z *
           (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 +
                      z * (-2.75573143513906633035e-07 +
                           z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

inline constexpr double kPi = 3.14159265358979323846;

}  // namespace poslab
