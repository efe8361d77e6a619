// Every mistake is built here from scratch, as a learner would, and fed to the grader.
#include "probe/grader.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "io/number_format.h"
#include "position/rope.h"
#include "position/sinusoidal.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

using Cell = std::function<double(int p, int c)>;

std::vector<float> table(int n, int d, const Cell& cell) {
  std::vector<float> out;
  for (int p = 0; p < n; ++p) {
    for (int c = 0; c < d; ++c) out.push_back(static_cast<float>(cell(p, c)));
  }
  return out;
}

// The wave of one column, by libm.
double wave(double p, bool cosine, double exponent, double base = 10000.0) {
  const double angle = p / std::pow(base, exponent);
  return cosine ? std::cos(angle) : std::sin(angle);
}
double right(double p, int c, double d) { return wave(p, c % 2 == 1, c / 2 * 2 / d); }

std::string names_of(const Grade& grade) {
  std::string out;
  for (const Mistake& m : grade.mistakes) out += (out.empty() ? "" : " + ") + m.name;
  return out.empty() ? grade.verdict : out;
}

// The verdict on a table of n x d.
std::string verdict(int n, int d, const Cell& cell) {
  const Grade grade = grade_sinusoidal(table(n, d, cell), n, d);
  INFO(grade.sentence);
  if (grade.verdict == "mistaken" || grade.verdict == "harmless") {
    CHECK(grade.has_wrong_cell);
    CHECK(std::fabs(grade.given - grade.expected) > 1e-4);
    CHECK(std::fabs(grade.expected - right(grade.row, grade.column, d)) < 1e-6);
  }
  return names_of(grade);
}

// What a print-out of so many decimals leaves of x.
double printed(double x, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(x * scale) / scale;
}

// As NumPy prints a half: with the fewest significant digits that no other half has.
double shortest(float half) {
  char text[32];
  for (int digits = 0;; ++digits) {
    std::snprintf(text, sizeof text, "%.*e", digits, static_cast<double>(half));
    if (round_to_half(std::strtof(text, nullptr)) == half) return std::strtod(text, nullptr);
  }
}

struct Size {
  int n, d;
};
constexpr Size kSizes[] = {{100, 64}, {10, 8}, {4, 6}, {33, 16}, {50, 130}};
constexpr Size kAnySizes[] = {{100, 64}, {10, 8}, {4, 7}, {33, 15}, {3, 20}};

}  // namespace

TEST_CASE("the right table is never accused, whatever its size", "[grader]") {
  for (const int n : {1, 2, 3, 10, 100, 512}) {
    for (const int d : {1, 2, 3, 4, 5, 8, 63, 64}) {
      INFO(n << " x " << d);
      const auto cell = [d](int p, int c) { return right(p, c, d); };
      const Grade grade = grade_sinusoidal(table(n, d, cell), n, d);
      CHECK(grade.verdict == "correct");
      CHECK(grade.mistakes.empty());
      CHECK((grade.n == n && grade.d == d));
      CHECK(grade.largest < 1e-6);
      if (n >= 10 && d >= 4) CHECK(grade.alternatives.empty());
      if (n == 1) CHECK_FALSE(grade.alternatives.empty());  // one row cannot tell frequencies apart
    }
  }
}

TEST_CASE("a table computed in single precision passes, long ones too", "[grader]") {
  for (const int n : {100, 2000}) {
    const auto cell = [](int p, int c) {
      const float frequency =
          std::exp(static_cast<float>(c / 2 * 2) * (-std::log(10000.0f) / 64.0f));
      const float angle = static_cast<float>(p) * frequency;
      return static_cast<double>(c % 2 == 1 ? std::cos(angle) : std::sin(angle));
    };
    CHECK(verdict(n, 64, cell) == "correct");
  }
}

TEST_CASE("differences up to 1e-4 pass and larger ones do not", "[grader]") {
  std::vector<float> matrix = table(20, 8, [](int p, int c) { return right(p, c, 8); });
  matrix[35] += 9e-5f;
  CHECK(grade_sinusoidal(matrix, 20, 8).verdict == "correct");
  matrix[35] += 3e-5f;
  const Grade grade = grade_sinusoidal(matrix, 20, 8);
  CHECK(grade.verdict == "unknown");
  CHECK((grade.row == 4 && grade.column == 3));
  CHECK(grade.nearest == "the right table");
  CHECK(grade.sentence.starts_with("Row 4, column 3 (counted from 0) holds "));
}

