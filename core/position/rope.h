// Rotary position embedding: queries and keys are turned by angles that grow with their position,
// so that a score depends on the distance between two tokens only (Su et al. 2021, "RoFormer").
#pragma once

#include <vector>

#include "config.h"

namespace poslab {

// How many of a head's D numbers RoPE turns: D * rotary_fraction. Throws unless that is an even
// whole number.
int rotary_dims(int D, double rotary_fraction);

// x (even length d) turned to a position: pair i by position * base^(-2i/d) radians. |position| <=
// 1e6.
std::vector<float> rope(const std::vector<float>& x, double position,
                        RopePairing pairing = RopePairing::half, double base = 10000.0);

}  // namespace poslab
