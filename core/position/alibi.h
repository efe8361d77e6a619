// Attention with linear biases: each head subtracts a slope times the distance from its scores
// (Press et al. 2022).
#pragma once

#include <vector>

namespace poslab {

// One slope a head. For a power of two n: 2^(-8/n), 2^(-16/n), …; otherwise those of the next
// smaller power of two, then every second one of the next larger, as in the authors' code. n_head 1
// … 1024.
std::vector<float> alibi_slopes(int n_head);

}  // namespace poslab
