#include "probe/grader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "io/number_format.h"
#include "position/sinusoidal.h"
#include "probe/wave_recipe.h"

namespace poslab {

std::string titles_of(const std::vector<std::string>& mistakes) {
  std::string out;
  for (const std::string& name : mistakes)
    out += (out.empty() ? "" : " and ") + mistake_named(name).title;
  return out;
}

void require_matrix(const char* name, const std::vector<float>& matrix, int rows, int columns) {
  require_whole("rows", rows, 1, 65536);
  require_whole("columns", columns, 1, 4096);
  const double expected = static_cast<double>(rows) * columns;
  require(static_cast<double>(matrix.size()) == expected,
          std::string(name) + " has " + text_of(static_cast<double>(matrix.size())) +
              (matrix.size() == 1 ? " number; " : " numbers; ") + text_of(rows) +
              (rows == 1 ? " row of " : " rows of ") + text_of(columns) +
              (rows == 1 ? " has " : " have ") + text_of(expected) + ".");
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (std::isfinite(matrix[i])) continue;
    const std::size_t width = static_cast<std::size_t>(columns);
    throw Error(std::string(name) + " holds a number that is not finite in row " +
                text_of(static_cast<double>(i / width)) + ", column " +
                text_of(static_cast<double>(i % width)) + " (counted from 0).");
  }
}

namespace {

// Whether x is what a print-out of up to eight decimals leaves of a number of fewer bits. NumPy
// writes as many as tell it from its neighbours, PyTorch four.
bool is_printed(double x, double fewer_bits) {
  const double slack = 1e-9 + 6e-8 * std::fabs(x);  // a decimal read in single precision
  double scale = 1.0;
  for (int decimals = 0; decimals <= 8; ++decimals, scale *= 10.0) {
    const bool has_decimals = std::fabs(std::floor(x * scale + 0.5) / scale - x) <= slack;
    if (has_decimals && std::fabs(fewer_bits - x) <= 0.5 / scale + slack) return true;
  }
  return false;
}

}  // namespace

std::vector<Rounding> roundings_of(const std::vector<float>& numbers) {
  std::vector<Rounding> out{{"", 1e-4}};
  double largest = 1.0;
  for (const float x : numbers) largest = std::max(largest, std::fabs(static_cast<double>(x)));
  const auto all = [&](auto holds) { return std::all_of(numbers.begin(), numbers.end(), holds); };
  const auto has_decimals = [](double scale) {
    return [scale](float x) {
      const double scaled = x * scale;
      return std::fabs(scaled - std::floor(scaled + 0.5)) < 1e-3;
    };
  };
  // Three decimals are too few to show which bits a number had.
  const bool print_tells = !all(has_decimals(1000.0));
  const auto all_rounded = [&](float (*round)(float)) {
    return all([round](float x) { return round(x) == x; }) ||
           (print_tells && all([round](float x) { return is_printed(x, round(x)); }));
  };
  if (all_rounded(round_to_half)) out.push_back({"float16", 0x1.02p-11 * largest});
  if (all_rounded(round_to_bfloat16)) out.push_back({"bfloat16", 0x1.02p-8 * largest});
  for (const double scale : {1000.0, 100.0, 10.0}) {
    if (all(has_decimals(scale))) out.push_back({"few_decimals", 0.501 / scale});
  }
  return out;
}

// Sines and cosines of unrelated angles differ by 1 in the root mean square; what is as far off as
// this has nothing to do with the table, and naming it would mislead.
constexpr double kFarOff = 0.3;

void conclude(Grade& grade, const std::string& what_is_right) {
  std::string others;
  for (const std::string& other : grade.alternatives)
    others += (others.empty() ? "" : ", ") + other;
  if (!grade.has_wrong_cell) {
    grade.verdict = "correct";
    grade.sentence = "Correct: all " + text_of(grade.n) + " × " + text_of(grade.d) +
                     " numbers agree with " + what_is_right + "; the largest difference is " +
                     text_of(static_cast<float>(grade.largest)) + ".";
    if (!others.empty()) {
      grade.sentence += " So few numbers would also come out of: " + others +
                        ". Hand in more of them to be sure.";
    }
    return;
  }
  grade.sentence = "Row " + text_of(grade.row) + ", column " + text_of(grade.column) +
                   " (counted from 0) holds " + text_of(static_cast<float>(grade.given)) +
                   "; it should be " + text_of(static_cast<float>(grade.expected)) + ".";
  if (grade.mistakes.empty()) {
    grade.verdict = "unknown";
    grade.sentence += " No mistake that is known here gives these numbers";
    if (!grade.nearest.empty() && grade.distance <= kFarOff) {
      grade.sentence += "; the nearest is " + grade.nearest + ", off by " +
                        text_of(static_cast<float>(grade.distance)) + " in the root mean square";
    }
    grade.sentence += ".";
    return;
  }
  const bool harmless = std::all_of(grade.mistakes.begin(), grade.mistakes.end(),
                                    [](const Mistake& m) { return m.harmless; });
  grade.verdict = harmless ? "harmless" : "mistaken";
  for (const Mistake& mistake : grade.mistakes)
    grade.sentence += " " + mistake.symptom + " " + mistake.cause;
  if (!others.empty()) grade.sentence += " As well possible: " + others + ".";
}

