#include "kernels/matmul.h"

#include <algorithm>
#include <cassert>

#include "simd/f32x4.h"

namespace poslab {
namespace {

// 2 rows by 16 columns is 8 accumulators, 4 vectors of B, 1 of A and 1 product: 14 of the 15 xmm
// registers that V8 and SSE2 leave free.
constexpr int kTileRows = 2;
constexpr int kTileColumns = kPanelColumns;
// A panel of 256 x 16 floats of B is 16 KiB: it stays in the first-level cache beside the rows of A
// that stream past it. 256 rows of A of that depth are 256 KiB and stay in the second.
constexpr int kBlockDepth = 256;
constexpr int kBlockRows = 256;

// Copies of a panel of B and, when A is a transposed view, of a block of A.
alignas(16) thread_local float packed_panel[kBlockDepth * kTileColumns];
alignas(16) thread_local float packed_rows[kBlockRows * kBlockDepth];

// Rows of a packed panel, from the first one on.
struct PanelRows {
  const float* panel;
  int first;
};

// C (ROWS,16) = start + A B, where A is rows [m, m + ROWS) of a (…,K) and B rows [b.first, b.first
// + K) of a panel; rows of A lie a_row floats apart.
//
// An AMD EPYC does a step's 16 products and sums in 4 cycles and takes 6 instructions a cycle, 24
// in 4 cycles; V8 makes 22 of a step, 1 for an address, the way out, and 1 more for every round's
// counters and interrupt check. So near the limit every instruction counts:
//   - Where A and B begin is computed here. V8 would widen an address that came ready from the
//     caller, once a round each, which took 5 % of the time.
//   - K counts down first. V8 15 would need two counters if the old one were asked at the end.
// What was tried, its speed as a share of this tile's (Node 20):
//   - 4x8: 0.96, with twice as many passes over A. 3x12 and 5x8 were no better; 6x8 and 4x12 spill.
//   - Four steps a round: 0.98; sixteen: 1.01, but 0.98 in Chromium.
//   - One way out every second step: 0.64. A K that eight does not divide needs the ways out, but
//     they also keep each step a basic block of its own, or else V8 moves the loads of both steps
//     to the top, runs out of registers and spills. The test is one fused instruction.
//   - Both rows by column: 0.97, in Chromium 0.93.
//   - Inlined into the loop over rows: 0.98; arguments in a struct: 0.98.
template <int ROWS>
[[gnu::noinline]] void tile(int m, int K, const float* a, std::ptrdiff_t a_row, PanelRows b,
                            const float* start, std::ptrdiff_t start_row, float* c,
                            std::ptrdiff_t c_row) {
  constexpr int kVectors = kTileColumns / 4;
  const float* panel = b.panel + b.first * kTileColumns;
  f32x4 sum[ROWS][kVectors];
  const float* row[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    row[i] = a + (m + i) * a_row;
    for (int j = 0; j < kVectors; ++j) sum[i][j] = load(start + i * start_row + 4 * j);
  }
  const auto step = [&](int k) {
    f32x4 b_k[kVectors];
    for (int j = 0; j < kVectors; ++j) b_k[j] = load(panel + k * kTileColumns + 4 * j);
    for (int i = 0; i < ROWS; ++i) {
      const f32x4 a_ik = load_splat(row[i] + k);
      for (int j = 0; j < kVectors; ++j) sum[i][j] = multiply_add(a_ik, b_k[j], sum[i][j]);
    }
  };
  while (K > 0) {
    K -= 8;
    step(0);
    if (K == -7) break;
    step(1);
    if (K == -6) break;
    step(2);
    if (K == -5) break;
    step(3);
    if (K == -4) break;
    step(4);
    if (K == -3) break;
    step(5);
    if (K == -2) break;
    step(6);
    if (K == -1) break;
    step(7);
    panel += 8 * kTileColumns;
    for (int i = 0; i < ROWS; ++i) row[i] += 8;
  }
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < kVectors; ++j) store(c + i * c_row + 4 * j, sum[i][j]);
  }
}

inline void tile_of_rows(int rows, int m, int K, const float* a, std::ptrdiff_t a_row, PanelRows b,
                         const float* start, std::ptrdiff_t start_row, float* c,
                         std::ptrdiff_t c_row) {
  if (rows == kTileRows) {
    tile<kTileRows>(m, K, a, a_row, b, start, start_row, c, c_row);
  } else {
    tile<1>(m, K, a, a_row, b, start, start_row, c, c_row);
  }
}

constexpr float kZeros[kTileColumns] = {};

// Up to 16 columns of C, M rows. a.col is 1.
void multiply_panel(int M, int columns, int K, MatrixView a, PanelRows b, StartFrom start, float* c,
                    std::ptrdiff_t c_row) {
  if (start.data == nullptr) start = {kZeros, 0};
  for (int i = 0; i < M; i += kTileRows) {
    const int rows = std::min(kTileRows, M - i);
    const float* from = start.data + i * start.row;
    float* to = c + i * c_row;
    if (columns == kTileColumns) {
      tile_of_rows(rows, i, K, a.data, a.row, b, from, start.row, to, c_row);
      continue;
    }
    // A narrow last panel goes through a full-width buffer, so that nothing outside C is touched.
    float edge[kTileRows * kTileColumns] = {};
    for (int r = 0; r < rows; ++r) {
      std::copy_n(from + r * start.row, columns, edge + r * kTileColumns);
    }
    tile_of_rows(rows, i, K, a.data, a.row, b, edge, kTileColumns, edge, kTileColumns);
    for (int r = 0; r < rows; ++r) std::copy_n(edge + r * kTileColumns, columns, to + r * c_row);
  }
}

