// How alike the rows of a table are.
#pragma once

#include "tensor.h"

namespace poslab {

// Cosine of every pair of rows of data (rows,columns), shape (rows,rows). A row of zeros has cosine
// 0 with all others.
Tensor<2> cosine_similarity(const float* data, std::size_t rows, std::size_t columns);

}  // namespace poslab
