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

// Reads floats of 2, 4 and 8 bytes, whole numbers of 1 to 8 bytes and booleans, in either byte
// order and in C or Fortran order. Everything else is refused with a sentence.
NpyArray read_npy(std::span<const std::uint8_t> bytes);

// Version 1.0, "<f4", C order; the data starts at a multiple of 64 bytes.
std::vector<std::uint8_t> write_npy(const std::vector<std::size_t>& shape,
                                    const std::vector<float>& data);

}  // namespace poslab
