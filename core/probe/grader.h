// The diagnosing grader: compares what a learner built with the core's own numbers, and where they
// differ finds the mistake that predicts exactly what was handed in.
#pragma once

#include <string>
#include <vector>

#include "config.h"
#include "probe/mistakes.h"

namespace poslab {

struct Grade {
  std::string verdict;   // "correct", "harmless" (another order, as good), "mistaken", "unknown"
  std::string sentence;  // what was found, in words
  std::vector<Mistake> mistakes;          // together they predict the numbers handed in
  std::vector<std::string> alternatives;  // as good explanations, in words
  int n = 0, d = 0;                       // positions and width, as found
  double tolerance = 1e-4;  // from position 250 on a little more, for angles in single precision
  double largest = 0.0;     // difference to the core's numbers
  bool has_wrong_cell = false;
  int row = 0, column = 0;  // the first cell that differs, from 0, in reading order
  double given = 0.0, expected = 0.0;
  double base = 0.0;      // of the waves that were found
  std::string nearest;    // verdict unknown: the explanation that comes closest
  double distance = 0.0;  // its root mean square difference
};

// A sinusoidal table (rows,columns), row-major: one row a position, or transposed.
Grade grade_sinusoidal(const std::vector<float>& matrix, int rows, int columns,
                       double base = 10000.0);

// What RoPE is applied to: only queries and keys are turned.
enum class RopeRole { query_or_key, value };
RopeRole rope_role_named(const std::string& name);  // "query", "key" or "value"

struct RopeTask {
  RopePairing pairing = RopePairing::half;
  double base = 10000.0;
  RopeRole role = RopeRole::query_or_key;
  double first = 0.0;  // position of the first row
};

// What a learner's RoPE made of inputs (rows,columns), row r at position first + r. columns even.
Grade grade_rope(const std::vector<float>& inputs, const std::vector<float>& outputs, int rows,
                 int columns, const RopeTask& task);

// --- for both graders ---

// A way in which all numbers handed in are rounded, and how far that may move them.
struct Rounding {
  std::string mistake;  // empty: none
  double tolerance;
};
std::vector<Rounding> roundings_of(const std::vector<float>& numbers);
void require_matrix(const char* name, const std::vector<float>& matrix, int rows, int columns);
std::string titles_of(const std::vector<std::string>& mistakes);  // joined by "and"
// Fills verdict and sentence from everything else.
void conclude(Grade& grade, const std::string& what_is_right);

}  // namespace poslab
