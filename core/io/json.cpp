#include "io/json.h"

#include <cstdint>

#include "error.h"

namespace poslab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  const std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(lead[more] | (c >> (6 * more))));
  for (int i = more - 1; i >= 0; --i)
    out.push_back(static_cast<char>(0x80 | ((c >> (6 * i)) & 63)));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = this->value(0);
    skip_space();
    if (at_ < text_.size()) wrong("something follows its end");
    return value;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    throw Error("This is not JSON: at byte " + text_of(static_cast<double>(at_)) + " " + what +
                ".");
  }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  char peek() {
    skip_space();
    if (at_ >= text_.size()) wrong("it breaks off");
    return text_[at_];
  }
  void take(char c) {
    if (peek() != c) wrong("a '" + std::string(1, c) + "' is missing");
    ++at_;
  }

  Json value(int depth) {
    if (depth > 32) wrong("it is nested more than 32 levels deep");
    const char c = peek();
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    Json out;
    if (c == '"') {
      out.kind = Json::Kind::string;
      out.text = string();
    } else if (c == '-' || is_digit(c)) {
      out.kind = Json::Kind::number;
      out.text = number();
    } else if (word("true") || word("false")) {
      out.kind = Json::Kind::boolean;
      out.truth = c == 't';
    } else if (!word("null")) {
      wrong("there is no value");
    }
    return out;
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  Json object(int depth) {
    Json out;
    out.kind = Json::Kind::object;
    take('{');
    if (peek() != '}') {
      do {
        if (peek() != '"') wrong("a name in quotes is missing");
        std::string name = string();
        take(':');
        out.members.emplace_back(std::move(name), value(depth + 1));
      } while (more('}'));
    }
    take('}');
    return out;
  }

  Json array(int depth) {
    Json out;
    out.kind = Json::Kind::array;
    take('[');
    if (peek() != ']') {
      do {
        out.items.push_back(value(depth + 1));
      } while (more(']'));
    }
    take(']');
    return out;
  }

  // Whether a comma announces another element; anything but the end is wrong.
  bool more(char end) {
    const char c = peek();
    if (c == ',') {
      ++at_;
      return true;
    }
    if (c != end) wrong("a ',' or '" + std::string(1, end) + "' is missing");
    return false;
  }

  std::string number() {
    const std::size_t start = at_;
    const auto digits = [this] {
      const std::size_t before = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      if (at_ == before) wrong("a number lacks a digit");
    };
    if (text_[at_] == '-') ++at_;
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_, digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::uint32_t four_hex() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : ' ';
      const int digit = is_digit(c)              ? c - '0'
                        : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                        : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                                 : -1;
      if (digit < 0) wrong("\\u needs four hexadecimal digits");
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
  }

  std::uint32_t escaped() {
    const char c = at_ < text_.size() ? text_[at_++] : ' ';
    switch (c) {
      case '"':
      case '\\':
      case '/':
        return static_cast<unsigned char>(c);
      case 'b':
        return 8;
      case 'f':
        return 12;
      case 'n':
        return 10;
      case 'r':
        return 13;
      case 't':
        return 9;
      case 'u':
        break;
      default:
        wrong("a backslash is followed by nothing JSON knows");
    }
    const std::uint32_t unit = four_hex();
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    if (high && word("\\u")) {
      const std::uint32_t low = four_hex();
      if (low >= 0xDC00 && low < 0xE000) return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    return unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit;
  }

  std::string string() {
    std::string out;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) wrong("a string has no end");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) wrong("a string holds a control character");
      if (c == '\\') {
        append_utf8(out, escaped());
      } else {
        out.push_back(c);
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::member(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

Json parse_json(std::string_view text) { return Parser(text).document(); }

}  // namespace poslab
