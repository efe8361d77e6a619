#include "kernels/tile_trial.h"

#include <algorithm>
#include <numeric>

namespace poslab {
namespace {

// The mean of the first n without their slowest third. What disturbs a piece only ever makes it
// slower; and a mean, since a browser's clock may tick just once or twice a piece.
template <std::size_t N>
double usual(std::array<double, N> times, int n) {
  const auto end = times.begin() + n;
  for (int i = 0; i < n / 3; ++i) *std::max_element(times.begin(), end) = 0.0;
  return std::accumulate(times.begin(), end, 0.0) / (n - n / 3);
}

}  // namespace

TileOrder TileTrial::order() const {
  return decided_ ? faster_ : static_cast<TileOrder>(pieces_ % 2);
}

void TileTrial::took(double time) {
  if (decided_) return;
  const int piece = pieces_++;
  if (piece < kWarmUp) return;
  times_[piece % 2][(piece - kWarmUp) / 2] = time;
  const int pairs = (pieces_ - kWarmUp) / 2;
  if (piece % 2 == 0 || pairs < kFewPairs) return;
  const auto usual_of = [&](TileOrder order) {
    return usual(times_[static_cast<std::size_t>(order)], pairs);
  };
  const double after_sums = usual_of(TileOrder::leave_after_sums);
  const double after_loads = usual_of(TileOrder::leave_after_loads);
  const double ratio = after_loads / after_sums;
  decided_ = pairs == kPairs || ratio > 1.25 || ratio < 0.8;
  // Within one percent they are alike; then every engine has the same order.
  if (ratio < 0.99) faster_ = TileOrder::leave_after_loads;
}

}  // namespace poslab
