// A text as token ids: the first 90 % to train on, the last 10 % to validate on, both cut into
// windows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rng.h"
#include "tokenizer.h"

namespace poslab {

enum class Split { train, val };
Split split_named(const std::string& name);  // "train" or "val"; throws on another

class Corpus {
 public:
  // block_size: the window length that both splits must hold at least once, plus the token after
  // it. Throws with both lengths when the text is too short.
  Corpus(std::u32string_view text, int block_size);

  const Tokenizer& tokenizer() const { return tokenizer_; }
  std::span<const int> tokens(Split split) const;

 private:
  Tokenizer tokenizer_;
  std::vector<int> ids_;
  std::size_t n_train_;
};

// Windows of T = block_size tokens, each with the T tokens one further on, in a text of N tokens:
// starts 0 … N-T-1.
inline int window_count(std::size_t n_tokens, int block_size) {
  return static_cast<int>(n_tokens) - block_size;
}

// batch_size windows drawn uniformly over all window_count starts into inputs and targets, both
// (B,T).
void draw_batch(Rng& rng, std::span<const int> tokens, int batch_size, int block_size, int* inputs,
                int* targets);

}  // namespace poslab
