#include "generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "error.h"

namespace poslab {

int window_start(int n_tokens, int block_size) {
  if (n_tokens <= block_size) return 0;
  const int hop = std::max(1, block_size / 2);
  return (n_tokens - block_size + hop - 1) / hop * hop;
}

NextToken::NextToken(Gpt& model, bool use_cache)
    : model_(model),
      use_cache_(use_cache && model.config().causal),
      cache_(model.config(), use_cache_ ? model.config().block_size : 0) {}

const float* NextToken::logits(const std::vector<int>& tokens) {
  const int n = static_cast<int>(tokens.size());
  const int start = window_start(n, model_.config().block_size);
  if (start != start_) cache_.clear();
  start_ = start;
  const int from = start + (use_cache_ ? cache_.length : 0);
  const float* all =
      model_.forward(tokens.data() + from, 1, n - from, use_cache_ ? &cache_ : nullptr);
  return all + static_cast<std::size_t>(n - from - 1) * model_.config().vocab_size;
}

int sample(const float* logits, int V, const GenerateOptions& options, Rng& rng) {
  const auto best = static_cast<int>(std::max_element(logits, logits + V) - logits);
  require(std::isfinite(logits[best]),
          "The model's logits are not finite numbers, so there is nothing to sample from.");
  if (options.temperature == 0.0) return best;
  std::vector<int> ids(V);
  std::iota(ids.begin(), ids.end(), 0);
  if (options.top_k > 0 && options.top_k < V) {
    std::sort(ids.begin(), ids.end(), [logits](int a, int b) {
      return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
    });
    ids.resize(options.top_k);
  }
  std::vector<double> cumulative;
  double total = 0.0;
  for (const int id : ids) {
    const double x = (static_cast<double>(logits[id]) - logits[best]) / options.temperature;
    total += x < -700.0 ? 0.0 : exp(x);
    cumulative.push_back(total);
  }
  const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), rng.uniform() * total) -
                  cumulative.begin();
  return ids[std::min<std::size_t>(at, ids.size() - 1)];
}

std::vector<int> generate(Gpt& model, const std::vector<int>& prompt, int n_tokens,
                          const GenerateOptions& options) {
  require_between("n_tokens", n_tokens, 0, 1'000'000);
  require_between("temperature", options.temperature, 0, 100);
  require_between("top_k", options.top_k, 0, 1e9);
  require(!prompt.empty(), "The prompt has no tokens; generation continues from at least one.");
  NextToken next(model, options.use_cache);
  Rng rng(options.seed, "generate");
  std::vector<int> tokens(prompt);
  for (int i = 0; i < n_tokens; ++i) {
    tokens.push_back(sample(next.logits(tokens), model.config().vocab_size, options, rng));
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), tokens.end()};
}

}  // namespace poslab
