#include "probe/order_blindness.h"

#include <algorithm>
#include <string>

#include "error.h"
#include "probe/permutation.h"

namespace poslab {
namespace {

// Sums of up to a hundred terms in single precision, layer upon layer.
constexpr double kTolerance = 1e-5;

std::vector<int> with_last_at_its_end(const std::vector<int>& order) {
  const int last = static_cast<int>(order.size()) - 1;
  std::vector<int> kept;
  for (const int place : order)
    if (place != last) kept.push_back(place);
  if (std::is_sorted(kept.begin(), kept.end())) std::reverse(kept.begin(), kept.end());
  kept.push_back(last);
  return kept;
}

// The mean norm of a stage's rows follows from its two measures.
double share(const PermutationStage& stage, double distance) {
  return stage.largest > 0.0 ? distance / stage.largest * stage.relative : distance;
}

}  // namespace

std::vector<LayerBlindness> order_blindness(Gpt& model, const std::vector<int>& ids,
                                            const std::vector<int>& order) {
  const std::vector<PermutationStage> moved = permutation_error(model, ids, order),
                                      kept = permutation_error(model, ids,
                                                               with_last_at_its_end(order));
  std::vector<LayerBlindness> result;
  for (int layer = 0; layer < model.config().n_layer; ++layer) {
    const std::size_t stage = 1 + 2 * static_cast<std::size_t>(layer);  // after "input"
    Deviations along, last;
    std::vector<double> shares;
    for (const double distance : moved[stage].distances) {
      shares.push_back(share(moved[stage], distance));
      along.add(shares.back(), 0.0);
    }
    last.add(share(kept[stage], kept[stage].distances.back()), 0.0);
    const std::string h = "h." + text_of(layer);
    result.push_back({along.proof(h + ".moves_along", kTolerance), shares,
                      last.proof(h + ".last_kept", kTolerance)});
  }
  return result;
}

}  // namespace poslab
