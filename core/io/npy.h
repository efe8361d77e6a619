// NumPy's .npy files: one array with its shape and type (format versions 1 to 3).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace poslab {

struct NpyArray {
  std::string dtype;  // as the file names it: "<f4"
  bool fortran_order;
  std::vector<std::size_t> shape;
  std::vector<float> data;  // row-major, whatever the file's order
};

// What the start of a .npy file says of the rest, so that it can be judged before it is loaded.
struct NpyHeader {
  std::string dtype;
  bool fortran_order;
  std::vector<std::size_t> shape;
  std::uint64_t begin, end;  // bytes of the file that hold the numbers, the end not included
};

// prefix: the file's start, at least its header. file_size: of the whole file; 0 = unknown. A type
// that cannot be read and a file that is cut off are refused.
NpyHeader npy_header(std::span<const std::uint8_t> prefix, std::uint64_t file_size);

// Reads floats of 2, 4 and 8 bytes, whole numbers of 1 to 8 bytes and booleans, in either byte
// order and in C or Fortran order. Everything else is refused with a sentence.
NpyArray read_npy(std::span<const std::uint8_t> bytes);

// Version 1.0, "<f4", C order; the data starts at a multiple of 64 bytes.
std::vector<std::uint8_t> write_npy(const std::vector<std::size_t>& shape,
                                    const std::vector<float>& data);

}  // namespace poslab
