#include "kernels/matmul.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <utility>

#include "kernels/floats.h"
#include "kernels/packing.h"
#include "kernels/vector.h"
#include "simd/f32x4.h"

namespace poslab {
namespace {

// 2 rows by 16 columns is 8 accumulators, 4 vectors of B, 1 of A and 1 product: 14 of the 15 xmm
// registers that V8 and SSE2 leave free.
constexpr int kTileRows = 2;
constexpr int kTileColumns = kPanelColumns;
// A panel of 256 x 16 floats of B is 16 KiB: it stays in the first-level cache beside the rows of A
// that stream past it. 256 rows of A of that depth are 256 KiB: they stay in the second.
constexpr int kBlockDepth = 256;
constexpr int kBlockRows = 256;
// Columns of B that are copied at once: four whole cache lines of a row of B, so that a processor
// that fetches ahead finds the next, and little enough to be still there when it is multiplied.
// All at once takes 4 % longer where A has 128 rows and B 512 columns.
constexpr int kGroupColumns = 4 * kTileColumns;

// A block of a transposed A is read where it lies if it has an even number of rows and spans no
// more than the first-level cache: wider apart, its steps over k would drive each other out of the
// cache before the next pair of rows is read.
constexpr int kNearFloats = 8192;

// Copies of a group of B in panels and of a block of A by pairs.
alignas(kCacheLine) thread_local float packed_columns[kBlockDepth * kGroupColumns];
alignas(kCacheLine) thread_local float packed_pairs[kBlockRows * kBlockDepth];

// What a tile brings into the caches for later: two cache lines.
constexpr int kAheadFloats = 2 * kLineFloats;

// Steps over k from one turn of the kernel's loop to the next. Where the way out follows the loads,
// 16 take 2 % less time than 8 in Chromium, and 32 take 3 % less. Where it follows the sums, all
// three are alike in Node 20, and 8 are the smallest. A single row waits for its sums anyway.
template <int ROWS, TileOrder ORDER>
constexpr int kRound = ROWS == 1                               ? 4
                       : ORDER == TileOrder::leave_after_loads ? 32
                                                               : 8;

thread_local TileOrder current_order = TileOrder::leave_after_sums;

// C (rows,16) = start + A (rows,K) B (K,16), with B a packed panel: the work of one strip of C.
// Rows of start and C lie start_row and c_row floats apart. A is read in one of two forms, and
// a_col tells in which:
//   by rows   element (i, k) is at a[i * a_row + k], and a_col is 1;
//   by pairs  those of rows i and i + 1, i even, are side by side at a[i * a_row + k * a_col]; an
//             odd last row follows by itself, as by rows.
// Where only a triangle of A counts, K is that of the first tile; each next one has k_more more
// steps over k and begins panel_more floats further on in the panel.
struct Strip {
  int rows, K, k_more;
  const float* a;
  std::ptrdiff_t a_row, a_col;
  const float* panel;
  std::ptrdiff_t panel_more;
  const float* start;
  std::ptrdiff_t start_row;
  float* c;
  std::ptrdiff_t c_row;
  // Two cache lines that each tile brings into the caches, and how far on the next tile's lie: the
  // same zeros again and again where nothing is wanted, so that the loop need not ask.
  const float* ahead;
  std::ptrdiff_t ahead_step;
};

// A use of the sums by twos right after the loop. It never takes place, for no strip has a negative
// K, but no compiler knows. V8 11 orders a step's operations by who uses their results last. If
// that is the next step, products and sums take turns; if it is somebody who uses two sums at once,
// two products come before their two sums, which an AMD EPYC spreads better over its two units for
// either: the loop takes 5 % less time.
template <int ROWS>
inline void pair_products(const Strip& strip, const f32x4 (&sum)[ROWS][kTileColumns / 4]) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (ROWS < 2 || strip.K >= 0) return;
  for (int j = 0; j < kTileColumns / 4; ++j) {
    const bool even = j % 2 == 0;
    store(strip.c + 4 * j, sum[even ? 1 : 0][j] + sum[even ? 0 : 1][j]);
  }
}

// Computes a strip, ROWS rows at a time; strip.rows is a multiple of ROWS. The strip is used up.
//
// An AMD EPYC does the 16 products and sums of a step over k in 4 cycles and takes 6 instructions a
// cycle, 24 in 4 cycles; V8 makes 22 of a step, 1 for an address, the way out, and 1 more for every
// round's counters and interrupt check. So near the limit every instruction counts:
//   - The address of a load_splat takes V8 an instruction unless it is a mere pointer. By rows two
//     share one; by pairs the pointer moves on, and the second row's base stays the same. Steps of
//     constant length over pairs had V8 compute two addresses each: 0.93.
//   - The loop over rows is in here, since a call for every tile took 30 cycles, 10 % at K = 64.
//   - What only that loop needs stays in memory (the fence keeps the compiler from caching it). In
//     registers it left V8 11 none for an address, and what it reloaded for that once a round, the
//     address of its interrupt check, took 8 %.
//   - K counts down first. V8 15 would need two counters if the old one were asked at the end.
//   - See TileOrder for the place of the way out.
// What was tried, its speed as a share of this one's (Node 20, or where said Chromium):
//   - 4x8: 0.96, with twice as many passes over A. 3x12 and 5x8 were no better; 6x8 and 4x12 spill.
//   - Four steps a round: 0.98.
//   - One way out every second step: 0.64. A K that the round does not divide needs the ways out,
//     but they also keep each step a basic block of its own, or else V8 11 moves the loads of both
//     steps to the top, runs out of registers and spills. The test is one fused instruction.
//   - Both rows by column, or any of 40 other orders of a step's products: at most 1.00. What comes
//     after the loop does change the order in V8 11, see pair_products. V8 15 keeps the module's,
//     where linkers put each product right before its sum; wasm/pair_products.mjs changes that: 3 %
//     faster.
//   - Two rows whose offsets differ, so that V8 need not share their address: 0.96.
template <int ROWS, TileOrder ORDER, bool BY_PAIRS = false, bool TRIANGLE = false>
[[gnu::noinline]] void multiply_strip(Strip& strip) {
  constexpr int kVectors = kTileColumns / 4;
  do {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const float *start = strip.start, *a = strip.a, *panel = strip.panel, *row[ROWS];
    const std::ptrdiff_t a_col = strip.a_col;
    f32x4 sum[ROWS][kVectors];
    for (int i = 0; i < ROWS; ++i) {
      for (int j = 0; j < kVectors; ++j) sum[i][j] = load(start + i * strip.start_row + 4 * j);
      row[i] = BY_PAIRS ? a : a + i * strip.a_row;
    }
    // Volatile, since nobody uses what they load: a load is the only prefetch WebAssembly has.
    const volatile float* ahead = strip.ahead;
    static_cast<void>(ahead[0]), static_cast<void>(ahead[kLineFloats]);
    strip.ahead += strip.ahead_step;
    strip.start = start + ROWS * strip.start_row;
    strip.a = a + ROWS * strip.a_row;
    if (TRIANGLE) strip.panel = panel + strip.panel_more;
    f32x4 a_k[ROWS], b_k[kVectors];
    const auto fetch = [&](int k) {
      for (int j = 0; j < kVectors; ++j) b_k[j] = load(panel + k * kTileColumns + 4 * j);
      for (int i = 0; i < ROWS; ++i) a_k[i] = load_splat(BY_PAIRS ? row[0] + i : row[i] + k);
      if (BY_PAIRS) row[0] += a_col;
    };
    const auto use = [&] {
      for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < kVectors; ++j) sum[i][j] = multiply_add(a_k[i], b_k[j], sum[i][j]);
      }
    };
    // One step over k, the loop's way out included: tells whether to take it.
    int K = strip.K;
    constexpr int kLast = kRound<ROWS, ORDER> - 1;
    const auto step = [&]<int k>() {
      fetch(k);
      if (ORDER == TileOrder::leave_after_loads && K == k - kLast) return true;
      use();
      return ORDER == TileOrder::leave_after_sums && k < kLast && K == k - kLast;
    };
    const auto round = [&]<int... k>(std::integer_sequence<int, k...>)
        __attribute__((always_inline)) {
      return (__builtin_expect(step.template operator()<k>(), false) || ...);
    };
    if (K > 0) {
      bool left;
      do {
        K -= kRound<ROWS, ORDER>;
        left = round(std::make_integer_sequence<int, kRound<ROWS, ORDER>>());
        if (left) break;
        panel += kRound<ROWS, ORDER> * kTileColumns;
        for (int i = 0; !BY_PAIRS && i < ROWS; ++i) row[i] += kRound<ROWS, ORDER>;
      } while (ORDER == TileOrder::leave_after_loads || K > 0);
      if (ORDER == TileOrder::leave_after_loads) use();
      if (!left) pair_products(strip, sum);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    float* c = strip.c;
    const std::ptrdiff_t c_row = strip.c_row;
    for (int i = 0; i < ROWS; ++i) {
      for (int j = 0; j < kVectors; ++j) store(c + i * c_row + 4 * j, sum[i][j]);
    }
    strip.c = c + ROWS * c_row;
    if (TRIANGLE) strip.K += strip.k_more;
    strip.rows -= ROWS;
  } while (strip.rows > 0);
}