TEST_CASE("orders of columns are named and called harmless", "[grader]") {
  for (const auto [n, d] : kSizes) {
    INFO(n << " x " << d);
    CHECK(verdict(n, d, [d = d](int p, int c) { return right(-p, c, d); }) == "sines_negative");
    const double w = d;
    const int half = d / 2;
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c >= half, c % half * 2 / w); }) ==
          "sines_then_cosines");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c < half, c % half * 2 / w); }) ==
          "cosines_then_sines");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 0, c / 2 * 2 / w); }) ==
          "sin_cos_swapped");
    const Grade grade = grade_sinusoidal(
        table(n, d, [=](int p, int c) { return wave(p, c >= half, c % half * 2 / w); }), n, d);
    CHECK(grade.verdict == "harmless");
    CHECK((grade.row == 0 && grade.column == 1 && grade.given == 0.0 && grade.expected == 1.0));
  }
}

TEST_CASE("wrong exponents are named", "[grader]") {
  for (const auto [n, d] : kSizes) {
    INFO(n << " x " << d);
    const double w = d;
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c / w); }) ==
          "cosine_exponent");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, 2 * c / w); }) ==
          "column_as_pair");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c / 2 / (w / 2 - 1)); }) ==
          "timescales_minus_one");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c / 2 / w); }) ==
          "exponent_halved");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, 4 * (c / 2) / w); }) ==
          "exponent_doubled");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, -2 * (c / 2) / w); }) ==
          "exponent_sign");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, 0); }) == "same_angle");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c < 2 ? 0 : 1); }) ==
          "integer_division");
  }
}

TEST_CASE("wrong positions, units and missing halves are named, for odd widths too", "[grader]") {
  for (const auto [n, d] : kAnySizes) {
    INFO(n << " x " << d);
    const double w = d;
    CHECK(verdict(n, d, [=](int p, int c) { return right(p + 1, c, w); }) == "positions_from_1");
    CHECK(verdict(n, d, [=](int p, int c) { return right(p * 0.017453292519943295, c, w); }) ==
          "degrees");
    CHECK(verdict(n, d, [=](int p, int c) { return right(p * 57.29577951308232, c, w); }) ==
          "degrees");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, false, c / 2 * 2 / w); }) ==
          "sines_only");
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, true, c / 2 * 2 / w); }) ==
          "cosines_only");
    CHECK(verdict(n, d, [=](int, int c) { return right(0, c, w); }) == "repeated_along_batch");
    CHECK(verdict(n, d, [=](int, int c) { return right(n - 1, c, w); }) == "repeated_along_batch");
    CHECK(verdict(n, d, [=](int p, int c) { return right(p % 2, c, w); }) ==
          "repeated_along_batch");
    CHECK(verdict(n, d, [=](int p, int c) { return right(p / 2, c, w); }) ==
          "repeated_along_batch");
  }
}

TEST_CASE("another base is named and estimated", "[grader]") {
  for (const auto [n, d] : kSizes) {
    for (const double base : {500.0, 1000.0, 5000.0, 12345.0, 20000.0, 500000.0}) {
      const Grade grade = grade_sinusoidal(
          table(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c / 2 * 2.0 / d, base); }), n,
          d);
      INFO(n << " x " << d << ", base " << base << ": " << grade.sentence);
      CHECK(names_of(grade) == "other_base");
      CHECK(std::fabs(grade.base - base) < 0.02 * base);
      if (d == 64) CHECK(std::fabs(grade.base - base) < 1e-3 * base);
    }
  }
  // Two explanations of the same numbers: both are said.
  const Grade both = grade_sinusoidal(
      table(50, 32, [](int p, int c) { return wave(p, c % 2 == 1, c / 2 * 2.0 / 32, 100); }), 50,
      32);
  CHECK(names_of(both) == "exponent_halved");
  REQUIRE(both.alternatives.size() == 1);
  CHECK(both.alternatives[0] == "another base, 100");
}

TEST_CASE("transposed tables are named with their true size", "[grader]") {
  for (const auto [n, d] : {Size{100, 64}, {10, 8}, {16, 16}, {5, 7}}) {
    const double w = d;
    std::vector<float> matrix;
    for (int c = 0; c < d; ++c) {
      for (int p = 0; p < n; ++p) matrix.push_back(static_cast<float>(right(p, c, w)));
    }
    const Grade grade = grade_sinusoidal(matrix, d, n);
    INFO(n << " x " << d << ": " << grade.sentence);
    CHECK(names_of(grade) == "transposed");
    CHECK((grade.n == n && grade.d == d));
  }
}

