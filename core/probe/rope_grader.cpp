// What learners make of RoPE: each way to turn a vector predicts the outputs, and the one that fits
// is named.
#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "kernels/math.h"
#include "probe/grader.h"
#include "probe/wave_recipe.h"

namespace poslab {

RopeRole rope_role_named(const std::string& name) {
  if (name == "query" || name == "key") return RopeRole::query_or_key;
  if (name == "value") return RopeRole::value;
  throw Error("role is " + quoted(name) + "; it must be \"query\", \"key\" or \"value\".");
}

namespace {

struct TurnRecipe {
  bool turned = true;
  RopePairing angles = RopePairing::half;  // how angles are laid out over the d numbers
  RopePairing swaps = RopePairing::half;   // which numbers are turned into each other
  WaveExponent exponent = WaveExponent::right;
  double base = 10000.0, sign = 1.0, unit = 1.0;
  double first = 0.0;  // position of the first row
  bool constant = false;
  int width = 0;                // numbers turned, from the first
  bool width_in_angles = true;  // the exponent divides by that width, not by d
  std::vector<std::string> mistakes;
};

class TurnGrader {
 public:
  TurnGrader(const std::vector<float>& inputs, const std::vector<float>& outputs, int rows, int d)
      : inputs_(inputs), outputs_(outputs), rows_(rows), d_(d) {
    for (const float x : inputs) scale_ = std::max(scale_, std::fabs(static_cast<double>(x)));
  }

  // One row as the recipe turns it; NaN where it has no angle.
  void predict(const TurnRecipe& recipe, int row, std::vector<double>& out) const {
    const float* x = inputs_.data() + static_cast<std::ptrdiff_t>(row) * d_;
    out.assign(x, x + d_);
    if (!recipe.turned) return;
    const int r = recipe.width, pairs = r / 2;
    const double position = recipe.first + (recipe.constant ? 0 : row);
    std::vector<SinCos> waves;
    for (int i = 0; i < pairs; ++i) {
      const double e = wave_exponent(recipe.exponent, i, false, recipe.width_in_angles ? r : d_);
      const double angle = recipe.unit * position / power(recipe.base, e);
      if (!(std::fabs(angle) <= 1e6)) {
        out[0] = std::numeric_limits<double>::quiet_NaN();
        return;
      }
      waves.push_back(sincos(angle));
    }
    for (int c = 0; c < r; ++c) {
      const SinCos& wave = waves[recipe.angles == RopePairing::half ? c % pairs : c / 2];
      const bool half = recipe.swaps == RopePairing::half;
      const bool is_first = half ? c < pairs : c % 2 == 0;
      const int other = half ? (is_first ? c + pairs : c - pairs) : (is_first ? c + 1 : c - 1);
      const double sign = recipe.sign * (is_first ? -1.0 : 1.0);
      out[c] = x[c] * wave.cos + sign * x[other] * wave.sin;
    }
  }

  bool fits(const TurnRecipe& recipe, double tolerance) const {
    std::vector<double> row;
    for (int r = 0; r < rows_; ++r) {
      predict(recipe, r, row);
      for (int c = 0; c < d_; ++c) {
        if (!(std::fabs(row[c] - given(r, c)) <= allowed(tolerance, recipe.first + r)))
          return false;
      }
    }
    return true;
  }

  double distance(const TurnRecipe& recipe) const {
    std::vector<double> row;
    double sum = 0.0;
    for (int r = 0; r < rows_; ++r) {
      predict(recipe, r, row);
      for (int c = 0; c < d_; ++c) sum += (row[c] - given(r, c)) * (row[c] - given(r, c));
    }
    sum /= static_cast<double>(rows_) * d_;
    return sum >= 0.0 ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
  }

