// One text for every back end: whatever f32x4 is here, it must do what plain scalar code does, bit
// for bit.
#include "simd/f32x4.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/vector.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> telling_values() {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               0.1f,
                               -3.3f,
                               16777217.0f,
                               1e-30f,
                               1e30f,
                               -1e30f,
                               std::numeric_limits<float>::denorm_min(),
                               -std::numeric_limits<float>::denorm_min(),
                               1e-40f,
                               -2e-39f,
                               std::numeric_limits<float>::min(),
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::lowest(),
                               kInfinity,
                               -kInfinity,
                               kNaN};
  Rng rng(1, "simd");
  for (int i = 0; i < 12; ++i) values.push_back(static_cast<float>(rng.normal() * 100.0));
  return values;
}

f32x4 from(const float* p) { return load(p); }

// Runs op on all pairs of telling values, each pair in each lane, and counts lanes that differ from
// the scalar expectation.
template <class Op, class Expected, class Equal>
int differences(Op op, Expected expected, Equal equal) {
  const std::vector<float> values = telling_values();
  const std::size_t n = values.size();
  int count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float a[4], b[4], out[4];
      for (std::size_t lane = 0; lane < 4; ++lane) {
        a[lane] = values[(i + lane) % n];
        b[lane] = values[(j + 3 * lane) % n];
      }
      store(out, op(from(a), from(b)));
      for (int lane = 0; lane < 4; ++lane) count += !equal(out[lane], expected(a[lane], b[lane]));
    }
  }
  return count;
}

bool equal_or_nan(float a, float b) { return same(a, b); }
bool equal_bits(float a, float b) { return bits_of(a) == bits_of(b); }

}  // namespace

TEST_CASE("lane-wise arithmetic rounds as scalar arithmetic does", "[simd]") {
  CHECK(differences([](f32x4 a, f32x4 b) { return a + b; }, [](float a, float b) { return a + b; },
                    equal_or_nan) == 0);
  CHECK(differences([](f32x4 a, f32x4 b) { return a - b; }, [](float a, float b) { return a - b; },
                    equal_or_nan) == 0);
  CHECK(differences([](f32x4 a, f32x4 b) { return a * b; }, [](float a, float b) { return a * b; },
                    equal_or_nan) == 0);
  CHECK(differences([](f32x4 a, f32x4 b) { return a / b; }, [](float a, float b) { return a / b; },
                    equal_or_nan) == 0);
  CHECK(differences([](f32x4 a, f32x4) { return sqrt(a); },
                    [](float a, float) { return std::sqrt(a); }, equal_or_nan) == 0);
}

TEST_CASE("a product and a sum are rounded separately, not fused", "[simd]") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 loses its last term when the product is rounded.
  const float a = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
  float out[4];
  store(out, splat(a) * splat(a) + splat(c));
  CHECK(out[0] == 0.0f);
}

TEST_CASE("multiply_add rounds its product before the sum", "[simd][same-bits]") {
  const float a = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
  float out[4];
  store(out, multiply_add(splat(a), splat(a), splat(c)));
  CHECK(out[0] == 0.0f);
}

TEST_CASE("multiply_add is a product and a sum in every lane, rounded twice or at once", "[simd]") {
  Rng rng(4, "simd");
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<float> a = random_floats(rng, 4), b = random_floats(rng, 4),
                             c = random_floats(rng, 4);
    float out[4];
    store(out, multiply_add(load(a.data()), load(b.data()), load(c.data())));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const float twice = a[lane] * b[lane] + c[lane], once = std::fma(a[lane], b[lane], c[lane]);
      wrong += !same(out[lane], twice) && !same(out[lane], once);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("min and max pick an operand as documented, also for NaN and signed zeros", "[simd]") {
  CHECK(differences([](f32x4 a, f32x4 b) { return min(a, b); },
                    [](float a, float b) { return b < a ? b : a; }, equal_bits) == 0);
  CHECK(differences([](f32x4 a, f32x4 b) { return max(a, b); },
                    [](float a, float b) { return a < b ? b : a; }, equal_bits) == 0);
  float out[4];
  store(out, min(splat(2.0f), splat(kNaN)));
  CHECK(out[0] == 2.0f);
  store(out, max(splat(2.0f), splat(kNaN)));
  CHECK(out[0] == 2.0f);
  store(out, max(splat(kNaN), splat(2.0f)));
  CHECK(out[0] != out[0]);
}

TEST_CASE("select_less takes x where a is less than b and y elsewhere", "[simd]") {
  CHECK(differences([](f32x4 a, f32x4 b) { return select_less(a, b, splat(-0.0f), splat(kNaN)); },
                    [](float a, float b) { return a < b ? -0.0f : kNaN; }, equal_bits) == 0);
  CHECK(differences([](f32x4 a, f32x4 b) { return select_less(a, b, b, a); },
                    [](float a, float b) { return a < b ? b : a; }, equal_bits) == 0);
}

TEST_CASE("scale_by_power_of_two adds the low bits of t to the exponent", "[simd]") {
  int wrong = 0;
  for (int k = -126; k <= 126; ++k) {
    const float v[4] = {1.0f, 1.4142135f, 1.99999988f, -1.25f};
    float out[4];
    store(out, scale_by_power_of_two(load(v), splat(12582912.0f + static_cast<float>(k))));
    for (int lane = 0; lane < 4; ++lane) wrong += !same(out[lane], std::ldexp(v[lane], k));
  }
  CHECK(wrong == 0);
}

TEST_CASE("reduce_add meets lanes in the documented order", "[simd]") {
  Rng rng(2, "simd");
  int wrong = 0, other_order = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<float> v = random_floats(rng, 4);
    const float sum = reduce_add(load(v.data()));
    wrong += !same(sum, (v[0] + v[2]) + (v[1] + v[3]));
    other_order += !same(sum, (v[0] + v[1]) + (v[2] + v[3]));
    other_order += !same(sum, ((v[0] + v[1]) + v[2]) + v[3]);
  }
  CHECK(wrong == 0);
  CHECK(other_order > 500);  // the numbers do tell the orders apart
}

