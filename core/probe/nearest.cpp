#include "probe/nearest.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace poslab {
namespace {

double dot(const float* a, const float* b, std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

std::vector<Neighbour> nearest_rows(const float* table, std::size_t rows, std::size_t columns,
                                    int row, int count) {
  require_whole("row", row, 0, static_cast<double>(rows) - 1);
  require_whole("count", count, 0, 1e9);
  const float* here = table + static_cast<std::size_t>(row) * columns;
  const double norm = std::sqrt(dot(here, here, columns));
  std::vector<Neighbour> all;
  for (std::size_t r = 0; r < rows; ++r) {
    if (r == static_cast<std::size_t>(row)) continue;
    const float* other = table + r * columns;
    const double norms = norm * std::sqrt(dot(other, other, columns));
    const double cosine = norms > 0.0 ? dot(here, other, columns) / norms : 0.0;
    all.push_back({static_cast<int>(r), cosine});
  }
  const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(count));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [](const Neighbour& a, const Neighbour& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
                    });
  all.resize(kept);
  return all;
}

}  // namespace poslab
