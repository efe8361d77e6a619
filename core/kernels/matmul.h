// Matrix products, the one place where a training step spends its time.
//
// Every element of a product is one chain of multiply-then-add over k in rising order, starting
// from its initial value, whatever the shape, the tile or the target: that is what makes results
// bit-equal between targets, and between a row computed alone (cached generation) and in a batch.
#pragma once

#include <cstddef>
#include <span>

namespace poslab {

// A read-only matrix: element (i, j) is at data[i * row + j * col]; row or col is 1.
struct MatrixView {
  const float* data;
  std::ptrdiff_t row;
  std::ptrdiff_t col;

  MatrixView from(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return {data + i * row + j * col, row, col};
  }
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

  StartFrom from(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return {data == nullptr ? nullptr : data + i * row + j, row};
  }
};

// Where the kernel's loop over k can be left: after a step's sums, or between its loads and its
// products, which are then done after the loop. The bits are the same, the machine code is not:
// compilers move loads to where they are first used, but not past a way out. Which is faster
// depends on the engine (see kernels/tile_trial.h). Cycles of an AMD EPYC for 2 rows by 16 columns
// at K = 128, 512 at best:
//                       Node 20   Chromium 156, Node 26   Firefox 153   WebKitGTK 2.50
//   leave_after_sums        555                     641           575              828
//   leave_after_loads      1481                     538           548              875
enum class TileOrder { leave_after_sums, leave_after_loads };

// The order of this thread's products from now on.
void use_tile_order(TileOrder order);
TileOrder tile_order();

// C (M,N) = start + A (M,K) B (K,N), C row-major with c_row floats from row to row.
// To accumulate into C, start from C itself. row_sums (M) = the sums of A's rows over rising k, for
// a transposed A: they fall out where it is copied, and are added up by
// themselves where it is not. Allocates nothing.
void matmul(int M, int N, int K, MatrixView a, MatrixView b, StartFrom start, float* c,
            std::ptrdiff_t c_row, float* row_sums = nullptr);

// Which elements of A count. A triangle of a square A includes the diagonal. Rows are multiplied by
// twos, so elements next to it on the other side, (i, i + 1) of a lower and (i + 1, i) of an upper
// triangle, must be 0; what lies beyond may be anything. An upper triangle's A is transposed.
enum class Part { whole, lower, upper };

// The same in two steps, for a B that several products share (attention: one B, many row blocks).
// packed_size(K, N) floats hold B in panels of 16 columns; matmul_packed multiplies by rows
// [k_first, k_first + K) of a B that was packed with k_total rows. Meanwhile it brings into the
// processor's caches what would otherwise be waited for, 32 floats for every two rows of a panel:
// `ahead`, and after that each next panel of B. Together that spares 2 % of a step at nano.
inline constexpr int kPanelColumns = 16;
inline std::size_t packed_size(int K, int N) {
  return static_cast<std::size_t>(K) * ((N + kPanelColumns - 1) / kPanelColumns) * kPanelColumns;
}
void pack_columns(int K, int N, MatrixView b, float* packed);
void matmul_packed(int M, int N, int K, MatrixView a, const float* packed, int k_total, int k_first,
                   StartFrom start, float* c, std::ptrdiff_t c_row,
                   std::span<const float> ahead = {}, Part part = Part::whole);

}  // namespace poslab
