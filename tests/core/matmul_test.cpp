// The matrix product against the naive chain it promises: start, then one multiply-then-add after
// another over rising k, whatever the shape. Equal bits, not nearly equal.
#include "kernels/matmul.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/tile_trial.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

constexpr float kGuard = 12345.5f;

struct Matrix {
  std::vector<float> data;
  MatrixView view;
};

// rows x columns random numbers stored row by row or column by column, with unused floats between,
// `gap` or a few more (NaN: whoever reads them fails).
Matrix random_matrix(Rng& rng, int rows, int columns, bool stored_transposed, int gap = 0) {
  const int outer = stored_transposed ? columns : rows, inner = stored_transposed ? rows : columns;
  const int stride = inner + gap + static_cast<int>(rng.below(3));
  Matrix m;
  m.data.assign(static_cast<std::size_t>(outer) * stride + 1,
                std::numeric_limits<float>::quiet_NaN());
  for (int o = 0; o < outer; ++o) {
    for (int i = 0; i < inner; ++i) m.data[o * stride + i] = static_cast<float>(rng.normal());
  }
  m.view = row_major(m.data.data(), stride);
  if (stored_transposed) m.view = transposed(m.view);
  return m;
}

float at(MatrixView m, int i, int j) { return m.data[i * m.row + j * m.col]; }

enum class Start { zero, bias, matrix, c_itself };

// C with guards around it: c_row floats a row, a row of guards before and after.
struct Guarded {
  Guarded(int M, int N, int c_row) : M(M), N(N), c_row(c_row), data((M + 2) * c_row + 1, kGuard) {}
  float* c() { return data.data() + c_row; }
  bool guards_hold() const {
    for (std::size_t i = 0; i < data.size(); ++i) {
      const int row = static_cast<int>(i) / c_row - 1, column = static_cast<int>(i) % c_row;
      const bool inside = row >= 0 && row < M && column < N;
      if (!inside && data[i] != kGuard) return false;
    }
    return true;
  }
  int M, N, c_row;
  std::vector<float> data;
};

// The product by both forms, and the sums of a transposed A's rows; the number of elements that
// differ from the chain, -1 for a broken guard.
int differences(Rng& rng, int M, int N, int K, bool a_transposed, bool b_transposed, Start kind,
                int a_gap = 0) {
  const Matrix a = random_matrix(rng, M, K, a_transposed, a_gap);
  const Matrix b = random_matrix(rng, K, N, b_transposed);
  const int c_row = N + static_cast<int>(rng.below(3)) + (N == 0);
  const std::vector<float> base = random_floats(rng, static_cast<std::size_t>(M + 1) * (N + 1));
  Guarded whole(M, N, c_row), packed(M, N, c_row);
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      whole.c()[i * c_row + j] = packed.c()[i * c_row + j] = base[i * (N + 1) + j];
    }
  }
  const auto start = [&](float* c) -> StartFrom {
    switch (kind) {
      case Start::zero:
        return {};
      case Start::bias:
        return {base.data(), 0};
      case Start::matrix:
        return {base.data(), N + 1};
      default:
        return {c, c_row};
    }
  };
  std::vector<float> row_sums(M + 1, kGuard);
  matmul(M, N, K, a.view, b.view, start(whole.c()), whole.c(), c_row,
         a_transposed ? row_sums.data() : nullptr);

  std::vector<float> panels(packed_size(K, N) + 1, kGuard);
  pack_columns(K, N, b.view, panels.data());
  // What is brought into the cache meanwhile: nothing, too little or more than enough.
  const std::vector<float> ahead = random_floats(rng, rng.below(2 * M * N + 1));
  matmul_packed(M, N, K, a.view, panels.data(), K, 0, start(packed.c()), packed.c(), c_row, ahead);
  if (!whole.guards_hold() || !packed.guards_hold() || panels.back() != kGuard ||
      row_sums.back() != kGuard) {
    return -1;
  }

  int wrong = 0;
  for (int i = 0; i < M; ++i) {
    float row_sum = 0.0f;
    for (int k = 0; k < K; ++k) row_sum = row_sum + at(a.view, i, k);
    wrong += a_transposed && !same(row_sums[i], row_sum);
    for (int j = 0; j < N; ++j) {
      float sum = kind == Start::zero   ? 0.0f
                  : kind == Start::bias ? base[j]
                                        : base[i * (N + 1) + j];
      for (int k = 0; k < K; ++k) sum = sum + at(a.view, i, k) * at(b.view, k, j);
      wrong += !same(whole.c()[i * c_row + j], sum);
      wrong += !same(packed.c()[i * c_row + j], sum);
    }
  }
  return wrong;
}

// The rest of a test case runs once in each order.
void use_either_order() {
  use_tile_order(GENERATE(TileOrder::leave_after_sums, TileOrder::leave_after_loads));
}

}  // namespace

TEST_CASE("a product is the naive chain bit for bit in every shape and transpose form",
          "[matmul][same-bits]") {
  use_either_order();
  Rng rng(1, "matmul");
  const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 64, 65};
  const auto size = [&] { return sizes[rng.below(std::size(sizes))]; };
  for (int round = 0; round < 600; ++round) {
    const int M = size(), N = size(), K = size();
    const bool a_transposed = round % 4 >= 2, b_transposed = round % 2 == 1;
    const Start start = static_cast<Start>(rng.below(4));
    INFO("M " << M << " N " << N << " K " << K << " transposed " << a_transposed << b_transposed
              << " start " << static_cast<int>(start));
    REQUIRE(differences(rng, M, N, K, a_transposed, b_transposed, start) == 0);
  }
}

