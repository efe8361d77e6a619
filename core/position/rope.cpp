#include "position/rope.h"

#include <cmath>

#include "error.h"
#include "kernels/math.h"
#include "position/registry.h"
#include "simd/f32x4.h"

namespace poslab {
namespace {

// Pair i of d numbers: which two they are.
struct Pair {
  int first, second;
};
Pair pair_of(int i, int d, RopePairing pairing) {
  return pairing == RopePairing::half ? Pair{i, i + d / 2} : Pair{2 * i, 2 * i + 1};
}

double angle_of(int pair, int d, double position, double base) {
  return position / power(base, 2.0 * pair / d);
}

// direction +1 turns forward, -1 back. c and s: cosines and sines of the d/2 angles.
void turn(float* x, const float* c, const float* s, int d, RopePairing pairing, float direction) {
  const int n = d / 2;
  int i = 0;
  if (pairing == RopePairing::half) {
    const f32x4 sign = splat(direction);
    for (; i + 4 <= n; i += 4) {
      const f32x4 a = load(x + i), b = load(x + i + n);
      const f32x4 cos = load(c + i), sin = load(s + i) * sign;
      store(x + i, a * cos - b * sin);
      store(x + i + n, a * sin + b * cos);
    }
  }
  for (; i < n; ++i) {
    const Pair p = pair_of(i, d, pairing);
    const float a = x[p.first], b = x[p.second], sin = s[i] * direction;
    x[p.first] = a * c[i] - b * sin;
    x[p.second] = a * sin + b * c[i];
  }
}

class Rope final : public Position {
 public:
  Rope(int dims, double base, RopePairing pairing) : dims_(dims), base_(base), pairing_(pairing) {}

  void prepare(int n_positions) override {
    const int n = dims_ / 2;
    for (; n_rows_ < n_positions; ++n_rows_) {
      for (int i = 0; i < n; ++i) {
        const SinCos wave = sincos(angle_of(i, dims_, n_rows_, base_));
        cos_.push_back(static_cast<float>(wave.cos));
        sin_.push_back(static_cast<float>(wave.sin));
      }
    }
  }

  bool rotates() const override { return true; }
  void rotate_forward(float* x, int position, int H, int D) const override {
    turn_heads(x, position, H, D, 1.0f);
  }
  void rotate_backward(float* dx, int position, int H, int D) const override {
    turn_heads(dx, position, H, D, -1.0f);
  }

 private:
  void turn_heads(float* x, int position, int H, int D, float direction) const {
    const std::size_t row = static_cast<std::size_t>(position) * (dims_ / 2);
    for (int h = 0; h < H; ++h)
      turn(x + h * D, cos_.data() + row, sin_.data() + row, dims_, pairing_, direction);
  }

  int dims_;  // of each head, turned; the rest stays
  double base_;
  RopePairing pairing_;
  int n_rows_ = 0;
  std::vector<float> cos_, sin_;  // (n_rows_, dims_/2)
};

class RopeScheme final : public PositionScheme {
 public:
  std::string name() const override { return "rope"; }
  std::string title() const override { return "RoPE"; }
  std::string summary() const override {
    return "Queries and keys are turned by an angle that grows with their position; scores see "
           "distances.";
  }
  void check(const GptConfig& config) const override {
    rotary_dims(config.head_size(), config.rotary_fraction);
  }
  std::unique_ptr<Position> make(const GptConfig& config, ParameterList&) const override {
    auto position = std::make_unique<Rope>(rotary_dims(config.head_size(), config.rotary_fraction),
                                           config.rope_base, config.rope_pairing);
    position->prepare(config.block_size);
    return position;
  }
};

}  // namespace

int rotary_dims(int D, double rotary_fraction) {
  const double dims = D * rotary_fraction;
  const double whole = std::floor(dims + 0.5);
  if (std::fabs(dims - whole) > 1e-6 || static_cast<int>(whole) % 2 != 0) {
    throw Error("rotary_fraction is " + text_of(rotary_fraction) + "; of a head width of " +
                text_of(D) + " that is " + text_of(dims) +
                " numbers, and RoPE turns pairs, so it must be an even whole number.");
  }
  return static_cast<int>(whole);
}

std::vector<float> rope(const std::vector<float>& x, double position, RopePairing pairing,
                        double base) {
  const int d = static_cast<int>(x.size());
  require(d > 0 && d % 2 == 0,
          "x has " + text_of(d) +
              " numbers; RoPE turns pairs, so it must have an even number of them, at least 2.");
  require_between("position", position, -1e6, 1e6);
  require_between("base", base, 1, 1e12);
  std::vector<float> cos, sin, out(x);
  for (int i = 0; i < d / 2; ++i) {
    const SinCos wave = sincos(angle_of(i, d, position, base));
    cos.push_back(static_cast<float>(wave.cos));
    sin.push_back(static_cast<float>(wave.sin));
  }
  turn(out.data(), cos.data(), sin.data(), d, pairing, 1.0f);
  return out;
}

const PositionScheme& rope_scheme() {
  static const RopeScheme scheme;
  return scheme;
}

}  // namespace poslab
