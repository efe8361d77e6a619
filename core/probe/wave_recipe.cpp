#include "probe/wave_recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/math.h"

namespace poslab {

double wave_exponent(WaveExponent rule, int i, bool cosine, int d) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  switch (rule) {
    case WaveExponent::right:
      return 2.0 * i / d;
    case WaveExponent::cosine_own:
      return (2.0 * i + (cosine ? 1 : 0)) / d;
    case WaveExponent::column:
      return 2.0 * (2.0 * i + (cosine ? 1 : 0)) / d;
    case WaveExponent::minus_one:
      return d / 2 < 2 ? nothing : i / (d / 2 - 1.0);
    case WaveExponent::halved:
      return static_cast<double>(i) / d;
    case WaveExponent::doubled:
      return 4.0 * i / d;
    case WaveExponent::negative:
      return -2.0 * i / d;
    case WaveExponent::whole:
      return 0.0;
    case WaveExponent::whole_negative:
      return i == 0 ? 0.0 : 1.0;
    case WaveExponent::width_plus_one:
      return d % 2 == 0 ? nothing : 2.0 * i / (d + 1);
    case WaveExponent::width_minus_one:
      return d % 2 == 0 || d < 2 ? nothing : 2.0 * i / (d - 1);
  }
  return nothing;
}

WaveTable::WaveTable(const WaveRecipe& recipe, int rows, int columns) : recipe_(recipe) {
  const int d = recipe.transposed ? rows : columns;
  const int n_sines = (d + 1) / 2;
  for (int c = 0; c < d; ++c) {
    int i = c / 2;
    bool cosine = c % 2 == 1;
    Kind kind = Kind::sine;
    switch (recipe.layout) {
      case WaveLayout::interleaved:
        break;
      case WaveLayout::swapped:
        cosine = !cosine;
        break;
      case WaveLayout::concatenated:
        cosine = c >= n_sines;
        i = cosine ? c - n_sines : c;
        break;
      case WaveLayout::cosines_first:
        cosine = c < d / 2;
        i = cosine ? c : c - d / 2;
        break;
      case WaveLayout::sines_only:
      case WaveLayout::cosines_only:
        break;
      case WaveLayout::last_column_zero:
      case WaveLayout::last_column_cosine:
        defined_ = d % 2 == 1;
        break;
    }
    kind = cosine ? Kind::cosine : Kind::sine;
    if (recipe.layout == WaveLayout::sines_only) kind = Kind::sine;
    if (recipe.layout == WaveLayout::cosines_only) kind = Kind::cosine;
    if (c == d - 1 && recipe.layout == WaveLayout::last_column_zero) kind = Kind::zero;
    if (c == d - 1 && recipe.layout == WaveLayout::last_column_cosine) kind = Kind::cosine;
    const double exponent = wave_exponent(recipe.exponent, i, cosine, d);
    if (!(std::fabs(exponent * log(recipe.base)) < 600.0)) {
      defined_ = false;
      return;
    }
    columns_.push_back({kind, recipe.unit / power(recipe.base, exponent)});
  }
}

double WaveTable::position_of(int row, int column) const {
  const int place = recipe_.transposed ? column : row;
  switch (recipe_.rows) {
    case WaveRows::own:
      return recipe_.first + place;
    case WaveRows::constant:
      return recipe_.first + recipe_.rows_by;
    case WaveRows::cycling:
      return recipe_.first + place % recipe_.rows_by;
    case WaveRows::stretched:
      return recipe_.first + place / recipe_.rows_by;
  }
  return 0.0;
}

double WaveTable::at(int row, int column) const {
  const Column& wave = columns_[recipe_.transposed ? row : column];
  if (wave.kind == Kind::zero) return 0.0;
  const double angle = position_of(row, column) * wave.frequency;
  // Beyond this no table that a learner built agrees with anything.
  if (!(std::fabs(angle) <= 1e6)) return std::numeric_limits<double>::quiet_NaN();
  const SinCos value = sincos(angle);
  return wave.kind == Kind::cosine ? value.cos : value.sin;
}

