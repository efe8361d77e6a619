// A matrix as people paste it: CSV, TSV, columns of numbers, nested lists, NumPy's print-outs.
#pragma once

#include <string_view>
#include <vector>

namespace poslab {

struct Matrix {
  int rows = 0, columns = 0;
  std::vector<float> data;  // row-major
};

// Lines of numbers separated by commas, tabs, semicolons or spaces; or rows in brackets, with
// whatever stands around them in Python ("array([[", "dtype=float32)"). Lines that begin with # are
// skipped. A shortened print-out ("..."), rows of different lengths and anything that is no number
// are refused with row and column, counted from 1.
Matrix parse_matrix(std::string_view text);

}  // namespace poslab
