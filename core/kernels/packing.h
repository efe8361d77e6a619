// Copies of the operands of a product in the order in which the kernel reads them. That of B is
// public: pack_columns in kernels/matmul.h.
#pragma once

#include "kernels/floats.h"
#include "kernels/matmul.h"

namespace poslab {

inline constexpr int kLineFloats = kCacheLine / sizeof(float);

// M rows of a transposed view (a.row is 1) by pairs, one pair after another; an odd last row by
// itself. On the way each row is added to its sum.
void pack_pairs(int M, int K, MatrixView a, float* packed, float* sums);

}  // namespace poslab
