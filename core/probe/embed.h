// What enters the first block: token rows, position rows and their sum.
#pragma once

#include <vector>

#include "gpt.h"

namespace poslab {

struct InputRows {
  Tensor<2> token;                                  // (T,C), embedding_scale applied
  Tensor<2> position;                               // (T,C), zeros where the scheme adds no rows
  Tensor<2> sum;                                    // (T,C), as the model computed it
  std::vector<double> token_norms, position_norms;  // (T), Euclidean
};

InputRows input_rows(Gpt& model, const std::vector<int>& ids);

}  // namespace poslab