TEST_CASE("odd widths built for a neighbour, or with another last column, are named", "[grader]") {
  for (const auto [n, d] : {Size{100, 63}, {10, 7}, {6, 5}}) {
    const double w = d;
    CHECK(verdict(n, d, [=](int p, int c) { return wave(p, c % 2 == 1, c / 2 * 2 / (w + 1)); }) ==
          "odd_width");
    CHECK(verdict(n, d, [=](int p, int c) {
            return wave(p, c % 2 == 1, c / 2 * 2 / (w - 1));
          }).find("odd_width") == 0);
    CHECK(verdict(n, d, [=, last = d - 1](int p, int c) {
            return c == last ? 0.0 : right(p, c, w);
          }) == "odd_width");
    CHECK(verdict(n, d, [=, last = d - 1](int p, int c) {
            return wave(p, c % 2 == 1 || c == last, c / 2 * 2 / w);
          }) == "odd_width");
  }
}

TEST_CASE("rounding is named by its kind", "[grader]") {
  for (const auto [n, d] : kAnySizes) {
    const double w = d;
    INFO(n << " x " << d);
    const auto cell = [=](int p, int c) { return static_cast<float>(right(p, c, w)); };
    CHECK(verdict(n, d, [=](int p, int c) { return round_to_half(cell(p, c)); }) == "float16");
    CHECK(verdict(n, d, [=](int p, int c) { return round_to_bfloat16(cell(p, c)); }) == "bfloat16");
    CHECK(verdict(n, d, [=](int p, int c) { return std::round(cell(p, c) * 1e3) / 1e3; }) ==
          "few_decimals");
    CHECK(verdict(n, d, [=](int p, int c) { return std::round(cell(p, c) * 1e5) / 1e5; }) ==
          "correct");
  }
}

TEST_CASE("a half is recognised in a print-out of eight decimals, NumPy's and PyTorch's",
          "[grader]") {
  for (const auto [n, d] : kAnySizes) {
    const double w = d;
    INFO(n << " x " << d);
    const auto half = [=](int p, int c) {
      return round_to_half(static_cast<float>(right(p, c, w)));
    };
    CHECK(verdict(n, d, [=](int p, int c) { return printed(half(p, c), 8); }) == "float16");
    CHECK(verdict(n, d, [=](int p, int c) { return shortest(half(p, c)); }) == "float16");
    CHECK(verdict(n, d, [=](int p, int c) { return printed(half(p, c), 4); }) == "float16");
  }
  // What is neither is not taken for one.
  Rng rng(2, "grader");
  std::vector<float> matrix = table(20, 8, [](int p, int c) { return right(p, c, 8); });
  for (float& x : matrix) x += static_cast<float>(4e-4 * rng.uniform());
  CHECK(grade_sinusoidal(matrix, 20, 8).verdict == "unknown");
  for (float& x : matrix) x = static_cast<float>(printed(x, 4));
  CHECK(grade_sinusoidal(matrix, 20, 8).verdict == "unknown");
}

TEST_CASE("two mistakes at once are both named", "[grader]") {
  const double w = 32;
  CHECK(verdict(40, 32, [=](int p, int c) { return wave(p + 1, c >= 16, c % 16 * 2 / w); }) ==
        "positions_from_1 + sines_then_cosines");
  CHECK(verdict(40, 32, [=](int p, int c) { return wave(p, c >= 16, c % 16 / 15.0); }) ==
        "timescales_minus_one + sines_then_cosines");
  CHECK(verdict(40, 32, [=](int p, int c) {
          return round_to_half(static_cast<float>(wave(p, c % 2 == 1, c / w)));
        }) == "cosine_exponent + float16");
}

TEST_CASE("what no known mistake explains stays unknown, with the nearest and its distance",
          "[grader]") {
  Rng rng(1, "grader");
  const Grade noise = grade_sinusoidal(random_floats(rng, 20 * 16), 20, 16);
  CHECK(noise.verdict == "unknown");
  CHECK(noise.mistakes.empty());
  CHECK(noise.distance > 0.5);
  CHECK_FALSE(noise.nearest.empty());
  // So far off it would only mislead.
  CHECK(noise.sentence.ends_with(" No mistake that is known here gives these numbers."));
  std::vector<float> scaled = table(20, 16, [](int p, int c) { return 2 * right(p, c, 16); });
  CHECK(grade_sinusoidal(scaled, 20, 16).verdict == "unknown");
  CHECK(refusal([] {
          grade_sinusoidal({1, 2, 3}, 2, 2);
        }) == "matrix has 3 numbers; 2 rows of 2 have 4.");
  CHECK(refusal([] {
          grade_sinusoidal({0, 1, 2, NAN}, 2, 2);
        }) == "matrix holds a number that is not finite in row 1, column 1 (counted from 0).");
  CHECK(refusal([] { grade_sinusoidal({}, 0, 4); }) ==
        "rows is 0; it must be a whole number from 1 to 65536.");
}