// 4x4 floats are transposed; rows lie from_row and to_row floats apart.
inline void transpose_square(const float* from, std::ptrdiff_t from_row, float* to,
                             std::ptrdiff_t to_row) {
  f32x4 r0 = load(from), r1 = load(from + from_row), r2 = load(from + 2 * from_row),
        r3 = load(from + 3 * from_row);
  transpose(r0, r1, r2, r3);
  store(to, r0);
  store(to + to_row, r1);
  store(to + 2 * to_row, r2);
  store(to + 3 * to_row, r3);
}

// M rows of a transposed view (a.row is 1), one after another.
void pack_rows(int M, int K, MatrixView a, float* packed) {
  // A cache line's 16 rows at once: it might not be there any more for the next four, when columns
  // lie a power of two apart.
  constexpr int kLine = 16;
  const int squares = M / 4 * 4;
  for (int i = 0; i < squares; i += kLine) {
    for (int k = 0; k + 4 <= K; k += 4) {
      for (int r = i; r < std::min(squares, i + kLine); r += 4) {
        transpose_square(a.data + k * a.col + r, a.col, packed + r * K + k, K);
      }
    }
  }
  for (int r = 0; r < M; ++r) {
    for (int k = r < squares ? K / 4 * 4 : 0; k < K; ++k) packed[r * K + k] = a.data[k * a.col + r];
  }
}

// Rows [0, K) of up to 16 columns of B, one row after another, columns that are missing as zeros.
void pack_panel(int K, int columns, MatrixView b, float* panel) {
  int done = 0;
  if (columns == kTileColumns && b.col == 1) {
    for (; done < K; ++done) {
      for (int j = 0; j < kTileColumns; j += 4) {
        store(panel + done * kTileColumns + j, load(b.data + done * b.row + j));
      }
    }
  } else if (columns == kTileColumns && b.row == 1) {
    for (; done + 4 <= K; done += 4) {
      for (int j = 0; j < kTileColumns; j += 4) {
        transpose_square(b.data + done + j * b.col, b.col, panel + done * kTileColumns + j,
                         kTileColumns);
      }
    }
  }
  for (; done < K; ++done) {
    for (int j = 0; j < kTileColumns; ++j) {
      panel[done * kTileColumns + j] = j < columns ? b.data[done * b.row + j * b.col] : 0.0f;
    }
  }
}

// C = start + A B, where panel_at(k, depth, j, columns) is rows [k, k + depth) of the packed panel
// of B's columns [j, j + columns).
template <class PanelAt>
void multiply(int M, int N, int K, MatrixView a, PanelAt panel_at, StartFrom start, float* c,
              std::ptrdiff_t c_row) {
  assert(a.col == 1 || a.row == 1);
  for (int i = 0; i < M; i += kBlockRows) {
    const int rows = std::min(kBlockRows, M - i);
    float* to = c + i * c_row;
    StartFrom from = start;
    if (from.data != nullptr) from.data += i * from.row;
    int k = 0;
    do {
      const int depth = std::min(kBlockDepth, K - k);
      MatrixView block{a.data + i * a.row + k * a.col, a.row, a.col};
      if (a.col != 1) {
        pack_rows(rows, depth, block, packed_rows);
        block = row_major(packed_rows, depth);
      }
      for (int j = 0; j < N; j += kTileColumns) {
        const int columns = std::min(kTileColumns, N - j);
        const StartFrom from_j{from.data == nullptr ? nullptr : from.data + j, from.row};
        multiply_panel(rows, columns, depth, block, panel_at(k, depth, j, columns), from_j, to + j,
                       c_row);
      }
      from = {to, c_row};
      k += depth;
    } while (k < K);
  }
}

}  // namespace

void matmul(int M, int N, int K, MatrixView a, MatrixView b, StartFrom start, float* c,
            std::ptrdiff_t c_row) {
  const auto panel_at = [&](int k, int depth, int j, int columns) {
    pack_panel(depth, columns, {b.data + k * b.row + j * b.col, b.row, b.col}, packed_panel);
    return PanelRows{packed_panel, 0};
  };
  multiply(M, N, K, a, panel_at, start, c, c_row);
}

void pack_columns(int K, int N, MatrixView b, float* packed) {
  for (int j = 0; j < N; j += kTileColumns) {
    pack_panel(K, std::min(kTileColumns, N - j), {b.data + j * b.col, b.row, b.col}, packed);
    packed += static_cast<std::ptrdiff_t>(K) * kTileColumns;
  }
}

void matmul_packed(int M, int N, int K, MatrixView a, const float* packed, int k_total, int k_first,
                   StartFrom start, float* c, std::ptrdiff_t c_row) {
  const auto panel_at = [&](int k, int, int j, int) {
    return PanelRows{packed + static_cast<std::ptrdiff_t>(k_total) * j, k_first + k};
  };
  multiply(M, N, K, a, panel_at, start, c, c_row);
}

}  // namespace poslab
