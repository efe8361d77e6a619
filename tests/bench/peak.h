// What a processor can multiply and add at most.
#pragma once

namespace poslab {

// Multiply-and-add throughput of f32x4, in GFLOP/s: what a matrix product could reach at most. The
// best round of any loop in this process so far, since whatever else runs may slow down any one.
double peak_gflops();

}  // namespace poslab
