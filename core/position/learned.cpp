// A trained row for every position, added to the token row (GPT-2). It ends at the last row.
#include "error.h"
#include "kernels/vector.h"
#include "position/registry.h"

namespace poslab {
namespace {

class Learned final : public Position {
 public:
  Learned(ParameterRef wpe, int block_size) : wpe_(wpe), block_size_(block_size) {}

  void prepare(int n_positions) override {
    if (n_positions <= block_size_) return;
    throw Error("Position " + text_of(n_positions - 1) +
                " was asked for; a learned table with block_size " + text_of(block_size_) +
                " ends at position " + text_of(block_size_ - 1) + ".");
  }

  bool adds_rows() const override { return true; }

  void embed_forward(const float* weights, int first, int T, int C, float* x) const override {
    const float* rows = weights + wpe_.offset + static_cast<std::size_t>(first) * C;
    add_to(x, rows, static_cast<std::size_t>(T) * C);
  }

  void embed_backward(const float* dx, int B, int T, int C, float* grads) const override {
    float* drows = grads + wpe_.offset;
    for (int b = 0; b < B; ++b) {
      add_to(drows, dx + static_cast<std::size_t>(b) * T * C, static_cast<std::size_t>(T) * C);
    }
  }

 private:
  ParameterRef wpe_;  // (block_size, C)
  int block_size_;
};

class LearnedScheme final : public PositionScheme {
 public:
  std::string name() const override { return "learned"; }
  std::string title() const override { return "Learned positions"; }
  std::string summary() const override {
    return "A second table with one trained row per position; it ends at the last row.";
  }
  std::unique_ptr<Position> make(const GptConfig& config,
                                 ParameterList& parameters) const override {
    const ParameterRef wpe =
        parameters.add("wpe.weight", {config.block_size, config.n_embd}, Init::normal, 0.02, true);
    return std::make_unique<Learned>(wpe, config.block_size);
  }
};

}  // namespace

const PositionScheme& learned_scheme() {
  static const LearnedScheme scheme;
  return scheme;
}

}  // namespace poslab