namespace {

struct LayoutChoice {
  WaveLayout layout;
  const char* mistake;  // nullptr = none
};
constexpr LayoutChoice kLayouts[] = {
    {WaveLayout::interleaved, nullptr},          {WaveLayout::concatenated, "sines_then_cosines"},
    {WaveLayout::swapped, "sin_cos_swapped"},    {WaveLayout::cosines_first, "cosines_then_sines"},
    {WaveLayout::sines_only, "sines_only"},      {WaveLayout::cosines_only, "cosines_only"},
    {WaveLayout::last_column_zero, "odd_width"}, {WaveLayout::last_column_cosine, "odd_width"},
};
struct ExponentChoice {
  WaveExponent exponent;
  const char* mistake;
};
constexpr ExponentChoice kExponents[] = {
    {WaveExponent::right, nullptr},
    {WaveExponent::cosine_own, "cosine_exponent"},
    {WaveExponent::minus_one, "timescales_minus_one"},
    {WaveExponent::halved, "exponent_halved"},
    {WaveExponent::doubled, "exponent_doubled"},
    {WaveExponent::column, "column_as_pair"},
    {WaveExponent::whole, "same_angle"},
    {WaveExponent::whole_negative, "integer_division"},
    {WaveExponent::negative, "exponent_sign"},
    {WaveExponent::width_plus_one, "odd_width"},
    {WaveExponent::width_minus_one, "odd_width"},
};
struct UnitChoice {
  double unit;
  const char* mistake;
};
constexpr UnitChoice kUnits[] = {{1.0, nullptr},
                                 {kPi / 180.0, "degrees"},
                                 {180.0 / kPi, "degrees"},
                                 // An angle's sign is its sine's; a cosine does not change.
                                 {-1.0, "sines_negative"}};
struct RowsChoice {
  WaveRows rows;
  int by;
  const char* mistake;
};

// How the rows repeat, if they do.
std::vector<RowsChoice> rows_choices(const float* matrix, int rows, int columns) {
  std::vector<RowsChoice> out{{WaveRows::own, 0, nullptr}};
  const auto equal = [&](int a, int b) {
    return std::equal(matrix + static_cast<std::ptrdiff_t>(a) * columns,
                      matrix + static_cast<std::ptrdiff_t>(a + 1) * columns,
                      matrix + static_cast<std::ptrdiff_t>(b) * columns);
  };
  if (rows < 2) return out;
  int same = 1;  // as row 0, from row 0 on
  while (same < rows && equal(same, 0)) ++same;
  if (same == rows) {
    for (const int position : {0, 1, 2, 3, 4, 5, 6, 7})
      out.push_back({WaveRows::constant, position, "repeated_along_batch"});
    out.push_back({WaveRows::constant, rows - 1, "repeated_along_batch"});
    out.push_back({WaveRows::constant, rows, "repeated_along_batch"});
  } else if (same > 1) {
    out.push_back({WaveRows::stretched, same, "repeated_along_batch"});
  } else {
    int period = 1;
    while (period < rows && !equal(period, 0)) ++period;
    if (period < rows) out.push_back({WaveRows::cycling, period, "repeated_along_batch"});
  }
  return out;
}

// The angle in (0, pi/2) with this sine, by halving.
double arcsine(double s) {
  double low = 0.0, high = kPi / 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (sincos(middle).sin < s ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// x to so many significant digits.
double rounded(double x, int digits) {
  double scale = 1.0;
  while (x * scale >= power(10.0, digits)) scale *= 0.1;
  while (x * scale < power(10.0, digits - 1)) scale *= 10.0;
  return std::floor(x * scale + 0.5) / scale;
}

// Bases that the row of position 1 speaks for; its sines are read where the layout has them.
// Rounder ones first.
std::vector<double> bases_from(const float* matrix, int rows, int columns,
                               const WaveRecipe& recipe) {
  const int d = recipe.transposed ? rows : columns, n = recipe.transposed ? columns : rows;
  const int at = recipe.first == 0.0 ? 1 : 0;  // the row of position 1
  if (at >= n) return {};
  double best = 0.0, base = 0.0;
  for (int i = 1; i < (d + 1) / 2; ++i) {
    const int c = recipe.layout == WaveLayout::concatenated ? i : 2 * i;
    const double s = recipe.transposed ? matrix[static_cast<std::ptrdiff_t>(c) * columns + at]
                                       : matrix[static_cast<std::ptrdiff_t>(at) * columns + c];
    // Where the base shows most clearly: a late pair that still moves.
    if (!(s > 0.0 && s < 0.9 && i * s > best)) continue;
    best = i * s;
    base = exp(std::min(690.0, -log(arcsine(s)) * d / (2.0 * i)));
  }
  if (!(base > 1.0 && base < 1e13)) return {};
  std::vector<double> out;
  for (int digits = 1; digits <= 6; ++digits) {
    const double candidate = rounded(base, digits);
    if (out.empty() || out.back() != candidate) out.push_back(candidate);
  }
  out.push_back(base);
  return out;
}

}  // namespace

std::vector<WaveRecipe> wave_recipes(const float* matrix, int rows, int columns, double base) {
  std::vector<WaveRecipe> out;
  const auto note = [](WaveRecipe& recipe, const char* mistake) {
    if (mistake == nullptr) return;
    for (const std::string& known : recipe.mistakes) {
      if (known == mistake) return;
    }
    recipe.mistakes.push_back(mistake);
  };
  for (const bool transposed : {false, true}) {
    const std::vector<RowsChoice> choices =
        transposed ? std::vector<RowsChoice>{{WaveRows::own, 0, nullptr}}
                   : rows_choices(matrix, rows, columns);
    for (const RowsChoice& in_rows : choices) {
      for (const LayoutChoice& layout : kLayouts) {
        for (const ExponentChoice& exponent : kExponents) {
          for (const UnitChoice& unit : kUnits) {
            for (const double first : {0.0, 1.0}) {
              WaveRecipe recipe;
              recipe.layout = layout.layout, recipe.exponent = exponent.exponent;
              recipe.rows = in_rows.rows, recipe.rows_by = in_rows.by;
              recipe.base = base, recipe.first = first, recipe.unit = unit.unit;
              recipe.transposed = transposed;
              note(recipe, exponent.mistake);
              note(recipe, unit.mistake);
              note(recipe, first == 0.0 ? nullptr : "positions_from_1");
              note(recipe, in_rows.mistake);
              note(recipe, transposed ? "transposed" : nullptr);
              note(recipe, layout.mistake);
              if (recipe.mistakes.size() <= 3) out.push_back(recipe);
            }
          }
        }
      }
    }
    for (const LayoutChoice& layout : {kLayouts[0], kLayouts[1], kLayouts[4]}) {
      for (const double first : {0.0, 1.0}) {
        WaveRecipe recipe;
        recipe.layout = layout.layout, recipe.first = first, recipe.transposed = transposed;
        note(recipe, "other_base");
        note(recipe, first == 0.0 ? nullptr : "positions_from_1");
        note(recipe, transposed ? "transposed" : nullptr);
        note(recipe, layout.mistake);
        for (const double other : bases_from(matrix, rows, columns, recipe)) {
          recipe.base = other;
          if (std::fabs(other - base) > 1e-3 * base) out.push_back(recipe);
        }
      }
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const WaveRecipe& a, const WaveRecipe& b) {
    return a.mistakes.size() < b.mistakes.size();
  });
  return out;
}

}  // namespace poslab
