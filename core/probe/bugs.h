// Spot the bug: eight variants of position encodings, each run on a small attention. Whether a
// variant is faulty is measured, not asserted: either a property that position encodings are for is
// lost, or nothing changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor.h"

namespace poslab {

struct BugReport {
  std::string name;           // "sines_only", …
  std::string change;         // what the variant does differently, one sentence
  std::string property;       // what is measured, one sentence; 0 is best
  double right;               // measured of the right way
  double variant;             // and of the variant
  double threshold;           // above it the property is lost
  bool faulty;                // variant > threshold
  std::string matrix;         // which matrix the cells are of
  Tensor<2> expected, given;  // that matrix, right and of the variant
  bool has_wrong_cell;
  int row, column;  // the first cell that differs by more than 1e-4, from 0
  double largest;   // difference between the two matrices
  std::string symptom, cure;
};

std::vector<std::string> bug_names();
// T = 8 tokens, width 16, 2 heads; inputs and weights are drawn from the seed. Throws on an unknown
// name.
BugReport run_bug(const std::string& name, std::uint64_t seed);

}  // namespace poslab
