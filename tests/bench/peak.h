// What a processor can multiply and add at most.
#pragma once

namespace poslab {

// Multiply-and-add throughput of f32x4, in GFLOP/s: what a matrix product could reach at most. The
// best sample of any loop in this process so far, since whatever else runs may slow down any one.
double peak_gflops();

// Returns when the usual sample comes near the best of this process, measuring on and on; at once
// when it has waited 90 seconds, all calls together. On a shared machine another system may have
// its share of a core, for seconds or minutes, and takes more of what a model needs than of what
// the peak does: their ratio does not cancel it.
void wait_until_quiet();

}  // namespace poslab
