// Ways to build a sinusoidal table, the right one and the ones that learners take by mistake. Each
// predicts every cell, so that a grader can tell which of them was followed.
#pragma once

#include <string>
#include <vector>

namespace poslab {

enum class WaveLayout {
  interleaved,
  swapped,
  concatenated,
  cosines_first,
  sines_only,
  cosines_only,
  last_column_zero,
  last_column_cosine
};
enum class WaveExponent {
  right,            // 2i/d
  cosine_own,       // (2i+1)/d for cosines
  column,           // 2 column / d
  minus_one,        // i / (d/2 - 1)
  halved,           // i/d
  doubled,          // 4i/d
  negative,         // -2i/d
  whole,            // 2i // d = 0
  whole_negative,   // base ** (-2i // d): 0 for the first pair, 1 for the others
  width_plus_one,   // 2i/(d+1)
  width_minus_one,  // 2i/(d-1)
};
// Which position stands in a row.
enum class WaveRows { own, constant, cycling, stretched };

struct WaveRecipe {
  WaveLayout layout = WaveLayout::interleaved;
  WaveExponent exponent = WaveExponent::right;
  WaveRows rows = WaveRows::own;
  int rows_by = 0;  // the constant position; the period; how often each position is repeated
  double base = 10000.0;
  double first = 0.0;  // position of row 0
  double unit = 1.0;   // positions are multiplied by this: pi/180 for degrees
  bool transposed = false;
  std::vector<std::string> mistakes;  // what the deviations from the right way are called
};

// The table that a recipe predicts, cell by cell, in double precision.
class WaveTable {
 public:
  // rows and columns of the matrix as it was handed in; transposed, its width is the rows.
  WaveTable(const WaveRecipe& recipe, int rows, int columns);
  double at(int row, int column) const;
  double position_of(int row, int column) const;
  bool defined() const { return defined_; }  // false: this width has no such table

 private:
  enum class Kind { sine, cosine, zero };
  struct Column {
    Kind kind;
    double frequency;
  };
  WaveRecipe recipe_;
  std::vector<Column> columns_;
  bool defined_ = true;
};

// Exponent of pair i in a table of width d; `cosine` for its cosine column. NaN where the rule has
// none.
double wave_exponent(WaveExponent rule, int i, bool cosine, int d);

// All recipes for one table, those with fewer mistakes first. base: the one that is asked for;
// matrix (rows,columns) is looked at only to estimate other bases and how rows repeat.
std::vector<WaveRecipe> wave_recipes(const float* matrix, int rows, int columns, double base);

}  // namespace poslab