TEST_CASE("reduce_max meets lanes in the documented order, also with NaN", "[simd]") {
  const auto most = [](float a, float b) { return a < b ? b : a; };
  const std::vector<float> values = telling_values();
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t step = 1; step < values.size(); ++step) {
      float v[4];
      for (std::size_t lane = 0; lane < 4; ++lane)
        v[lane] = values[(i + lane * step) % values.size()];
      wrong += !equal_bits(reduce_max(load(v)), most(most(v[0], v[2]), most(v[1], v[3])));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("transpose turns rows into columns and moves numbers whole", "[simd]") {
  float in[16], out[16];
  const std::vector<float> values = telling_values();
  for (std::size_t i = 0; i < 16; ++i) in[i] = values[(3 * i) % values.size()];
  f32x4 a = load(in), b = load(in + 4), c = load(in + 8), d = load(in + 12);
  transpose(a, b, c, d);
  store(out, a), store(out + 4, b), store(out + 8, c), store(out + 12, d);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(equal_bits(out[4 * i + j], in[4 * j + i]));
  }
}

TEST_CASE("halves of two vectors are put together whole", "[simd]") {
  const std::vector<float> values = telling_values();
  for (std::size_t first = 0; first + 8 <= values.size(); ++first) {
    const float* in = values.data() + first;
    float low[4], high[4];
    store(low, low_halves(load(in), load(in + 4)));
    store(high, high_halves(load(in), load(in + 4)));
    for (int i = 0; i < 4; ++i) {
      const int from = i < 2 ? i : 2 + i;  // 0, 1, 4, 5
      CHECK(equal_bits(low[i], in[from]));
      CHECK(equal_bits(high[i], in[from + 2]));
    }
  }
}

TEST_CASE("loads and stores need no alignment and touch nothing else", "[simd]") {
  float buffer[12];
  for (int offset = 0; offset < 4; ++offset) {
    for (int i = 0; i < 12; ++i) buffer[i] = static_cast<float>(i);
    const f32x4 v = load(buffer + offset);
    store(buffer + offset + 3, v);
    for (int i = 0; i < 12; ++i) {
      const bool written = i >= offset + 3 && i < offset + 7;
      CHECK(buffer[i] == static_cast<float>(written ? i - 3 : i));
    }
  }
  float out[4];
  store(out, load_splat(buffer));
  CHECK(out[3] == buffer[0]);
}

TEST_CASE("load_first and store_first leave the lanes beyond n alone", "[simd]") {
  const float source[4] = {1, 2, 3, 4};
  for (int n = 0; n <= 4; ++n) {
    float lanes[4], target[5] = {9, 9, 9, 9, 9};
    store(lanes, load_first(source, n));
    store_first(target, n, load(source));
    for (int i = 0; i < 4; ++i) {
      CHECK(lanes[i] == (i < n ? source[i] : 0.0f));
      CHECK(target[i] == (i < n ? source[i] : 9.0f));
    }
    CHECK(target[4] == 9.0f);
  }
}

TEST_CASE("sum_of adds in one fixed tree for every length", "[simd]") {
  Rng rng(3, "simd");
  for (std::size_t n = 0; n <= 37; ++n) {
    std::vector<float> x = random_floats(rng, n);
    // The tree by hand: vectors go by turns to two accumulators of 4 lanes, a partial last vector
    // always to the second.
    float even[4] = {}, odd[4] = {};
    const std::size_t whole = n / 4;
    for (std::size_t vector = 0; vector * 4 < n; ++vector) {
      float* into = vector == whole || vector % 2 == 1 ? odd : even;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const std::size_t i = vector * 4 + lane;
        into[lane] += i < n ? x[i] : 0.0f;
      }
    }
    float lanes[4];
    for (int lane = 0; lane < 4; ++lane) lanes[lane] = even[lane] + odd[lane];
    const float expected = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    const float got = sum_of(
        n, [&](std::size_t i, int lanes_here) { return load_up_to(x.data() + i, lanes_here); });
    CHECK(same(got, expected));
  }
}

TEST_CASE("add_to and scale_by reach every element and none beyond", "[simd]") {
  for (std::size_t n = 0; n <= 11; ++n) {
    std::vector<float> y(n + 1, 2.0f), x(n + 1, 0.5f);
    add_to(y.data(), x.data(), n);
    scale_by(y.data(), 3.0f, n);
    for (std::size_t i = 0; i < n; ++i) CHECK(y[i] == 7.5f);
    CHECK(y[n] == 2.0f);
  }
}
