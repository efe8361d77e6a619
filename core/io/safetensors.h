// safetensors files: the header lists every tensor, so that one of them can be fetched without the
// rest. https://github.com/huggingface/safetensors (format section of its README).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace poslab {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;  // "F32", "F16", "BF16", "F64", …
  std::vector<std::uint64_t> shape;
  std::uint64_t begin, end;  // bytes of the file that hold it, the end not included
};

// The first 8 bytes say how many bytes of the file, these 8 included, safetensors_entries needs.
std::uint64_t safetensors_prefix(std::span<const std::uint8_t> first_bytes);

// The list, in the order of the bytes. prefix: at least safetensors_prefix bytes from the file's
// start. file_size: of the whole file; 0 = unknown. Sizes, ranges and gaps are checked; a header
// that lies is refused.
std::vector<SafetensorsEntry> safetensors_entries(std::span<const std::uint8_t> prefix,
                                                  std::uint64_t file_size);

// The bytes of one tensor as floats; dtype F64, F32, F16 or BF16.
std::vector<float> safetensors_decode(const std::string& dtype,
                                      std::span<const std::uint8_t> bytes);

}  // namespace poslab
