// Where order-blindness ends, layer by layer: does attention only move its outputs along with the
// tokens, and does the last token notice the order of those before it?
#pragma once

#include <vector>

#include "gpt.h"
#include "probe/proofs.h"

namespace poslab {

// What the attention of one layer gave, deviations as a share of the mean norm of its rows.
struct LayerBlindness {
  Proof moves_along;           // attn(P X) = P attn(X), over all tokens
  std::vector<double> shares;  // (T), the deviation of the token at each place of P X
  Proof last_kept;  // the last token's row stays when only the tokens before it are reordered
};

// Runs ids X (T) and the same ids reordered, P X: place i takes token order[i] of X; and for
// last_kept a third time, with the last token at its end and the others in that order, or turned
// round where that would change nothing. order must hold 0 … T-1 once each. One entry a layer.
std::vector<LayerBlindness> order_blindness(Gpt& model, const std::vector<int>& ids,
                                            const std::vector<int>& order);

}  // namespace poslab
