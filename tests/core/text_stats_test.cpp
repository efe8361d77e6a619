#include "probe/text_stats.h"

#include <catch2/catch_test_macros.hpp>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

WordList words_of(std::u32string text) {
  while (text.size() < 20) text += U' ';
  return WordList(Corpus(text, 1));
}

}  // namespace

TEST_CASE("words, known words and lines are counted as a reader would", "[text-stats]") {
  const WordList words = words_of(U"Call me Ishmael. Some years ago, never mind how long.");
  const TextStats stats = words.stats(U"call ME, Ishmael!\nXyzzy ago; me me\n");
  CHECK(stats.words == 7);
  CHECK(stats.known_words == 6);
  CHECK(stats.lines == 2);
  CHECK(stats.mean_line_length == (17 + 16) / 2.0);
}

TEST_CASE("a word or line that the text breaks off in is not counted", "[text-stats]") {
  const WordList words = words_of(U"the whale swims on and on");
  TextStats stats = words.stats(U"the whale sw");
  CHECK(stats.words == 2);
  CHECK(stats.known_words == 2);
  CHECK(stats.lines == 0);
  CHECK(stats.mean_line_length == 0.0);
  stats = words.stats(U"the whale swims ");
  CHECK(stats.words == 3);
  stats = words.stats(U"");
  CHECK(stats.words == 0);
}

TEST_CASE("the corpus' own last word is known", "[text-stats]") {
  CHECK(words_of(U"a b c d e f g h i j k whale").stats(U"whale ").known_words == 1);
}

TEST_CASE("apostrophes between letters belong to a word, hyphens and digits do not",
          "[text-stats]") {
  const WordList words = words_of(U"don't 'tis o\u2019clock sea-room");
  CHECK(words.stats(U"don't ").words == 1);
  CHECK(words.stats(U"don't ").known_words == 1);
  CHECK(words.stats(U"o\u2019clock ").known_words == 1);
  CHECK(words.stats(U"'tis' ").words == 1);
  CHECK(words.stats(U"tis ").known_words == 1);
  CHECK(words.stats(U"sea-room ").words == 2);
  CHECK(words.stats(U"sea-room ").known_words == 2);
  CHECK(words.stats(U"12 + 3 = 15 ... \u2014 ").words == 0);
}

TEST_CASE("letters beyond ASCII are letters, punctuation beyond ASCII is not", "[text-stats]") {
  const WordList words = words_of(U"na\u00EFve caf\u00E9 \u0438 \u043C\u0438\u0440 \u4E16\u754C");
  CHECK(words.stats(U"na\u00EFve \u043C\u0438\u0440 ").known_words == 2);
  CHECK(words.stats(U"\u201Ccaf\u00E9\u201D\u2026 ").known_words == 1);
  CHECK(words.stats(U"\u4E16\u754C\u3002\u4E16\u754C ").known_words == 2);
  CHECK(words.stats(U"\uFFFD \u00D7 \u00BF ").words == 0);
}

TEST_CASE("empty lines count as lines", "[text-stats]") {
  const TextStats stats = words_of(U"x").stats(U"\n\nab\nabcd\n");
  CHECK(stats.lines == 4);
  CHECK(stats.mean_line_length == 1.5);
}
