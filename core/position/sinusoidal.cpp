#include "position/sinusoidal.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "kernels/math.h"
#include "kernels/vector.h"
#include "position/registry.h"

namespace poslab {

SinusoidLayout sinusoid_layout_named(const std::string& name) {
  if (name == "interleaved") return SinusoidLayout::interleaved;
  if (name == "concatenated") return SinusoidLayout::concatenated;
  throw Error("layout is " + quoted(name) + "; it must be \"interleaved\" or \"concatenated\".");
}

Tensor<2> sinusoidal(int n, int d, double base, SinusoidLayout layout, int first) {
  require_between("n", n, 1, 65536);
  require_between("d", d, 1, 4096);
  require_between("base", base, 1, 1e12);
  require_between("first", first, -1e6, 1e6 - n);
  Tensor<2> table = zeros<2>({static_cast<std::size_t>(n), static_cast<std::size_t>(d)});
  const int n_sines = (d + 1) / 2;
  for (int i = 0; i < n_sines; ++i) {
    const double frequency = 1.0 / power(base, 2.0 * i / d);
    const int sin_column = layout == SinusoidLayout::interleaved ? 2 * i : i;
    const int cos_column = layout == SinusoidLayout::interleaved ? 2 * i + 1 : n_sines + i;
    for (int p = 0; p < n; ++p) {
      const SinCos wave = sincos((first + p) * frequency);
      table(p, sin_column) = static_cast<float>(wave.sin);
      if (2 * i + 1 < d) table(p, cos_column) = static_cast<float>(wave.cos);
    }
  }
  return table;
}

std::vector<double> wavelengths(int d, double base) {
  require_between("d", d, 1, 4096);
  require_between("base", base, 1, 1e12);
  std::vector<double> out;
  for (int i = 0; i < (d + 1) / 2; ++i) out.push_back(2.0 * kPi * power(base, 2.0 * i / d));
  return out;
}

std::vector<double> turns(double positions, int d, double base) {
  require_between("positions", positions, -1e6, 1e6);
  std::vector<double> out = wavelengths(d, base);
  for (double& wavelength : out) wavelength = positions / wavelength;
  return out;
}

namespace {

class Sinusoidal final : public Position {
 public:
  Sinusoidal(int C, double base, double scale)
      : C_(C), base_(base), scale_(static_cast<float>(scale)) {}

  void prepare(int n_positions) override {
    if (n_positions <= n_rows_) return;
    const Tensor<2> table = sinusoidal(n_positions, C_, base_);
    rows_.assign(table.begin(), table.end());
    for (float& x : rows_) x *= scale_;
    n_rows_ = n_positions;
  }

  bool adds_rows() const override { return true; }

  void embed_forward(const float*, int first, int T, int C, float* x) const override {
    const float* rows = rows_.data() + static_cast<std::size_t>(first) * C;
    add_to(x, rows, static_cast<std::size_t>(T) * C);
  }

 private:
  int C_;
  double base_;
  float scale_;
  int n_rows_ = 0;
  std::vector<float> rows_;  // (n_rows_, C)
};

class SinusoidalScheme final : public PositionScheme {
 public:
  std::string name() const override { return "sinusoidal"; }
  std::string title() const override { return "Sinusoidal positions"; }
  std::string summary() const override {
    return "Fixed sine and cosine waves of falling frequency are added to the token rows.";
  }
  double default_embedding_scale(const GptConfig& config) const override {
    return std::sqrt(static_cast<double>(config.n_embd));
  }
  std::unique_ptr<Position> make(const GptConfig& config, ParameterList&) const override {
    auto position = std::make_unique<Sinusoidal>(config.n_embd, config.sinusoidal_base,
                                                 config.sinusoidal_scale);
    position->prepare(config.block_size);
    return position;
  }
};

}  // namespace

const PositionScheme& sinusoidal_scheme() {
  static const SinusoidalScheme scheme;
  return scheme;
}

}  // namespace poslab
