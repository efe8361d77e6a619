// The one list of everything a model learns. Weights, gradients, Adam moments, files and the page
// all walk it; nothing keeps a second one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace poslab {

enum class Init { zeros, ones, normal };

// Where a parameter lies in a flat buffer of floats.
struct ParameterRef {
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct Parameter {
  std::string name;        // as in GPT-2's checkpoints: "h.0.attn.c_attn.weight"
  std::vector<int> shape;  // row-major
  Init init;
  double init_std;  // of Init::normal
  bool decay;       // whether AdamW decays it
  ParameterRef ref;
};

class ParameterList {
 public:
  ParameterRef add(std::string name, std::vector<int> shape, Init init, double init_std,
                   bool decay);

  const std::vector<Parameter>& all() const { return parameters_; }
  const Parameter& named(const std::string& name) const;  // throws on an unknown name
  std::size_t total() const { return total_; }            // floats in a flat buffer

  // Fills weights (total floats). Each parameter draws from a stream of its own name, so that
  // models which share a parameter start it from the same numbers, whatever else they have.
  void initialise(std::uint64_t seed, float* weights) const;

 private:
  std::vector<Parameter> parameters_;
  std::size_t total_ = 0;
};

}  // namespace poslab
