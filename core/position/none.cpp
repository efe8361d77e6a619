// No position information at all: what a causal mask leaks is all the model has (Haviv et al. 2022,
// Kazemnejad et al. 2023).
#include "position/registry.h"

namespace poslab {
namespace {

class NoneScheme final : public PositionScheme {
 public:
  std::string name() const override { return "none"; }
  std::string title() const override { return "No positions"; }
  std::string summary() const override {
    return "Tokens arrive as a set; only the causal mask hints at order.";
  }
  std::unique_ptr<Position> make(const GptConfig&, ParameterList&) const override {
    return std::make_unique<Position>();
  }
};

}  // namespace

const PositionScheme& none_scheme() {
  static const NoneScheme scheme;
  return scheme;
}

}  // namespace poslab
