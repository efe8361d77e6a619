// How a model behaves along its window: loss at each position, also past the trained length, and
// attention by distance.
#pragma once

#include <span>
#include <vector>

#include "gpt.h"

namespace poslab {

struct LossByPosition {
  int trained_length;        // block_size
  int windows;               // averaged over
  std::vector<double> loss;  // (factor block_size), nats, mean over the windows at each position
  std::vector<double> mean;  // (factor): over each stretch of block_size positions
  double last_half;          // over the last half of the window
};

// Windows of factor * block_size tokens, 1 … 16 times the trained length. A learned table refuses
// factors above 1.
LossByPosition loss_by_position(Gpt& model, std::span<const int> tokens, int factor, int windows);

struct AttentionByOffset {
  int first;         // offset of the first column: 0 with a causal mask, else -(T-1)
  Tensor<3> weight;  // (L,H,columns): mean weight of query i on key i - offset, over all such pairs
};

// Over windows of block_size tokens.
AttentionByOffset attention_by_offset(Gpt& model, std::span<const int> tokens, int windows);

}  // namespace poslab
