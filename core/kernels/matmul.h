// Matrix products, the one place where a training step spends its time.
//
// Every element of a product is one chain of multiply-then-add over k in rising order, starting
// from its initial value, whatever the shape, the tile or the target: that is what makes results
// bit-equal between targets, and between a row computed alone (cached generation) and in a batch.
#pragma once

#include <cstddef>

namespace poslab {

// A read-only matrix: element (i, j) is at data[i * row + j * col]; row or col is 1.
struct MatrixView {
  const float* data;
  std::ptrdiff_t row;
  std::ptrdiff_t col;
};

inline MatrixView row_major(const float* data, std::ptrdiff_t row_stride) {
  return {data, row_stride, 1};
}
inline MatrixView transposed(MatrixView m) { return {m.data, m.col, m.row}; }

// The value each element of the product starts from: element (i, j) is at data[i * row + j].
// row = 0 repeats one row (a bias). nullptr starts from zero.
struct StartFrom {
  const float* data = nullptr;
  std::ptrdiff_t row = 0;
};

// C (M,N) = start + A (M,K) B (K,N), C row-major with c_row floats from row to row.
// To accumulate into C, start from C itself. Allocates nothing.
void matmul(int M, int N, int K, MatrixView a, MatrixView b, StartFrom start, float* c,
            std::ptrdiff_t c_row);

// The same in two steps, for a B that several products share (attention: one B, many row blocks).
// packed_size(K, N) floats hold B in panels of 16 columns; matmul_packed multiplies by rows
// [k_first, k_first + K) of a B that was packed with k_total rows.
inline constexpr int kPanelColumns = 16;
inline std::size_t packed_size(int K, int N) {
  return static_cast<std::size_t>(K) * ((N + kPanelColumns - 1) / kPanelColumns) * kPanelColumns;
}
void pack_columns(int K, int N, MatrixView b, float* packed);
void matmul_packed(int M, int N, int K, MatrixView a, const float* packed, int k_total, int k_first,
                   StartFrom start, float* c, std::ptrdiff_t c_row);

}  // namespace poslab
