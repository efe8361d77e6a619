// How far generated text resembles its corpus: real words, real lines.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "corpus.h"

namespace poslab {

struct TextStats {
  int words;                // whole words in the text
  int known_words;          // of these, how many occur in the corpus
  int lines;                // whole lines, each ended by a line break
  double mean_line_length;  // characters a line; 0 without lines
};

// Words are runs of letters, compared without regard to ASCII case; an apostrophe between letters
// belongs to the word.
class WordList {
 public:
  explicit WordList(const Corpus& corpus);
  // A last word or line that the text breaks off in is not counted.
  TextStats stats(std::u32string_view text) const;

 private:
  std::set<std::u32string> words_;
};

}  // namespace poslab
