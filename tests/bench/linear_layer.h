// The products of a linear layer, timed one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>

#include "kernels/floats.h"
#include "kernels/matmul.h"
#include "layers/layers.h"
#include "timing.h"

namespace poslab {

// A linear layer's products at a shard's shape, and the packing of its weight, once for all shards
// of a step. Each is timed by its fastest sample, since it is compared with the peak, the fastest
// of its samples, too.
struct LinearLayer {
  int N, I, O;
  Floats x, weight, bias, y, dx, dweight, panels;
  struct {
    double forward, pack_forward, to_input, pack_to_input, to_weight;
  } ms;

  LinearLayer(int N_, int I_, int O_)
      : N(N_),
        I(I_),
        O(O_),
        x(static_cast<std::size_t>(N) * I, 0.5f),
        weight(static_cast<std::size_t>(O) * I, 0.25f),
        bias(O),
        y(static_cast<std::size_t>(N) * O, 0.125f),
        dx(x.size()),
        dweight(weight.size()),
        panels(std::max(packed_size(I, O), packed_size(O, I))) {
    constexpr double never = std::numeric_limits<double>::infinity();
    ms = {never, never, never, never, never};
  }

  void measure() {
    const auto lower = [](double& fastest, const std::function<void()>& f) {
      fastest = std::min(fastest, std::ranges::min(times_of(f, 6)));
    };
    const MatrixView by_input = row_major(weight.data(), I);
    lower(ms.pack_forward, [&] { pack_columns(I, O, transposed(by_input), panels.data()); });
    lower(ms.forward,
          [&] { linear_forward(y.data(), x.data(), panels.data(), bias.data(), N, I, O); });
    lower(ms.pack_to_input, [&] { pack_columns(O, I, by_input, panels.data()); });
    lower(ms.to_input, [&] {
      matmul_packed(N, I, O, row_major(y.data(), O), panels.data(), O, 0, {}, dx.data(), I);
    });
    lower(ms.to_weight, [&] {
      matmul(O, I, N, transposed(row_major(y.data(), O)), row_major(x.data(), I), {},
             dweight.data(), I);
    });
  }
};

}  // namespace poslab
