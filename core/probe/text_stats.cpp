#include "probe/text_stats.h"

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

// Calls f(word) for each word of the text at(0) … at(size - 1) that is followed by something that
// ends it.
template <class At, class F>
void for_each_whole_word(std::size_t size, At at, F f) {
  std::u32string word;
  for (std::size_t i = 0; i < size; ++i) {
    const char32_t c = at(i);
    const bool inside =
        is_letter(c) || (is_apostrophe(c) && !word.empty() && i + 1 < size && is_letter(at(i + 1)));
    if (inside) {
      word.push_back(lower(c));
    } else if (!word.empty()) {
      f(word);
      word.clear();
    }
  }
}

}  // namespace

WordList::WordList(const Corpus& corpus) {
  // Read where it lies: a copy of a long corpus would be most of the module's memory.
  const std::span<const int> train = corpus.tokens(Split::train), val = corpus.tokens(Split::val);
  const std::u32string_view characters = corpus.tokenizer().vocabulary();
  const std::size_t size = train.size() + val.size();
  const auto at = [&](std::size_t i) {
    if (i == size) return U'\n';  // ends a last word
    return characters[i < train.size() ? train[i] : val[i - train.size()]];
  };
  for_each_whole_word(size + 1, at, [this](const std::u32string& word) { words_.insert(word); });
}

TextStats WordList::stats(std::u32string_view text) const {
  TextStats stats{};
  const auto at = [text](std::size_t i) { return text[i]; };
  for_each_whole_word(text.size(), at, [&](const std::u32string& word) {
    ++stats.words;
    stats.known_words += words_.contains(word);
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
