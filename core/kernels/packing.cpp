#include "kernels/packing.h"

#include <algorithm>

#include "simd/f32x4.h"

namespace poslab {
namespace {

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

// Rows [0, K) of up to 16 columns of B, one row after another, columns that are missing as zeros.
void pack_panel(int K, int columns, MatrixView b, float* panel) {
  int done = 0;
  if (columns == kPanelColumns && b.row == 1) {
    for (; done + 4 <= K; done += 4) {
      for (int j = 0; j < kPanelColumns; j += 4) {
        transpose_square(b.data + done + j * b.col, b.col, panel + done * kPanelColumns + j,
                         kPanelColumns);
      }
    }
  }
  for (; done < K; ++done) {
    for (int j = 0; j < kPanelColumns; ++j) {
      panel[done * kPanelColumns + j] = j < columns ? b.data[done * b.row + j * b.col] : 0.0f;
    }
  }
}

}  // namespace

void pack_pairs(int M, int K, MatrixView a, float* packed, float* sums) {
  const int paired = M / 2 * 2, steps = K / 2 * 2;
  int done = 0;
  // ROWS rows by two steps over k at a time.
  const auto copy = [&]<int ROWS>() {
    const float* from = a.data + done;
    float* to = packed + static_cast<std::ptrdiff_t>(done) * K;
    f32x4 sum[ROWS / 4];
    for (int r = 0; r < ROWS; r += 4) sum[r / 4] = load(sums + done + r);
    for (int k = 0; k < steps; k += 2, from += 2 * a.col, to += 4) {
      for (int r = 0; r < ROWS; r += 4) {
        const f32x4 even = load(from + r), odd = load(from + a.col + r);
        store(to + r * K, low_halves(even, odd));
        store(to + (r + 2) * K, high_halves(even, odd));
        sum[r / 4] = sum[r / 4] + even + odd;
      }
    }
    for (int r = 0; r < ROWS; r += 4) store(sums + done + r, sum[r / 4]);
    done += ROWS;
  };
  // A cache line's 16 rows at once: it might not be there any more for the next four, when columns
  // lie a power of two apart.
  while (done + kLineFloats <= M) copy.template operator()<kLineFloats>();
  while (done + 4 <= M) copy.template operator()<4>();
  for (int r = 0; r < M; ++r) {
    float* to = r < paired ? packed + (r - r % 2) * K + r % 2 : packed + r * K;
    for (int k = r < done ? steps : 0; k < K; ++k) {
      const float element = a.data[k * a.col + r];
      to[r < paired ? 2 * k : k] = element;
      sums[r] += element;
    }
  }
}

void pack_columns(int K, int N, MatrixView b, float* packed) {
  const std::ptrdiff_t panel_size = static_cast<std::ptrdiff_t>(K) * kPanelColumns;
  // Row by row where rows are stored: in that order a processor fetches ahead what is not in its
  // caches, such as activations on the way back. Two rows at once take a sixth less time than one.
  const int whole = b.col == 1 ? N / kPanelColumns : 0;
  const auto copy = [&]<int ROWS>(int k) {
    const float* row = b.data + k * b.row;
    float* to = packed + k * kPanelColumns;
    for (int panel = 0; panel < whole; ++panel, row += kPanelColumns, to += panel_size) {
      for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < kPanelColumns; j += 4) {
          store(to + i * kPanelColumns + j, load(row + i * b.row + j));
        }
      }
    }
  };
  int k = 0;
  for (; k + 2 <= K; k += 2) copy.template operator()<2>(k);
  if (k < K) copy.template operator()<1>(k);
  for (int j = whole * kPanelColumns; j < N; j += kPanelColumns) {
    pack_panel(K, std::min(kPanelColumns, N - j), b.from(0, j),
               packed + j / kPanelColumns * panel_size);
  }
}

}  // namespace poslab
