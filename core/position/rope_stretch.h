// RoPE for texts longer than those trained on: ways to slow its rotations down, so that positions
// past the trained length get angles that were met in training.
#pragma once

#include <string>
#include <vector>

namespace poslab {

enum class RopeStretch {
  none,
  linear,       // all angles divided by the factor (Chen et al. 2023, position interpolation)
  ntk,          // a larger base: fast pairs hardly change, slow ones are divided (bloc97 2023)
  dynamic_ntk,  // the same, with the factor growing as the text does (emozilla 2023)
  yarn,         // divided by parts, between 32 turns and 1 within the trained length (Peng et al.
                // 2023)
  llama3        // divided by parts, between wavelengths of a quarter and the whole trained length
                // (Llama 3.1)
};
std::string name_of(RopeStretch stretch);
RopeStretch rope_stretch_named(const std::string& name);  // throws, listing the names

struct RopeStretching {
  RopeStretch stretch = RopeStretch::none;
  double factor = 2.0;         // 1 … 1000, the length aimed at over the trained length
  double trained_length = 64;  // tokens
  double length = 64;          // of the text at hand; dynamic_ntk only
};

// The base whose frequencies are factor times slower in the last pair: base * factor^(d/(d-2)).
double ntk_base(int d, double base, double factor);

// Angle per position of each pair i = 0 … d/2-1, in radians; d even, 4 … 4096.
std::vector<double> rope_frequencies(int d, double base, const RopeStretching& stretching);

// What queries and keys are multiplied by besides: 0.1 ln(factor) + 1 for YaRN, 1 for the others.
double attention_factor(const RopeStretching& stretching);

}  // namespace poslab
