#include "io/npy.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "error.h"
#include "io/number_format.h"

namespace poslab {
namespace {

constexpr std::uint8_t kMagic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

// Far more than the page can draw, and what 32-bit sizes can count in bytes of a float.
constexpr std::uint64_t kMostElements = 1u << 28;

std::string count(std::uint64_t n) { return text_of(static_cast<double>(n)); }

[[noreturn]] void too_large() {
  throw Error("The .npy file announces more than 2^28 numbers; that is too large to read here.");
}

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) { read(); }

  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;

 private:
  void read() {
    bool has_descr = false, has_order = false, has_shape = false;
    take('{');
    while (!next_is('}')) {
      const std::string key = string();
      take(':');
      if (key == "descr") {
        skip_space();
        require(at_ >= text_.size() || (text_[at_] != '[' && text_[at_] != '('),
                "The .npy file holds records with named fields; save one plain array of floats.");
        descr = string();
        has_descr = true;
      } else if (key == "fortran_order") {
        fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        tuple();
        has_shape = true;
      } else {
        damaged("names " + quoted(key));
      }
      if (!next_is('}')) take(',');
    }
    if (!has_descr) damaged("has no 'descr'");
    if (!has_order) damaged("has no 'fortran_order'");
    if (!has_shape) damaged("has no 'shape'");
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw Error("The header of the .npy file is damaged: it " + what + ".");
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool next_is(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  void take(char c) {
    if (!next_is(c)) damaged("lacks a '" + std::string(1, c) + "' at byte " + count(at_));
    ++at_;
  }
  std::string string() {
    skip_space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      damaged("lacks a string at byte " + count(at_));
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) damaged("has a string without an end");
    const std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }
  bool boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair{"True", true}, {"False", false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::strlen(word);
        return value;
      }
    }
    damaged("gives 'fortran_order' neither True nor False");
  }
  void tuple() {
    take('(');
    while (!next_is(')')) {
      std::uint64_t value = 0;
      int digits = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
        if (digits == 15) damaged("gives a length of more than 15 digits");
        value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
      }
      if (digits == 0) damaged("gives a length that is not a whole number at byte " + count(at_));
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // of Python 2
      if (value > kMostElements) too_large();
      shape.push_back(static_cast<std::size_t>(value));
      if (!next_is(')')) take(',');
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct ElementType {
  char kind;
  int size;
  bool big_endian;
};

ElementType element_type(const std::string& descr) {
  const char order = descr.empty() ? ' ' : descr[0];
  const bool ordered = order == '<' || order == '>' || order == '=' || order == '|';
  const std::string name = ordered ? descr.substr(1) : descr;
  for (const char* known :
       {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
    if (name == known) return {name[0], name[1] - '0', order == '>'};
  }
  if (name == "O") {
    throw Error(
        "The .npy file holds Python objects (dtype \"|O\"), which only Python can read; save a "
        "plain array: np.save(file, np.asarray(x, dtype=np.float32)).");
  }
  throw Error("The .npy file has dtype " + quoted(descr) +
              "; numbers of dtype f2, f4, f8, i1 to i8, u1 to u8 or b1 can be read. Save "
              "x.astype(np.float32).");
}

float element(const std::uint8_t* bytes, const ElementType& type) {
  std::uint8_t ordered[8] = {};
  std::copy_n(bytes, type.size, ordered);
  if (type.big_endian) std::reverse(ordered, ordered + type.size);
  const std::uint64_t bits = little_endian(ordered, type.size);
  if (type.kind == 'f') {
    if (type.size == 2) return half_to_float(static_cast<std::uint16_t>(bits));
    if (type.size == 4) return float_from_bits(static_cast<std::uint32_t>(bits));
    return static_cast<float>(double_from_bits(bits));
  }
  if (type.kind == 'b') return bits != 0 ? 1.0f : 0.0f;
  if (type.kind == 'u') return static_cast<float>(bits);
  const int unused = 64 - 8 * type.size;  // sign-extends
  return static_cast<float>(static_cast<std::int64_t>(bits << unused) >> unused);
}

// Elements of a shape, without overflow.
std::size_t elements_of(const std::vector<std::size_t>& shape) {
  require(shape.size() <= 8,
          "The .npy file has " + count(shape.size()) + " axes; at most 8 can be read.");
  std::uint64_t n = 1;
  for (const std::size_t extent : shape) {
    n *= extent;  // both at most 2^28
    if (n > kMostElements) too_large();
  }
  return static_cast<std::size_t>(n);
}

// Column-major to row-major.
std::vector<float> from_fortran(const std::vector<float>& data,
                                const std::vector<std::size_t>& shape) {
  std::vector<float> out(data.size());
  std::vector<std::size_t> index(shape.size(), 0);
  for (const float x : data) {
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) at = at * shape[axis] + index[axis];
    out[at] = x;
    for (std::size_t axis = 0; axis < shape.size() && ++index[axis] == shape[axis]; ++axis)
      index[axis] = 0;
  }
  return out;
}

}  // namespace

