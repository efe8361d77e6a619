// Sine and cosine waves of falling frequency as position rows (Vaswani et al. 2017, section 3.5).
#pragma once

#include <string>
#include <vector>

#include "tensor.h"

namespace poslab {

// interleaved: sin, cos, sin, cos, … as in the paper; concatenated: all sines, then all cosines (a
// fixed permutation).
enum class SinusoidLayout { interleaved, concatenated };
SinusoidLayout sinusoid_layout_named(const std::string& name);  // throws on an unknown name

// PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos(p / base^(2i/d)) for p = first … first+n-1,
// shape (n, d). An odd d ends on a sine without its cosine. n 1 … 65536, d 1 … 4096, base >= 1,
// |first| <= 1e6.
Tensor<2> sinusoidal(int n, int d, double base = 10000.0,
                     SinusoidLayout layout = SinusoidLayout::interleaved, int first = 0);

// 2 pi base^(2i/d) for each pair i = 0 … ceil(d/2)-1, in tokens.
std::vector<double> wavelengths(int d, double base = 10000.0);

// How often each pair goes round within so many positions: positions over its wavelength.
std::vector<double> turns(double positions, int d, double base = 10000.0);

}  // namespace poslab
