#include "corpus.h"

#include <algorithm>

#include "error.h"

namespace poslab {

Split split_named(const std::string& name) {
  if (name == "train") return Split::train;
  if (name == "val") return Split::val;
  throw Error("split is " + quoted(name) + "; it must be \"train\" or \"val\".");
}

Corpus::Corpus(std::u32string_view text, int block_size)
    : tokenizer_(text),
      ids_(tokenizer_.encode(text).ids),
      n_train_(ids_.size() - ids_.size() / 10) {
  // The validation tenth is the shorter part and must hold one window and the token after it.
  const std::size_t needed = 10 * (static_cast<std::size_t>(std::max(block_size, 0)) + 1);
  require(ids_.size() >= needed,
          "The text has " + text_of(static_cast<double>(ids_.size())) +
              (ids_.size() == 1 ? " character" : " characters") + "; with block_size " +
              text_of(block_size) + " it needs at least " + text_of(static_cast<double>(needed)) +
              ", so that the last tenth, kept for validation, holds one window.");
}

std::span<const int> Corpus::tokens(Split split) const {
  const std::span<const int> all(ids_);
  return split == Split::train ? all.first(n_train_) : all.subspan(n_train_);
}

void draw_batch(Rng& rng, std::span<const int> tokens, int batch_size, int block_size, int* inputs,
                int* targets) {
  const auto starts = static_cast<std::uint32_t>(window_count(tokens.size(), block_size));
  for (int b = 0; b < batch_size; ++b) {
    const int* window = tokens.data() + rng.below(starts);
    inputs = std::copy_n(window, block_size, inputs);
    targets = std::copy_n(window + 1, block_size, targets);
  }
}

}  // namespace poslab
