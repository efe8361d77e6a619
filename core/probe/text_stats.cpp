#include "probe/text_stats.h"

#include <algorithm>

namespace poslab {
namespace {

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  // Beyond ASCII everything counts but punctuation and symbols: Latin-1 signs, general punctuation
  // up to dingbats, CJK punctuation.
  return c >= 0xC0 && c != 0xD7 && c != 0xF7 && !(c >= 0x2000 && c < 0x2C00) &&
         !(c >= 0x3000 && c < 0x3040) && c != 0xFFFD;
}

bool is_apostrophe(char32_t c) { return c == U'\'' || c == 0x2019; }

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

// Calls f(word) for each word that is followed by something that ends it.
template <class F>
void for_each_whole_word(std::u32string_view text, F f) {
  std::u32string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside = is_letter(text[i]) || (is_apostrophe(text[i]) && !word.empty() &&
                                               i + 1 < text.size() && is_letter(text[i + 1]));
    if (inside) {
      word.push_back(lower(text[i]));
    } else if (!word.empty()) {
      f(word);
      word.clear();
    }
  }
}

}  // namespace

WordList::WordList(const Corpus& corpus) {
  std::u32string text;
  for (const Split split : {Split::train, Split::val}) {
    for (const int id : corpus.tokens(split)) text.push_back(corpus.tokenizer().vocabulary()[id]);
  }
  text.push_back(U'\n');  // ends a last word
  for_each_whole_word(text, [this](const std::u32string& word) { words_.push_back(word); });
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  words_.shrink_to_fit();
}

TextStats WordList::stats(std::u32string_view text) const {
  TextStats stats{};
  for_each_whole_word(text, [&](const std::u32string& word) {
    ++stats.words;
    stats.known_words += std::binary_search(words_.begin(), words_.end(), word);
  });
  std::size_t length = 0;
  for (std::size_t start = 0, end; (end = text.find(U'\n', start)) != std::u32string_view::npos;
       start = end + 1) {
    ++stats.lines;
    length += end - start;
  }
  if (stats.lines > 0) stats.mean_line_length = static_cast<double>(length) / stats.lines;
  return stats;
}

}  // namespace poslab
