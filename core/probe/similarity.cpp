#include "probe/similarity.h"

#include <cmath>

#include "kernels/matmul.h"

namespace poslab {

Tensor<2> cosine_similarity(const float* data, std::size_t rows, std::size_t columns) {
  Tensor<2> unit = zeros<2>({rows, columns});
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = data + r * columns;
    double square = 0.0;
    for (std::size_t c = 0; c < columns; ++c) square += static_cast<double>(row[c]) * row[c];
    const double scale = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
    for (std::size_t c = 0; c < columns; ++c) unit(r, c) = static_cast<float>(row[c] * scale);
  }
  Tensor<2> cosines = zeros<2>({rows, rows});
  const int n = static_cast<int>(rows), d = static_cast<int>(columns);
  const MatrixView u = row_major(unit.data(), d);
  matmul(n, n, d, u, transposed(u), {}, cosines.data(), n);
  return cosines;
}

}  // namespace poslab
