// Where is the position? Reads a token's position back out of its vector by ridge regression: what
// a linear map can find there, the next layer can use.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpt.h"

namespace poslab {

struct Readout {
  std::string name;  // "input", then "h.0", "h.1", … after each block
  double r2;  // share of the positions' variance explained in windows not fitted on; 1 = all,
              // 0 or less = nothing
};

// Fits on windows of `fit`, measures on windows of `held_out`, both of block_size tokens. The first
// position is 0. ridge: as a share of the features' mean variance.
std::vector<Readout> position_readout(Gpt& model, std::span<const int> fit,
                                      std::span<const int> held_out, int windows,
                                      double ridge = 1e-3);

// x with A x = b for a symmetric positive definite A (n,n), row-major, by Cholesky's decomposition.
// Throws where A is not.
std::vector<double> solve_positive_definite(std::vector<double> A, std::vector<double> b);

}  // namespace poslab
