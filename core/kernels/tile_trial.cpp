#include "kernels/tile_trial.h"

#include <algorithm>
#include <numeric>

namespace poslab {
namespace {

// The mean without the slowest third. What disturbs a piece only ever makes it slower; and a mean,
// since a browser's clock may tick just once or twice a piece.
template <std::size_t N>
double usual(std::array<double, N> times) {
  for (std::size_t i = 0; i < N / 3; ++i) *std::max_element(times.begin(), times.end()) = 0.0;
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(N - N / 3);
}

}  // namespace

TileOrder TileTrial::order() const {
  return decided() ? faster_ : static_cast<TileOrder>(pieces_ % 2);
}

void TileTrial::took(double time) {
  if (decided()) return;
  const int piece = pieces_++;
  if (piece >= kWarmUp) times_[piece % 2][(piece - kWarmUp) / 2] = time;
  if (!decided()) return;
  const auto time_of = [this](TileOrder order) {
    return usual(times_[static_cast<std::size_t>(order)]);
  };
  // Within one percent they are alike; then every engine has the same order.
  if (time_of(TileOrder::leave_after_loads) < 0.99 * time_of(TileOrder::leave_after_sums)) {
    faster_ = TileOrder::leave_after_loads;
  }
}

}  // namespace poslab
