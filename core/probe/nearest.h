// Which rows of a table lie nearest to one of them: the nearest tokens of a token.
#pragma once

#include <cstddef>
#include <vector>

namespace poslab {

struct Neighbour {
  int row;
  double cosine;
};

// The `count` other rows of table (rows,columns) with the largest cosine to `row`, largest first,
// the lower index first among equals; fewer when there are no more. A row of zeros has cosine 0.
std::vector<Neighbour> nearest_rows(const float* table, std::size_t rows, std::size_t columns,
                                    int row, int count);

}  // namespace poslab
