#include "kernels/matmul.h"

#include <algorithm>

#include "simd/f32x4.h"

namespace poslab {
namespace {

// 4 rows by 8 columns is 8 accumulators, 2 vectors of B and 1 of A: 11 of the 15 xmm registers that
// V8 and SSE2 leave free. Taller or wider tiles spill.
constexpr int kTileRows = 4;
constexpr int kTileColumns = 8;
// A panel of 256 x 8 floats is 8 KiB: it stays in the first-level cache beside the rows of A that
// stream past it.
constexpr int kBlockDepth = 256;

template <int ROWS>
inline void tile(int K, MatrixView a, const float* panel, const float* start,
                 std::ptrdiff_t start_row, float* c, std::ptrdiff_t c_row) {
  f32x4 left[ROWS], right[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    left[i] = load(start + i * start_row);
    right[i] = load(start + i * start_row + 4);
  }
  const float* row[ROWS];
  for (int i = 0; i < ROWS; ++i) row[i] = a.data + i * a.row;
  for (int k = 0; k < K; ++k) {
    const f32x4 b_left = load(panel);
    const f32x4 b_right = load(panel + 4);
    panel += kTileColumns;
    for (int i = 0; i < ROWS; ++i) {
      const f32x4 a_ik = load_splat(row[i]);
      row[i] += a.col;
      left[i] = left[i] + a_ik * b_left;
      right[i] = right[i] + a_ik * b_right;
    }
  }
  for (int i = 0; i < ROWS; ++i) {
    store(c + i * c_row, left[i]);
    store(c + i * c_row + 4, right[i]);
  }
}

inline void tile_of_rows(int rows, int K, MatrixView a, const float* panel, const float* start,
                         std::ptrdiff_t start_row, float* c, std::ptrdiff_t c_row) {
  switch (rows) {
    case 1:
      return tile<1>(K, a, panel, start, start_row, c, c_row);
    case 2:
      return tile<2>(K, a, panel, start, start_row, c, c_row);
    case 3:
      return tile<3>(K, a, panel, start, start_row, c, c_row);
    default:
      return tile<kTileRows>(K, a, panel, start, start_row, c, c_row);
  }
}

constexpr float kZeros[kTileColumns] = {};

// One panel: up to 8 columns of C, all M rows.
void multiply_panel(int M, int columns, int K, MatrixView a, const float* panel, StartFrom start,
                    float* c, std::ptrdiff_t c_row) {
  if (start.data == nullptr) start = {kZeros, 0};
  for (int i = 0; i < M; i += kTileRows) {
    const int rows = std::min(kTileRows, M - i);
    const MatrixView a_rows{a.data + i * a.row, a.row, a.col};
    const float* from = start.data + i * start.row;
    float* to = c + i * c_row;
    if (columns == kTileColumns) {
      tile_of_rows(rows, K, a_rows, panel, from, start.row, to, c_row);
      continue;
    }
    // A narrow last panel goes through a full-width buffer, so that nothing outside C is touched.
    float edge[kTileRows * kTileColumns] = {};
    for (int r = 0; r < rows; ++r) {
      std::copy_n(from + r * start.row, columns, edge + r * kTileColumns);
    }
    tile_of_rows(rows, K, a_rows, panel, edge, kTileColumns, edge, kTileColumns);
    for (int r = 0; r < rows; ++r) std::copy_n(edge + r * kTileColumns, columns, to + r * c_row);
  }
}

void pack_panel(int K, int columns, MatrixView b, float* panel) {
  if (columns == kTileColumns && b.col == 1) {
    for (int k = 0; k < K; ++k) {
      store(panel + k * kTileColumns, load(b.data + k * b.row));
      store(panel + k * kTileColumns + 4, load(b.data + k * b.row + 4));
    }
    return;
  }
  for (int j = 0; j < kTileColumns; ++j) {
    for (int k = 0; k < K; ++k) {
      panel[k * kTileColumns + j] = j < columns ? b.data[k * b.row + j * b.col] : 0.0f;
    }
  }
}

}  // namespace

void matmul(int M, int N, int K, MatrixView a, MatrixView b, StartFrom start, float* c,
            std::ptrdiff_t c_row) {
  alignas(16) float panel[kBlockDepth * kTileColumns];
  for (int j = 0; j < N; j += kTileColumns) {
    const int columns = std::min(kTileColumns, N - j);
    StartFrom from{start.data == nullptr ? nullptr : start.data + j, start.row};
    int k = 0;
    do {
      const int depth = std::min(kBlockDepth, K - k);
      pack_panel(depth, columns, {b.data + k * b.row + j * b.col, b.row, b.col}, panel);
      multiply_panel(M, columns, depth, {a.data + k * a.col, a.row, a.col}, panel, from, c + j,
                     c_row);
      from = {c + j, c_row};
      k += depth;
    } while (k < K);
  }
}

void pack_columns(int K, int N, MatrixView b, float* packed) {
  for (int j = 0; j < N; j += kTileColumns) {
    pack_panel(K, std::min(kTileColumns, N - j), {b.data + j * b.col, b.row, b.col}, packed);
    packed += static_cast<std::ptrdiff_t>(K) * kTileColumns;
  }
}

void matmul_packed(int M, int N, int K, MatrixView a, const float* packed, int k_total, int k_first,
                   StartFrom start, float* c, std::ptrdiff_t c_row) {
  for (int j = 0; j < N; j += kTileColumns) {
    const float* panel = packed + static_cast<std::ptrdiff_t>(k_total) * j + k_first * kTileColumns;
    const StartFrom from{start.data == nullptr ? nullptr : start.data + j, start.row};
    multiply_panel(M, std::min(kTileColumns, N - j), K, a, panel, from, c + j, c_row);
  }
}

}  // namespace poslab