  void compare(Grade& grade, const TurnRecipe& right) const {
    std::vector<double> row;
    for (int r = 0; r < rows_; ++r) {
      predict(right, r, row);
      for (int c = 0; c < d_; ++c) {
        const double difference = std::fabs(row[c] - given(r, c));
        grade.largest = std::max(grade.largest, difference);
        if (difference <= allowed(1e-4, right.first + r) || grade.has_wrong_cell) continue;
        grade.has_wrong_cell = true;
        grade.row = r, grade.column = c;
        grade.given = given(r, c), grade.expected = row[c];
      }
    }
  }

  double scale() const { return scale_; }

 private:
  double given(int r, int c) const { return outputs_[static_cast<std::size_t>(r) * d_ + c]; }
  double allowed(double tolerance, double position) const {
    return std::max(tolerance, 4e-7 * std::fabs(position) * scale_) + 1e-6 * scale_;
  }

  const std::vector<float>& inputs_;
  const std::vector<float>& outputs_;
  int rows_, d_;
  double scale_ = 1.0;
};

struct ExponentChoice {
  WaveExponent exponent;
  const char* mistake;
};
constexpr ExponentChoice kExponents[] = {
    {WaveExponent::right, nullptr},
    {WaveExponent::halved, "exponent_halved"},
    {WaveExponent::doubled, "exponent_doubled"},
    {WaveExponent::minus_one, "timescales_minus_one"},
    {WaveExponent::whole, "same_angle"},
    {WaveExponent::negative, "exponent_sign"},
};

RopePairing other_of(RopePairing pairing) {
  return pairing == RopePairing::half ? RopePairing::adjacent : RopePairing::half;
}

std::vector<TurnRecipe> turn_recipes(const RopeTask& task, int d) {
  TurnRecipe right;
  right.angles = right.swaps = task.pairing;
  right.base = task.base, right.first = task.first, right.width = d;
  const RopePairing other = other_of(task.pairing);

  // Each list: the right way, then the wrong ones.
  std::vector<TurnRecipe> out{right};
  const auto vary = [&out](const char* mistake, auto change) {
    std::vector<TurnRecipe> changed(out);
    for (TurnRecipe& recipe : changed) {
      change(recipe);
      if (std::find(recipe.mistakes.begin(), recipe.mistakes.end(), mistake) ==
          recipe.mistakes.end())
        recipe.mistakes.push_back(mistake);
    }
    return changed;
  };
  const auto widen = [&out](std::vector<std::vector<TurnRecipe>> more) {
    for (const std::vector<TurnRecipe>& list : more) {
      for (const TurnRecipe& recipe : list) {
        if (recipe.mistakes.size() <= 2) out.push_back(recipe);
      }
    }
  };
  widen({vary("pairing_other", [&](TurnRecipe& r) { r.angles = r.swaps = other; }),
         vary("pairing_mixed", [&](TurnRecipe& r) { r.angles = other; }),
         vary("pairing_mixed", [&](TurnRecipe& r) { r.swaps = other; })});
  widen({vary("wrong_sign", [](TurnRecipe& r) { r.sign = -1.0; })});
  widen({vary("degrees", [](TurnRecipe& r) { r.unit = kPi / 180.0; }),
         vary("degrees", [](TurnRecipe& r) { r.unit = 180.0 / kPi; })});
  widen({vary("positions_from_1", [](TurnRecipe& r) { r.first += 1.0; })});
  std::vector<std::vector<TurnRecipe>> exponents, widths, bases;
  for (const ExponentChoice& choice : kExponents) {
    if (choice.mistake != nullptr)
      exponents.push_back(
          vary(choice.mistake, [&](TurnRecipe& r) { r.exponent = choice.exponent; }));
  }
  widen(exponents);
  for (int width = 2; width < d; width += 2) {
    for (const bool in_angles : {true, false}) {
      widths.push_back(vary(
          "partial_width", [&](TurnRecipe& r) { r.width = width, r.width_in_angles = in_angles; }));
    }
  }
  for (const double base :
       {100.0, 500.0, 1000.0, 10000.0, 50000.0, 100000.0, 500000.0, 1000000.0}) {
    if (base != task.base)
      bases.push_back(vary("other_base", [&](TurnRecipe& r) { r.base = base; }));
  }
  widen(widths);
  widen(bases);
  TurnRecipe still = right;
  still.turned = false, still.mistakes = {"not_turned"};
  out.push_back(still);
  for (int position = 1; position <= 8; ++position) {
    TurnRecipe constant = right;
    constant.constant = true, constant.first = position, constant.mistakes = {"position_constant"};
    out.push_back(constant);
  }
  std::stable_sort(out.begin(), out.end(), [](const TurnRecipe& a, const TurnRecipe& b) {
    return a.mistakes.size() < b.mistakes.size();
  });
  return out;
}

void explain(Grade& grade, const TurnGrader& grader, const std::vector<TurnRecipe>& recipes,
             const std::vector<Rounding>& roundings) {
  const bool correct = !grade.has_wrong_cell;
  for (std::size_t cost = 1; cost <= 3 && grade.mistakes.empty(); ++cost) {
    std::vector<std::string> diagnosis;
    for (const Rounding& rounding : roundings) {
      for (const TurnRecipe& recipe : recipes) {
        std::vector<std::string> names = recipe.mistakes;
        if (!rounding.mistake.empty()) names.push_back(rounding.mistake);
        if (names.size() != cost || names == diagnosis) continue;
        if (correct && !rounding.mistake.empty()) continue;
        if (!grader.fits(recipe, rounding.tolerance)) continue;
        if (correct || !diagnosis.empty()) {
          const std::string name = titles_of(names);
          if (std::find(grade.alternatives.begin(), grade.alternatives.end(), name) ==
              grade.alternatives.end())
            grade.alternatives.push_back(name);
        } else {
          diagnosis = names;
          for (const std::string& mistake : names) grade.mistakes.push_back(mistake_named(mistake));
          grade.base = recipe.base;
        }
      }
    }
    if (correct) return;
  }
}

}  // namespace

Grade grade_rope(const std::vector<float>& inputs, const std::vector<float>& outputs, int rows,
                 int columns, const RopeTask& task) {
  require_matrix("inputs", inputs, rows, columns);
  require_matrix("outputs", outputs, rows, columns);
  require(columns % 2 == 0,
          "columns is " + text_of(columns) + "; RoPE turns pairs, so it must be an even number.");
  require_between("base", task.base, 1, 1e12);
  require_between("first", task.first, 0, 1e5);
  Grade grade;
  grade.n = rows, grade.d = columns, grade.base = task.base;
  const TurnGrader grader(inputs, outputs, rows, columns);
  std::vector<TurnRecipe> recipes = turn_recipes(task, columns);
  TurnRecipe right = recipes[0];
  if (task.role == RopeRole::value) {
    // Values must come out as they went in; any turn at all is the mistake.
    for (TurnRecipe& recipe : recipes) recipe.mistakes = {"values_rotated"};
    right.turned = false;
  }
  grader.compare(grade, right);
  if (grade.has_wrong_cell || task.role != RopeRole::value)
    explain(grade, grader, recipes, roundings_of(outputs));
  if (grade.has_wrong_cell && grade.mistakes.empty()) {
    grade.distance = std::numeric_limits<double>::infinity();
    for (const TurnRecipe& recipe : recipes) {
      if (recipe.mistakes.size() > 1) break;
      const double distance = grader.distance(recipe);
      if (!(distance < grade.distance)) continue;
      grade.distance = distance;
      grade.nearest = recipe.mistakes.empty() ? "the right turn" : titles_of(recipe.mistakes);
    }
  }
  conclude(grade,
           task.role == RopeRole::value ? "values that are left alone" : "RoPE at their positions");
  return grade;
}

}  // namespace poslab
