#include "tokenizer.h"

#include <catch2/catch_test_macros.hpp>

#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

// Bytes that a string literal must not hold as text.
std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out.push_back(static_cast<char>(value));
  return out;
}

std::u16string units(std::initializer_list<int> values) {
  std::u16string out;
  for (const int value : values) out.push_back(static_cast<char16_t>(value));
  return out;
}

}  // namespace

TEST_CASE("CRLF becomes LF and a lone CR stays", "[tokenizer]") {
  CHECK(code_points(std::string_view("a\r\nb\rc\n\r")) == U"a\nb\rc\n\r");
  CHECK(code_points(std::u16string_view(u"a\r\nb\rc\n\r")) == U"a\nb\rc\n\r");
  CHECK(code_points(std::string_view("\r\r\n\n")) == U"\r\n\n");
}

TEST_CASE("a byte order mark is dropped at the start only", "[tokenizer]") {
  CHECK(code_points(bytes({0xEF, 0xBB, 0xBF, 'a'})) == U"a");
  CHECK(code_points(units({0xFEFF, 'a'})) == U"a");
  CHECK(code_points(units({'a', 0xFEFF})) == std::u32string{U'a', char32_t{0xFEFF}});
  CHECK(code_points(std::string_view("")).empty());
}

TEST_CASE("UTF-16 surrogate pairs are one code point and lone surrogates U+FFFD", "[tokenizer]") {
  CHECK(code_points(units({0xD83D, 0xDE00})) == U"\U0001F600");
  CHECK(code_points(units({0xD800, 0xDC00})) == U"\U00010000");
  CHECK(code_points(units({0xDBFF, 0xDFFF})) == U"\U0010FFFF");
  CHECK(code_points(units({0xD83D})) == U"\uFFFD");
  CHECK(code_points(units({0xD83D, 'a'})) == U"\uFFFDa");
  CHECK(code_points(units({0xDE00, 'a'})) == U"\uFFFDa");
  CHECK(code_points(units({0xD83D, 0xD83D, 0xDE00})) == U"\uFFFD\U0001F600");
}

TEST_CASE("well-formed UTF-8 of every length is decoded", "[tokenizer]") {
  CHECK(code_points(std::string_view("A")) == U"A");
  CHECK(code_points(bytes({0xC2, 0x80, 0xDF, 0xBF})) == U"\u0080\u07FF");
  CHECK(code_points(bytes({0xE0, 0xA0, 0x80, 0xEF, 0xBF, 0xBF})) == U"\u0800\uFFFF");
  CHECK(code_points(bytes({0xF0, 0x90, 0x80, 0x80, 0xF4, 0x8F, 0xBF, 0xBF})) ==
        U"\U00010000\U0010FFFF");
}

TEST_CASE("malformed UTF-8 becomes U+FFFD and the text around it survives", "[tokenizer]") {
  const char32_t bad = 0xFFFD;
  const std::u32string one(1, bad), two(2, bad), three(3, bad), four(4, bad);
  CHECK(code_points(bytes({'a', 0x80, 'b'})) == U"a" + one + U"b");           // stray follower
  CHECK(code_points(bytes({'a', 0xC3})) == U"a" + one);                       // cut off
  CHECK(code_points(bytes({0xE2, 0x82, 'x'})) == two + U"x");                 // cut off inside
  CHECK(code_points(bytes({0xC0, 0xAF})) == two);                             // overlong /
  CHECK(code_points(bytes({0xE0, 0x9F, 0xBF})) == three);                     // overlong U+07FF
  CHECK(code_points(bytes({0xF0, 0x8F, 0xBF, 0xBF})) == four);                // overlong U+FFFF
  CHECK(code_points(bytes({0xED, 0xA0, 0x80})) == three);                     // a surrogate
  CHECK(code_points(bytes({0xF4, 0x90, 0x80, 0x80})) == four);                // past U+10FFFF
  CHECK(code_points(bytes({0xF8, 0x88, 0x80, 0x80, 0x80, 'z'}))[5] == U'z');  // 5-byte form
  CHECK(code_points(bytes({0xFF, 0xFE, 'z'})) == two + U"z");
}

TEST_CASE("text goes through UTF-8 and UTF-16 and comes back", "[tokenizer]") {
  const std::u32string text =
      U"aZ \u0080\u00E9\u07FF\u0800\u20AC\uD7FF\uE000\uFFFD\uFFFF\U00010000\U0001F600\U0010FFFF";
  CHECK(code_points(to_utf8(text)) == text);
  CHECK(code_points(to_utf16(text)) == text);
  CHECK(to_utf8(U"\u00E9\u20AC\U0001F600") ==
        bytes({0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80}));
  CHECK(to_utf16(U"\u20AC\U0001F600") == units({0x20AC, 0xD83D, 0xDE00}));
}

TEST_CASE("ids number the sorted characters of the corpus", "[tokenizer]") {
  const Tokenizer tokenizer(U"hello \U0001F600!");
  CHECK(tokenizer.vocabulary() == U" !ehlo\U0001F600");
  CHECK(tokenizer.vocab_size() == 7);
  CHECK(tokenizer.encode(U"ole\U0001F600").ids == std::vector<int>{5, 4, 2, 6});
}

TEST_CASE("encoding and decoding are inverses", "[tokenizer]") {
  const std::u32string text = U"Call me Ishmael.\nSome years ago \u2014 never mind \U0001F433";
  const Tokenizer tokenizer(text);
  const Encoded encoded = tokenizer.encode(text);
  CHECK(encoded.ids.size() == text.size());
  CHECK(encoded.skipped.empty());
  CHECK(tokenizer.decode(encoded.ids) == text);
}

TEST_CASE("unknown characters are skipped and reported once each", "[tokenizer]") {
  const Tokenizer tokenizer(U"abc");
  const Encoded encoded = tokenizer.encode(U"zaxbz\u00E9c\U0001F600x");
  CHECK(tokenizer.decode(encoded.ids) == U"abc");
  CHECK(encoded.skipped == U"zx\u00E9\U0001F600");
  CHECK(tokenizer.encode(U"").ids.empty());
  CHECK(tokenizer.encode(U"?!").ids.empty());
}

TEST_CASE("decoding refuses ids outside the vocabulary", "[tokenizer]") {
  const Tokenizer tokenizer(U"abc");
  CHECK(refusal([&] { tokenizer.decode({0, 3}); }) == "token id is 3; it must be from 0 to 2.");
  CHECK(refusal([&] { tokenizer.decode({-1}); }) == "token id is -1; it must be from 0 to 2.");
}
