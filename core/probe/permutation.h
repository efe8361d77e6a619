// Is a model blind to order? Reorder the tokens and see whether every output row just moves along
// with its token.
#pragma once

#include <string>
#include <vector>

#include "gpt.h"

namespace poslab {

// One place of the forward pass, f(X) with a row per token.
struct PermutationStage {
  std::string name;  // "input", "h.0.attn" (what attention alone gave), "h.0", "logits"
  double largest;    // over tokens: Euclidean distance between f(P X) and P f(X)
  double relative;   // the same over the mean norm of the rows of f(X)
  std::vector<double> distances;  // (T), of the token that stands at each place of P X
};

// Runs ids X (T) and the same ids reordered, P X: place i takes token order[i] of X. Stages in the
// order of the forward pass. order must hold 0 … T-1 once each.
std::vector<PermutationStage> permutation_error(Gpt& model, const std::vector<int>& ids,
                                                const std::vector<int>& order);

// Throws unless order holds 0 … n-1 once each.
void require_permutation(const std::vector<int>& order, std::size_t n);

// Throws unless there is at least one id and each is from 0 to V-1.
void require_ids(const std::vector<int>& ids, int V);

}  // namespace poslab
