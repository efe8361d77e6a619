#include "io/safetensors.h"

#include <algorithm>
#include <string_view>

#include "error.h"
#include "io/json.h"
#include "io/number_format.h"

namespace poslab {
namespace {

constexpr std::uint64_t kLargestHeader = 16u << 20;
constexpr std::uint64_t kLargestWhole = 1ull << 53;  // what JavaScript's numbers hold

std::string count(std::uint64_t n) { return text_of(static_cast<double>(n)); }

// Bytes of one number; 0 = unknown type.
std::uint64_t size_of(std::string_view dtype) {
  struct Size {
    std::string_view dtype;
    std::uint64_t bytes;
  };
  constexpr Size sizes[] = {{"F64", 8}, {"I64", 8}, {"U64", 8},  {"F32", 4},     {"I32", 4},
                            {"U32", 4}, {"F16", 2}, {"I16", 2},  {"U16", 2},     {"BF16", 2},
                            {"I8", 1},  {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};
  for (const Size& size : sizes) {
    if (size.dtype == dtype) return size.bytes;
  }
  return 0;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error("The header of the safetensors file is wrong: tensor " + quoted(name) + " " + what +
              ".");
}

std::uint64_t whole(const std::string& name, const Json& json, const char* what) {
  std::uint64_t value = 0;
  bool good = json.kind == Json::Kind::number && !json.text.empty();
  for (const char c : json.text) {
    good = good && c >= '0' && c <= '9' && value < kLargestWhole / 10;
    if (good) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (!good) refuse(name, std::string("has a ") + what + " that is not a whole number below 2^53");
  return value;
}

SafetensorsEntry entry_of(const std::string& name, const Json& json) {
  const Json *dtype = json.member("dtype"), *shape = json.member("shape"),
             *offsets = json.member("data_offsets");
  if (dtype == nullptr || dtype->kind != Json::Kind::string) refuse(name, "has no dtype");
  if (shape == nullptr || shape->kind != Json::Kind::array) refuse(name, "has no shape");
  if (offsets == nullptr || offsets->kind != Json::Kind::array || offsets->items.size() != 2)
    refuse(name, "has no pair of data_offsets");
  SafetensorsEntry entry{name, dtype->text, {}, 0, 0};
  entry.begin = whole(name, offsets->items[0], "data offset");
  entry.end = whole(name, offsets->items[1], "data offset");
  if (entry.end < entry.begin) refuse(name, "ends before it begins");
  if (shape->items.size() > 16) refuse(name, "has more than 16 axes");
  std::uint64_t elements = 1;
  for (const Json& extent : shape->items) {
    const std::uint64_t n = whole(name, extent, "length");
    if (n != 0 && elements > kLargestWhole / n) refuse(name, "has more than 2^53 numbers");
    elements *= n;
    entry.shape.push_back(n);
  }
  const std::uint64_t bytes = size_of(entry.dtype);
  if (bytes != 0 && elements > kLargestWhole / bytes) refuse(name, "has more than 2^53 bytes");
  if (bytes != 0 && elements * bytes != entry.end - entry.begin) {
    refuse(name, "needs " + count(elements * bytes) + " bytes by its shape and has " +
                     count(entry.end - entry.begin));
  }
  return entry;
}

}  // namespace

std::uint64_t safetensors_prefix(std::span<const std::uint8_t> first_bytes) {
  require(first_bytes.size() >= 8, "The safetensors file ends after " + count(first_bytes.size()) +
                                       " bytes; its first 8 give the length of its header.");
  const std::uint64_t length = little_endian(first_bytes.data(), 8);
  require(length >= 2 && length <= kLargestHeader,
          "This is not a safetensors file that can be opened here: its first 8 bytes announce a "
          "header of " +
              count(length) + " bytes; 2 to " + count(kLargestHeader) + " are possible.");
  return 8 + length;
}

std::vector<SafetensorsEntry> safetensors_entries(std::span<const std::uint8_t> prefix,
                                                  std::uint64_t file_size) {
  const std::uint64_t start = safetensors_prefix(prefix);
  require(prefix.size() >= start, "The header of the safetensors file has " + count(start) +
                                      " bytes with its length; only " + count(prefix.size()) +
                                      " are there.");
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()) + 8, start - 8);
  require(text[0] == '{',
          "This is not a safetensors file: its header does not begin with a brace.");
  std::vector<SafetensorsEntry> entries;
  const Json header = parse_json(text);
  for (const auto& [name, json] : header.members) {
    if (name != "__metadata__") entries.push_back(entry_of(name, json));
  }
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse(*twice, "is listed twice");

  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  std::uint64_t at = 0;
  for (SafetensorsEntry& entry : entries) {
    if (entry.begin != at) {
      refuse(entry.name, (entry.begin < at ? "overlaps the one before it: it begins at byte "
                                           : "leaves a gap before it: it begins at byte ") +
                             count(entry.begin) + " of the data, and the one before it ends at " +
                             count(at));
    }
    at = entry.end;
    entry.begin += start;
    entry.end += start;
    if (file_size != 0 && entry.end > file_size) {
      refuse(entry.name, "ends at byte " + count(entry.end) + "; the file has " + count(file_size) +
                             " bytes, so it is cut off");
    }
  }
  return entries;
}

std::vector<float> safetensors_decode(const std::string& dtype,
                                      std::span<const std::uint8_t> bytes) {
  require(dtype == "F32" || dtype == "F16" || dtype == "BF16" || dtype == "F64",
          "dtype is " + quoted(dtype) + "; tensors of F32, F16, BF16 or F64 can be drawn.");
  const std::size_t size = size_of(dtype);
  require(bytes.size() % size == 0, "The tensor has " + count(bytes.size()) +
                                        " bytes; a number of " + dtype + " takes " + count(size) +
                                        ".");
  std::vector<float> out(bytes.size() / size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = little_endian(bytes.data() + i * size, static_cast<int>(size));
    if (dtype == "F32") {
      out[i] = float_from_bits(static_cast<std::uint32_t>(bits));
    } else if (dtype == "F64") {
      out[i] = static_cast<float>(double_from_bits(bits));
    } else {
      const auto half = static_cast<std::uint16_t>(bits);
      out[i] = dtype == "F16" ? half_to_float(half) : bfloat16_to_float(half);
    }
  }
  return out;
}

}  // namespace poslab
