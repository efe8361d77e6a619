#include "parameters.h"

#include <algorithm>
#include <utility>

#include "error.h"
#include "rng.h"

namespace poslab {

ParameterRef ParameterList::add(std::string name, std::vector<int> shape, Init init,
                                double init_std, bool decay) {
  ParameterRef ref{total_, 1};
  for (const int extent : shape) ref.size *= static_cast<std::size_t>(extent);
  total_ += ref.size;
  parameters_.push_back({std::move(name), std::move(shape), init, init_std, decay, ref});
  return ref;
}

const Parameter& ParameterList::named(const std::string& name) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return parameter;
  }
  std::string names;
  for (const Parameter& parameter : parameters_)
    names += (names.empty() ? "" : ", ") + parameter.name;
  throw Error("There is no parameter " + quoted(name) + "; this model has " + names + ".");
}

void ParameterList::initialise(std::uint64_t seed, float* weights) const {
  for (const Parameter& parameter : parameters_) {
    float* p = weights + parameter.ref.offset;
    if (parameter.init != Init::normal) {
      std::fill_n(p, parameter.ref.size, parameter.init == Init::ones ? 1.0f : 0.0f);
      continue;
    }
    Rng rng(seed, parameter.name);
    for (std::size_t i = 0; i < parameter.ref.size; ++i) {
      p[i] = static_cast<float>(rng.normal() * parameter.init_std);
    }
  }
}

}  // namespace poslab