// Two rows at once, by whether a triangle counts, by the form of A and TileOrder: what a triangle
// asks of each tile would take the others 2 or 3 cycles. Called through pointers, so that whatever
// optimises the linked module does not move the code into its only caller: there V8 runs out of
// registers and takes a tenth longer.
template <TileOrder ORDER, bool BY_PAIRS, bool TRIANGLE>
constexpr auto kStrip = multiply_strip<kTileRows, ORDER, BY_PAIRS, TRIANGLE>;
template <bool BY_PAIRS, bool TRIANGLE>
constexpr std::array kOrders = {kStrip<TileOrder::leave_after_sums, BY_PAIRS, TRIANGLE>,
                                kStrip<TileOrder::leave_after_loads, BY_PAIRS, TRIANGLE>};
constexpr std::array kTwoRows = {std::array{kOrders<false, false>, kOrders<true, false>},
                                 std::array{kOrders<false, true>, kOrders<true, true>}};

alignas(kCacheLine) constexpr float kZeros[std::max(kTileColumns, kAheadFloats)] = {};

// Up to 16 columns of C. Brings in as much of `ahead` as its tiles can, and returns how many
// floats.
std::size_t multiply_panel(int columns, Strip strip, std::span<const float> ahead) {
  if (strip.start == nullptr) strip.start = kZeros, strip.start_row = 0;
  alignas(kCacheLine) static thread_local float edge[kBlockRows * kTileColumns];
  float* c = strip.c;
  const std::ptrdiff_t c_row = strip.c_row;
  const int rows = strip.rows;
  if (columns < kTileColumns) {
    // A narrow last panel goes through a full-width buffer, so that nothing outside C is touched.
    for (int i = 0; i < rows; ++i) {
      float* to = std::copy_n(strip.start + i * strip.start_row, columns, edge + i * kTileColumns);
      std::fill(to, edge + (i + 1) * kTileColumns, 0.0f);
    }
    strip.start = strip.c = edge;
    strip.start_row = strip.c_row = kTileColumns;
  }
  const auto multiply_tiles = [&](int tiles) {
    const bool triangle = strip.k_more != 0, by_pairs = strip.a_col != 1;
    strip.rows = tiles * kTileRows;
    if (tiles > 0) kTwoRows[triangle][by_pairs][static_cast<int>(current_order)](strip);
  };
  const int tiles = rows / kTileRows;
  const int bringing = std::min(tiles, static_cast<int>(ahead.size() / kAheadFloats));
  strip.ahead = ahead.data(), strip.ahead_step = kAheadFloats;
  multiply_tiles(bringing);
  strip.ahead = kZeros, strip.ahead_step = 0;
  multiply_tiles(tiles - bringing);
  strip.rows = rows % kTileRows;
  if (strip.rows > 0) {
    // An odd last row of a lower triangle has one element more than the row before, not two. That
    // of an upper one lies by itself: its elements are no pairs, as the way there was counted.
    if (strip.k_more > 0) --strip.K;
    if (strip.k_more < 0) strip.a -= (strip.a_col - 1) * (rows - 1);
    multiply_strip<1, TileOrder::leave_after_sums>(strip);
  }
  if (columns < kTileColumns) {
    for (int i = 0; i < rows; ++i) std::copy_n(edge + i * kTileColumns, columns, c + i * c_row);
  }
  return static_cast<std::size_t>(bringing) * kAheadFloats;
}

