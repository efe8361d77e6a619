// How far each row of a table moved: which positions a learned table has learned anything about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "config.h"
#include "tensor.h"

namespace poslab {

// Euclidean distance of each row of `after` from the same row of `before`, both (rows,columns); 0
// exactly where no bit of the row changed.
std::vector<double> row_distances(const float* before, const float* after, std::size_t rows,
                                  std::size_t columns);

struct ShortTextTraining {
  Tensor<2> table;               // (block_size,C) the position rows after training
  std::vector<double> distance;  // (block_size) of each from its start
};

// Trains a fresh model with learned positions on windows of `length` tokens, 1 … block_size,
// without weight decay, so that a row moves only when a gradient moves it.
ShortTextTraining train_on_short_texts(std::u32string_view text, GptConfig config, int length,
                                       int steps);

}  // namespace poslab