NpyHeader npy_header(std::span<const std::uint8_t> prefix, std::uint64_t file_size) {
  require(prefix.size() >= 10 && std::equal(kMagic, kMagic + 6, prefix.begin()),
          "This is not a .npy file: it does not begin with \\x93NUMPY. A .npy file is what "
          "np.save(\"name.npy\", array) writes.");
  const int major = prefix[6];
  require(major >= 1 && major <= 3,
          "The .npy file has format version " + text_of(major) + "; versions 1 to 3 can be read.");
  const std::size_t start = major == 1 ? 10 : 12;
  require(prefix.size() >= start,
          "The .npy file ends after " + count(prefix.size()) + " bytes, inside its header.");
  const std::size_t length = little_endian(prefix.data() + 8, major == 1 ? 2 : 4);
  require(length <= prefix.size() - start, "The .npy file announces a header of " + count(length) +
                                               " bytes; only " + count(prefix.size() - start) +
                                               " follow.");
  const Header header({reinterpret_cast<const char*>(prefix.data()) + start, length});
  const std::uint64_t needed =
      static_cast<std::uint64_t>(elements_of(header.shape)) * element_type(header.descr).size;
  const std::uint64_t begin = start + length;
  require(file_size == 0 || begin + needed <= file_size,
          "The .npy file is cut off: its shape needs " + count(needed) + " bytes of data and " +
              count(file_size - std::min(file_size, begin)) + " are there.");
  return {header.descr, header.fortran_order, header.shape, begin, begin + needed};
}

NpyArray read_npy(std::span<const std::uint8_t> bytes) {
  const NpyHeader header = npy_header(bytes, bytes.size());
  const ElementType type = element_type(header.dtype);
  NpyArray out{header.dtype, header.fortran_order, header.shape,
               std::vector<float>(elements_of(header.shape))};
  const std::uint8_t* data = bytes.data() + header.begin;
  for (std::size_t i = 0; i < out.data.size(); ++i)
    out.data[i] = element(data + i * type.size, type);
  if (header.fortran_order && header.shape.size() > 1)
    out.data = from_fortran(out.data, header.shape);
  return out;
}

std::vector<std::uint8_t> write_npy(const std::vector<std::size_t>& shape,
                                    const std::vector<float>& data) {
  std::string dims;
  for (const std::size_t extent : shape) dims += count(extent) + ", ";
  if (shape.size() > 1) dims.resize(dims.size() - 2);
  if (shape.size() == 1) dims.resize(dims.size() - 1);
  require(elements_of(shape) == data.size(), "data has " + count(data.size()) +
                                                 " numbers; the shape (" + dims + ") has " +
                                                 count(elements_of(shape)) + ".");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::vector<std::uint8_t> out;
  out.reserve(10 + header.size() + 4 * data.size());
  for (const std::uint8_t byte : kMagic) out.push_back(byte);
  for (const std::size_t byte :
       {std::size_t{1}, std::size_t{0}, header.size() & 255, header.size() >> 8})
    out.push_back(static_cast<std::uint8_t>(byte));
  for (const char c : header) out.push_back(static_cast<std::uint8_t>(c));
  for (const float x : data) {
    const std::uint32_t bits = float_bits(x);
    for (int shift = 0; shift < 32; shift += 8)
      out.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
  return out;
}

}  // namespace poslab
