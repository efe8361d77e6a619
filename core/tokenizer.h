// Text to token ids and back, one token per Unicode code point, the vocabulary being the sorted
// code points of the corpus. Small vocabularies keep the first lesson about positions, not about
// merges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poslab {

// Code points of a text. A byte order mark at the start is dropped, CRLF becomes LF, and whatever
// is no code point (a lone surrogate, a malformed byte) becomes U+FFFD.
std::u32string code_points(std::u16string_view utf16);
std::u32string code_points(std::string_view utf8);

std::string to_utf8(std::u32string_view text);
std::u16string to_utf16(std::u32string_view text);

struct Encoded {
  std::vector<int> ids;
  std::u32string
      skipped;  // characters the vocabulary does not have, each once, in order of appearance
};

class Tokenizer {
 public:
  explicit Tokenizer(std::u32string_view corpus);

  int vocab_size() const { return static_cast<int>(vocabulary_.size()); }
  const std::u32string& vocabulary() const { return vocabulary_; }

  // Unknown characters are left out of the ids and reported, never thrown.
  Encoded encode(std::u32string_view text) const;
  // Throws on an id outside [0, vocab_size).
  std::u32string decode(const std::vector<int>& ids) const;

 private:
  std::u32string vocabulary_;  // sorted; the id of a character is its index
};

}  // namespace poslab
