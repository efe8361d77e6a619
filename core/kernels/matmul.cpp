#include "kernels/matmul.h"

#include <algorithm>
#include <cassert>

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

// How A lies in memory: one row after another (A itself) or one column after another (A a
// transposed view).
enum class Lie { rows, columns };

// C (ROWS,8) = start + A (ROWS,K) panel (K,8).
//
// Four steps over k a round, with a way out after each. The ways out are not only for a K that four
// does not divide: they keep each step a basic block of its own. Without them V8 moves the loads of
// all four steps to the top, runs out of registers and spills (30 GFLOP/s instead of 44 on an AMD
// EPYC whose peak is 59); a plain loop of one step pays for its interrupt check and its counters at
// every k (37 GFLOP/s). Tiles of 2x16, 3x12 and 5x8 came out within 4 % of this one, 6x8 and 4x12
// spill.
template <int ROWS, Lie LIE>
inline void tile(int K, MatrixView a, const float* panel, const float* start,
                 std::ptrdiff_t start_row, float* c, std::ptrdiff_t c_row) {
  f32x4 left[ROWS], right[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    left[i] = load(start + i * start_row);
    right[i] = load(start + i * start_row + 4);
  }
  const float* row[ROWS];
  for (int i = 0; i < ROWS; ++i) row[i] = a.data + i * a.row;
  const auto step = [&](int k) {
    const f32x4 b_left = load(panel + k * kTileColumns);
    const f32x4 b_right = load(panel + k * kTileColumns + 4);
    for (int i = 0; i < ROWS; ++i) {
      const f32x4 a_ik = load_splat(LIE == Lie::rows ? row[i] + k : a.data + i);
      left[i] = multiply_add(a_ik, b_left, left[i]);
      right[i] = multiply_add(a_ik, b_right, right[i]);
    }
    if constexpr (LIE == Lie::columns) a.data += a.col;
  };
  while (K > 0) {
    step(0);
    if (K == 1) break;
    step(1);
    if (K == 2) break;
    step(2);
    if (K == 3) break;
    step(3);
    if (K == 4) break;
    K -= 4;
    panel += 4 * kTileColumns;
    if constexpr (LIE == Lie::rows) {
      for (int i = 0; i < ROWS; ++i) row[i] += 4;
    }
  }
  for (int i = 0; i < ROWS; ++i) {
    store(c + i * c_row, left[i]);
    store(c + i * c_row + 4, right[i]);
  }
}

template <Lie LIE>
inline void tile_of_rows(int rows, int K, MatrixView a, const float* panel, const float* start,
                         std::ptrdiff_t start_row, float* c, std::ptrdiff_t c_row) {
  switch (rows) {
    case 1:
      return tile<1, LIE>(K, a, panel, start, start_row, c, c_row);
    case 2:
      return tile<2, LIE>(K, a, panel, start, start_row, c, c_row);
    case 3:
      return tile<3, LIE>(K, a, panel, start, start_row, c, c_row);
    default:
      return tile<kTileRows, LIE>(K, a, panel, start, start_row, c, c_row);
  }
}

constexpr float kZeros[kTileColumns] = {};

template <Lie LIE>
void multiply_panel_lying(int M, int columns, int K, MatrixView a, const float* panel,
                          StartFrom start, float* c, std::ptrdiff_t c_row) {
  if (start.data == nullptr) start = {kZeros, 0};
  for (int i = 0; i < M; i += kTileRows) {
    const int rows = std::min(kTileRows, M - i);
    const MatrixView a_rows{a.data + i * a.row, a.row, a.col};
    const float* from = start.data + i * start.row;
    float* to = c + i * c_row;
    if (columns == kTileColumns) {
      tile_of_rows<LIE>(rows, K, a_rows, panel, from, start.row, to, c_row);
      continue;
    }
    // A narrow last panel goes through a full-width buffer, so that nothing outside C is touched.
    float edge[kTileRows * kTileColumns] = {};
    for (int r = 0; r < rows; ++r) {
      std::copy_n(from + r * start.row, columns, edge + r * kTileColumns);
    }
    tile_of_rows<LIE>(rows, K, a_rows, panel, edge, kTileColumns, edge, kTileColumns);
    for (int r = 0; r < rows; ++r) std::copy_n(edge + r * kTileColumns, columns, to + r * c_row);
  }
}

// One panel: up to 8 columns of C, all M rows.
void multiply_panel(int M, int columns, int K, MatrixView a, const float* panel, StartFrom start,
                    float* c, std::ptrdiff_t c_row) {
  assert(a.col == 1 || a.row == 1);
  if (a.col == 1) {
    multiply_panel_lying<Lie::rows>(M, columns, K, a, panel, start, c, c_row);
  } else {
    multiply_panel_lying<Lie::columns>(M, columns, K, a, panel, start, c, c_row);
  }
}

// Rows [0, K) of up to 8 columns of B, one row after another, columns that are missing as zeros.
void pack_panel(int K, int columns, MatrixView b, float* panel) {
  int done = 0;
  if (columns == kTileColumns && b.col == 1) {
    for (; done < K; ++done) {
      store(panel + done * kTileColumns, load(b.data + done * b.row));
      store(panel + done * kTileColumns + 4, load(b.data + done * b.row + 4));
    }
  } else if (columns == kTileColumns && b.row == 1) {
    for (; done + 4 <= K; done += 4) {
      for (int half = 0; half < kTileColumns; half += 4) {
        const float* from = b.data + done + half * b.col;
        f32x4 r0 = load(from), r1 = load(from + b.col), r2 = load(from + 2 * b.col),
              r3 = load(from + 3 * b.col);
        transpose(r0, r1, r2, r3);
        float* to = panel + done * kTileColumns + half;
        store(to, r0);
        store(to + kTileColumns, r1);
        store(to + 2 * kTileColumns, r2);
        store(to + 3 * kTileColumns, r3);
      }
    }
  }
  for (; done < K; ++done) {
    for (int j = 0; j < kTileColumns; ++j) {
      panel[done * kTileColumns + j] = j < columns ? b.data[done * b.row + j * b.col] : 0.0f;
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
