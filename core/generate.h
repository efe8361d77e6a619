// Sampling text from a model, one token at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "gpt.h"
#include "rng.h"

namespace poslab {

struct GenerateOptions {
  double temperature = 0.8;  // 0 … 100; 0 takes the likeliest token, the lowest id among equals
  int top_k = 0;  // only the k likeliest tokens; 0 = all; more than vocab_size counts as all
  std::uint64_t seed = 0;
  bool use_cache = true;  // false computes every window anew; the tokens are the same
};

// The first token of the window that a text of n tokens is continued from: 0 while it fits into
// block_size; beyond, the window drops half a block at a time and is numbered from 0 again, so that
// every scheme, a learned table too, only meets positions it was trained on, and a cache has to be
// refilled only now and then.
int window_start(int n_tokens, int block_size);

// Logits of the token after a growing text. Without a causal mask every new token changes the keys
// of the ones before it, so there the cache is left aside.
class NextToken {
 public:
  NextToken(Gpt& model, bool use_cache);
  // tokens: the text so far, at least one, as in the last call plus further ones. V logits, valid
  // until the next call.
  const float* logits(const std::vector<int>& tokens);

 private:
  Gpt& model_;
  bool use_cache_;
  KvCache cache_;
  int start_ = 0;
};

// The id drawn from logits (V).
int sample(const float* logits, int V, const GenerateOptions& options, Rng& rng);

// n_tokens further ids after a prompt of at least one.
std::vector<int> generate(Gpt& model, const std::vector<int>& prompt, int n_tokens,
                          const GenerateOptions& options);

}  // namespace poslab