// C = start + A B for a block of A by rows or by pairs; panel p of B lies at panels + p *
// panel_size. Takes from `ahead` what the tiles can bring in, and then has each panel bring in the
// next. Brings in nothing if `ahead` is nullptr: then the panels have just been packed.
void multiply_panels(Part part, int rows, int N, int K, MatrixView a, const float* panels,
                     std::ptrdiff_t panel_size, StartFrom start, float* c, std::ptrdiff_t c_row,
                     std::span<const float>* ahead) {
  const bool lower = part == Part::lower, upper = part == Part::upper;
  for (int j = 0; j < N; j += kTileColumns, panels += panel_size) {
    // A tile of an upper triangle begins at the diagonal: as many steps over k further on as rows.
    const Strip strip{.rows = rows,
                      .K = lower ? kTileRows : K,
                      .k_more = lower   ? kTileRows
                                : upper ? -kTileRows
                                        : 0,
                      .a = a.data,
                      .a_row = upper ? a.row + a.col : a.row,
                      .a_col = a.col,
                      .panel = panels,
                      .panel_more = upper ? kTileRows * kTileColumns : 0,
                      .start = start.from(0, j).data,
                      .start_row = start.row,
                      .c = c + j,
                      .c_row = c_row,
                      .ahead = kZeros,
                      .ahead_step = 0};
    const int columns = std::min(kTileColumns, N - j);
    if (ahead != nullptr && ahead->size() >= kAheadFloats) {
      *ahead = ahead->subspan(multiply_panel(columns, strip, *ahead));
    } else if (ahead != nullptr && columns < N - j) {
      multiply_panel(columns, strip,
                     {panels + panel_size, static_cast<std::size_t>(K) * kTileColumns});
    } else {
      multiply_panel(columns, strip, {});
    }
  }
}

