// Which order of the matrix product's tile is faster depends on the compiler behind the
// WebAssembly, and no page can ask for its name. So the first pieces of the work itself are done in
// both orders by turns and timed: nothing is computed for the trial alone, and the bits are the
// same in either.
#pragma once

#include <array>

#include "kernels/matmul.h"

namespace poslab {

class TileTrial {
 public:
  // The order for the next piece of work.
  TileOrder order() const;
  bool decided() const { return decided_; }
  // How long the piece in order() took, in any unit. Pieces must be alike.
  void took(double time);

 private:
  // Pieces before the first that counts: by then an engine has replaced its first, quick
  // translation of the tile by its best.
  static constexpr int kWarmUp = 40;
  // Pairs of pieces, one in each order: as many as tell a difference of some percent by a clock of
  // a browser, or of a quarter.
  static constexpr int kPairs = 30, kFewPairs = 6;

  int pieces_ = 0;
  std::array<std::array<double, kPairs>, 2> times_{};  // by order
  bool decided_ = false;
  TileOrder faster_ = TileOrder::leave_after_sums;
};

}  // namespace poslab
