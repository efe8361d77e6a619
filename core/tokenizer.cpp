#include "tokenizer.h"

#include <algorithm>

#include "error.h"

namespace poslab {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// Reads one code point of UTF-8 at i and moves i past it; a malformed sequence gives U+FFFD and
// moves by one byte.
char32_t read_utf8(std::string_view s, std::size_t& i) {
  const auto lead = static_cast<unsigned char>(s[i++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 && lead < 0xF8 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead >= 0xF8 || i + more > s.size()) return kReplacement;
  char32_t c = lead & (0x3F >> more);
  for (int k = 0; k < more; ++k) {
    const auto next = static_cast<unsigned char>(s[i + k]);
    if ((next & 0xC0) != 0x80) return kReplacement;
    c = (c << 6) | (next & 0x3F);
  }
  constexpr char32_t kShortest[] = {0, 0x80, 0x800, 0x10000};
  if (c < kShortest[more] || c > 0x10FFFF || is_surrogate(c)) return kReplacement;
  i += more;
  return c;
}

char32_t read_utf16(std::u16string_view s, std::size_t& i) {
  const char32_t first = s[i++];
  if (!is_surrogate(first)) return first;
  if (first < 0xDC00 && i < s.size() && s[i] >= 0xDC00 && s[i] <= 0xDFFF) {
    return 0x10000 + ((first - 0xD800) << 10) + (s[i++] - 0xDC00);
  }
  return kReplacement;
}

template <class View, class Read>
std::u32string cleaned(View text, Read read) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = read(text, i);
    if (c == 0xFEFF && out.empty()) continue;
    if (c == U'\n' && !out.empty() && out.back() == U'\r') {
      out.back() = U'\n';
      continue;
    }
    out.push_back(c);
  }
  return out;
}

}  // namespace

std::u32string code_points(std::u16string_view utf16) { return cleaned(utf16, read_utf16); }
std::u32string code_points(std::string_view utf8) { return cleaned(utf8, read_utf8); }

std::string to_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) {
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
      put(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    put(((0xF80 >> more) & 0xFF) | (c >> (6 * more)));
    for (int k = more - 1; k >= 0; --k) put(0x80 | ((c >> (6 * k)) & 0x3F));
  }
  return out;
}

std::u16string to_utf16(std::u32string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (c < 0x10000) {
      out.push_back(static_cast<char16_t>(c));
    } else {
      out.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10)));
      out.push_back(static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF)));
    }
  }
  return out;
}

Tokenizer::Tokenizer(std::u32string_view corpus) : vocabulary_(corpus) {
  std::sort(vocabulary_.begin(), vocabulary_.end());
  vocabulary_.erase(std::unique(vocabulary_.begin(), vocabulary_.end()), vocabulary_.end());
  vocabulary_.shrink_to_fit();
}

Encoded Tokenizer::encode(std::u32string_view text) const {
  Encoded out;
  out.ids.reserve(text.size());
  for (const char32_t c : text) {
    const auto at = std::lower_bound(vocabulary_.begin(), vocabulary_.end(), c);
    if (at != vocabulary_.end() && *at == c) {
      out.ids.push_back(static_cast<int>(at - vocabulary_.begin()));
    } else if (out.skipped.find(c) == std::u32string::npos) {
      out.skipped.push_back(c);
    }
  }
  return out;
}

std::u32string Tokenizer::decode(const std::vector<int>& ids) const {
  std::u32string out;
  out.reserve(ids.size());
  for (const int id : ids) {
    require_between("token id", id, 0, vocab_size() - 1);
    out.push_back(vocabulary_[id]);
  }
  return out;
}

}  // namespace poslab
