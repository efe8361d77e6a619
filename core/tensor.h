// Shapes for flat float buffers. The only file that includes xtensor: everything that is drawn,
// read out or compared is a Tensor or a view; hot loops take plain pointers with the shape in a
// comment.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

namespace poslab {

template <std::size_t N>
using Tensor = xt::xtensor<float, N>;

template <std::size_t N>
using Shape = std::array<std::size_t, N>;

// A shaped view of somebody else's floats (row-major, no copy). Assigning one view to another
// rebinds it: copy with xt::noalias(view) = other.
template <std::size_t N>
auto view(float* data, Shape<N> shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return xt::adapt(data, size, xt::no_ownership(), shape);
}

template <std::size_t N>
auto view(const float* data, Shape<N> shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return xt::adapt(data, size, xt::no_ownership(), shape);
}

template <std::size_t N>
Tensor<N> zeros(Shape<N> shape) {
  return Tensor<N>(shape, 0.0f);
}

}  // namespace poslab