namespace {

// What single-precision angles can be off at a position.
double allowance(double tolerance, double position) {
  return std::max(tolerance, 4e-7 * std::fabs(position));
}

class SinusoidGrader {
 public:
  SinusoidGrader(const std::vector<float>& matrix, int rows, int columns)
      : matrix_(matrix), rows_(rows), columns_(columns) {}

  bool fits(const WaveRecipe& recipe, double tolerance) const {
    const WaveTable table(recipe, rows_, columns_);
    if (!table.defined()) return false;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const double difference = std::fabs(given(r, c) - table.at(r, c));
        if (!(difference <= allowance(tolerance, table.position_of(r, c)))) return false;
      }
    }
    return true;
  }

  // Root mean square difference, over at most 64 rows.
  double distance(const WaveRecipe& recipe) const {
    const WaveTable table(recipe, rows_, columns_);
    if (!table.defined()) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    const int rows = std::min(rows_, 64);
    for (int i = 0; i < rows; ++i) {
      const int r = static_cast<int>(1LL * i * rows_ / rows);
      for (int c = 0; c < columns_; ++c) {
        const double difference = given(r, c) - table.at(r, c);
        sum += difference * difference;
      }
    }
    sum /= static_cast<double>(rows) * columns_;
    return sum >= 0.0 ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
  }

  void compare(Grade& grade, const Tensor<2>& right) const {
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const double difference = std::fabs(given(r, c) - right(r, c));
        grade.largest = std::max(grade.largest, difference);
        if (difference <= allowance(grade.tolerance, r) || grade.has_wrong_cell) continue;
        grade.has_wrong_cell = true;
        grade.row = r, grade.column = c;
        grade.given = given(r, c), grade.expected = right(r, c);
      }
    }
  }

 private:
  double given(int r, int c) const { return matrix_[static_cast<std::size_t>(r) * columns_ + c]; }

  const std::vector<float>& matrix_;
  int rows_, columns_;
};

std::string title_of(const WaveRecipe& recipe, const std::vector<std::string>& names) {
  std::string out = titles_of(names);
  const std::string other = mistake_named("other_base").title;
  const std::size_t at = out.find(other);
  if (at != std::string::npos)
    out.insert(at + other.size(), ", " + text_of(static_cast<float>(recipe.base)));
  return out;
}

// Whether a base has one significant digit, so that somebody may have meant it.
bool is_round(double base) {
  while (base >= 10.0 - 1e-9) base /= 10.0;
  return std::fabs(base - std::floor(base + 0.5)) < 1e-6;
}

// Finds the recipes with the fewest mistakes that predict the matrix; writes them into the grade.
// The first is the diagnosis, the others alternatives.
void explain(Grade& grade, const SinusoidGrader& grader, const std::vector<WaveRecipe>& recipes,
             const std::vector<Rounding>& roundings) {
  const bool correct = !grade.has_wrong_cell;
  for (std::size_t cost = 1; cost <= 3; ++cost) {
    bool found = false;
    std::vector<std::vector<std::string>> seen;  // each explanation once
    for (const Rounding& rounding : roundings) {
      for (const WaveRecipe& recipe : recipes) {
        std::vector<std::string> names = recipe.mistakes;
        if (!rounding.mistake.empty()) names.push_back(rounding.mistake);
        if (names.size() != cost || (correct && !rounding.mistake.empty())) continue;
        if (recipe.mistakes.size() == 1 && recipe.mistakes[0] == "other_base" && found &&
            !is_round(recipe.base))
          continue;
        if (std::find(seen.begin(), seen.end(), names) != seen.end()) continue;
        if (!grader.fits(recipe, rounding.tolerance)) continue;
        seen.push_back(names);
        if (correct || found) {
          grade.alternatives.push_back(title_of(recipe, names));
        } else {
          for (const std::string& name : names) grade.mistakes.push_back(mistake_named(name));
          grade.base = recipe.base;
          if (recipe.transposed) std::swap(grade.n, grade.d);
        }
        found = true;
      }
    }
    if (found || correct) return;
  }
}

}  // namespace

Grade grade_sinusoidal(const std::vector<float>& matrix, int rows, int columns, double base) {
  require_matrix("matrix", matrix, rows, columns);
  require_between("base", base, 1, 1e12);
  Grade grade;
  grade.n = rows, grade.d = columns, grade.base = base;
  const SinusoidGrader grader(matrix, rows, columns);
  grader.compare(grade, sinusoidal(rows, columns, base));
  const std::vector<WaveRecipe> recipes = wave_recipes(matrix.data(), rows, columns, base);
  explain(grade, grader, recipes, roundings_of(matrix));
  if (grade.has_wrong_cell && grade.mistakes.empty()) {
    grade.distance = std::numeric_limits<double>::infinity();
    for (const WaveRecipe& recipe : recipes) {
      if (recipe.mistakes.size() > 1) break;
      const double distance = grader.distance(recipe);
      if (!(distance < grade.distance)) continue;
      grade.distance = distance;
      grade.nearest =
          recipe.mistakes.empty() ? "the right table" : title_of(recipe, recipe.mistakes);
    }
  }
  conclude(grade, "PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos(p / base^(2i/d))");
  return grade;
}

}  // namespace poslab