// Calls multiply(part, i, rows, k, depth, block, from) for the blocks of A of which something
// counts: `block` is A's, by rows or by pairs, `part` what counts of it, and `from` what C starts
// from there. A long chain over k goes on from what C holds. row_sums as matmul's.
template <class Multiply>
void for_each_block(Part part, int M, int K, MatrixView a, StartFrom start, StartFrom c,
                    float* row_sums, Multiply multiply) {
  static_assert(kBlockRows == kBlockDepth, "the diagonal passes through corners of blocks");
  alignas(kCacheLine) static thread_local float unused_sums[kBlockRows];
  if (row_sums != nullptr) std::fill_n(row_sums, M, 0.0f);
  int k = 0;
  do {
    const int depth = std::min(kBlockDepth, K - k);
    const int first = part == Part::lower ? k : 0, end = part == Part::upper ? k + 1 : M;
    for (int i = first; i < end; i += kBlockRows) {
      const int rows = std::min(kBlockRows, M - i);
      MatrixView block = a.from(i, k);
      // Rows of a transposed view lie side by side, in pairs but for an odd last one.
      const bool near = rows % kTileRows == 0 && depth * a.col <= kNearFloats;
      if (a.col != 1 && !near) {
        float* sums = row_sums == nullptr ? unused_sums : row_sums + i;
        pack_pairs(rows, depth, block, packed_pairs, sums);
        block = {packed_pairs, depth, kTileRows};
      } else if (row_sums != nullptr) {
        for (int n = 0; n < depth; ++n) add_to(row_sums + i, block.data + n * block.col, rows);
      }
      const bool starts = k == (part == Part::upper ? i : 0);
      multiply(i == k ? part : Part::whole, i, rows, k, depth, block,
               (starts ? start : c).from(i, 0));
    }
    k += depth;
  } while (k < K);
}

}  // namespace

void use_tile_order(TileOrder order) { current_order = order; }
TileOrder tile_order() { return current_order; }

void matmul(int M, int N, int K, MatrixView a, MatrixView b, StartFrom start, float* c,
            std::ptrdiff_t c_row, float* row_sums) {
  assert(a.row == 1 || (a.col == 1 && row_sums == nullptr));
  const auto multiply = [&](Part part, int i, int rows, int k, int depth, MatrixView block,
                            StartFrom start_i) {
    for (int j = 0; j < N; j += kGroupColumns) {
      const int columns = std::min(kGroupColumns, N - j);
      pack_columns(depth, columns, b.from(k, j), packed_columns);
      multiply_panels(part, rows, columns, depth, block, packed_columns, depth * kTileColumns,
                      start_i.from(0, j), c + i * c_row + j, c_row, nullptr);
    }
  };
  for_each_block(Part::whole, M, K, a, start, {c, c_row}, row_sums, multiply);
}

void matmul_packed(int M, int N, int K, MatrixView a, const float* packed, int k_total, int k_first,
                   StartFrom start, float* c, std::ptrdiff_t c_row, std::span<const float> ahead,
                   Part part) {
  assert(a.col == 1 || a.row == 1);
  assert(part == Part::whole || M == K);
  assert(part != Part::upper || a.row == 1);
  const auto multiply = [&](Part part_i, int i, int rows, int k, int depth, MatrixView block,
                            StartFrom start_i) {
    multiply_panels(part_i, rows, N, depth, block, packed + (k_first + k) * kTileColumns,
                    static_cast<std::ptrdiff_t>(k_total) * kTileColumns, start_i, c + i * c_row,
                    c_row, &ahead);
  };
  for_each_block(part, M, K, a, start, {c, c_row}, nullptr, multiply);
}

}  // namespace poslab