TEST_CASE("a product deeper than one block of the kernel is still one chain",
          "[matmul][same-bits]") {
  use_either_order();
  Rng rng(2, "matmul");
  for (const int K : {255, 256, 257, 511, 512, 513, 700}) {
    for (int form = 0; form < 4; ++form) {
      INFO("K " << K << " form " << form);
      REQUIRE(differences(rng, 5, 11, K, form / 2, form % 2, static_cast<Start>(form)) == 0);
    }
  }
}

TEST_CASE("A of more rows than a block, or far apart, is read right", "[matmul][same-bits]") {
  use_either_order();
  const bool a_transposed = GENERATE(false, true);
  Rng rng(5, "matmul");
  // Transposed with a gap of 300, A is copied by pairs; without one, small ones are read in place.
  for (const int M : {2, 5, 6, 18, 32, 33, 256, 257, 258, 514}) {
    for (const int K : {33, 256, 257}) {
      for (const int gap : {0, 300}) {
        INFO("M " << M << " K " << K << " gap " << gap << " transposed " << a_transposed);
        const Start start = static_cast<Start>(rng.below(4));
        REQUIRE(differences(rng, M, 17, K, a_transposed, false, start, gap) == 0);
      }
    }
  }
}

TEST_CASE("products over parts of a packed matrix continue one chain", "[matmul]") {
  use_either_order();
  Rng rng(3, "matmul");
  const int M = 6, N = 13, K = 20;
  const Matrix a = random_matrix(rng, M, K, false), b = random_matrix(rng, K, N, false);
  std::vector<float> panels(packed_size(K, N));
  pack_columns(K, N, b.view, panels.data());
  std::vector<float> whole(M * N), parts(M * N);
  matmul_packed(M, N, K, a.view, panels.data(), K, 0, {}, whole.data(), N);
  for (const int split : {0, 1, 7, 19, 20}) {
    const MatrixView rest{a.view.data + split * a.view.col, a.view.row, a.view.col};
    matmul_packed(M, N, split, a.view, panels.data(), K, 0, {}, parts.data(), N);
    matmul_packed(M, N, K - split, rest, panels.data(), K, split, {parts.data(), N}, parts.data(),
                  N);
    CHECK(same(whole, parts));
  }
}

TEST_CASE("of a triangle nothing else is read but a zero beside the diagonal",
          "[matmul][same-bits]") {
  use_either_order();
  const auto [part, a_transposed] = GENERATE(
      std::pair{Part::lower, false}, std::pair{Part::lower, true}, std::pair{Part::upper, true});
  Rng rng(6, "matmul");
  for (const int M : {1, 2, 3, 16, 31, 64, 255, 256, 257, 513}) {
    for (const int gap : {0, 300}) {
      const int N = M % 2 == 0 ? 32 : 13, before = static_cast<int>(rng.below(3));
      INFO("M " << M << " gap " << gap << " transposed " << a_transposed);
      Matrix a = random_matrix(rng, M, M, a_transposed, gap);
      const Matrix b = random_matrix(rng, before + M, N, false);
      const auto counts = [&](int i, int k) { return part == Part::lower ? k <= i : k >= i; };
      for (int i = 0; i < M; ++i) {
        for (int k = 0; k < M; ++k) {
          if (counts(i, k)) continue;
          const bool beside = std::abs(i - k) == 1;
          a.data[i * a.view.row + k * a.view.col] =
              beside ? 0.0f : std::numeric_limits<float>::quiet_NaN();
        }
      }
      std::vector<float> panels(packed_size(before + M, N));
      pack_columns(before + M, N, b.view, panels.data());
      const std::vector<float> base = random_floats(rng, static_cast<std::size_t>(M) * N);
      Guarded c(M, N, N + 2);
      matmul_packed(M, N, M, a.view, panels.data(), before + M, before, {base.data(), N}, c.c(),
                    N + 2, {}, part);
      REQUIRE(c.guards_hold());
      int wrong = 0;
      for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j) {
          float sum = base[i * N + j];
          for (int k = 0; k < M; ++k) {
            if (counts(i, k)) sum = sum + at(a.view, i, k) * at(b.view, before + k, j);
          }
          wrong += !same(c.c()[i * (N + 2) + j], sum);
        }
      }
      REQUIRE(wrong == 0);
    }
  }
}

TEST_CASE("a row has the same bits alone and among others", "[matmul]") {
  use_either_order();
  Rng rng(4, "matmul");
  const int M = 11, N = 19, K = 37;
  const Matrix a = random_matrix(rng, M, K, false), b = random_matrix(rng, K, N, true);
  std::vector<float> all(M * N), one(N);
  matmul(M, N, K, a.view, b.view, {}, all.data(), N);
  for (int i = 0; i < M; ++i) {
    matmul(1, N, K, {a.view.data + i * a.view.row, a.view.row, a.view.col}, b.view, {}, one.data(),
           N);
    CHECK(same(one, std::vector<float>(all.begin() + i * N, all.begin() + (i + 1) * N)));
  }
}

TEST_CASE("a trial of the orders ends with the faster one, whatever disturbs single pieces",
          "[matmul]") {
  const double loads_take = GENERATE(0.5, 0.95, 1.0, 1.2, 2.0);
  TileTrial trial;
  int pieces = 0;
  for (; !trial.decided(); ++pieces) {
    REQUIRE(pieces < 1000);
    const double usual = trial.order() == TileOrder::leave_after_loads ? loads_take : 1.0;
    // Slow at first, as before an engine's best translation; a third of the rest is disturbed.
    trial.took(pieces < 20 || pieces % 6 < 2 ? 10.0 - 3.0 * loads_take : usual);
  }
  CHECK(trial.order() ==
        (loads_take < 1.0 ? TileOrder::leave_after_loads : TileOrder::leave_after_sums));
  trial.took(0.0);
  CHECK(trial.decided());
}
