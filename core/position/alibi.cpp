#include "position/alibi.h"

#include <bit>
#include <cstddef>

#include "error.h"
#include "kernels/math.h"
#include "position/registry.h"

namespace poslab {

std::vector<float> alibi_slopes(int n_head) {
  require_between("n_head", n_head, 1, 1024);
  const auto lower = static_cast<int>(std::bit_floor(static_cast<unsigned>(n_head)));
  std::vector<float> slopes;
  const auto add = [&slopes](int index, int of) {
    slopes.push_back(static_cast<float>(power(2.0, -8.0 * (index + 1) / of)));
  };
  for (int i = 0; i < lower; ++i) add(i, lower);
  for (int i = 0; static_cast<int>(slopes.size()) < n_head; i += 2) add(i, 2 * lower);
  return slopes;
}

namespace {

class Alibi final : public Position {
 public:
  explicit Alibi(int n_head) : slopes_(alibi_slopes(n_head)) {}

  void prepare(int n_positions) override {
    if (n_positions <= n_positions_) return;
    n_positions_ = n_positions;
    width_ = 2 * n_positions - 1 + 3;  // 3 more, so that whole vectors can be read
    table_.assign(slopes_.size() * static_cast<std::size_t>(width_), 0.0f);
    for (std::size_t h = 0; h < slopes_.size(); ++h) {
      for (int at = 0; at < 2 * n_positions - 1; ++at) {
        const int offset = at - (n_positions - 1);
        table_[h * width_ + at] = -slopes_[h] * static_cast<float>(offset < 0 ? -offset : offset);
      }
    }
  }

  const float* bias_row(int head, int query_position) const override {
    return table_.data() + static_cast<std::size_t>(head) * width_ +
           (n_positions_ - 1 - query_position);
  }

 private:
  std::vector<float> slopes_;
  int n_positions_ = 0;
  int width_ = 0;
  std::vector<float>
      table_;  // (H, width_): element n_positions-1 + j-i is the bias of key j for query i
};

class AlibiScheme final : public PositionScheme {
 public:
  std::string name() const override { return "alibi"; }
  std::string title() const override { return "ALiBi"; }
  std::string summary() const override {
    return "Each head subtracts its own slope times the distance from every score.";
  }
  std::unique_ptr<Position> make(const GptConfig& config, ParameterList&) const override {
    auto position = std::make_unique<Alibi>(config.n_head);
    position->prepare(config.block_size);
    return position;
  }
};

}  // namespace

const PositionScheme& alibi_scheme() {
  static const AlibiScheme scheme;
  return scheme;
}

}  // namespace poslab
