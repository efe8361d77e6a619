#include "position/registry.h"

#include "error.h"

namespace poslab {

const std::vector<const PositionScheme*>& position_schemes() {
  static const std::vector<const PositionScheme*> schemes = {
      &none_scheme(),        //
      &learned_scheme(),     //
      &sinusoidal_scheme(),  //
      &rope_scheme(),        //
      &alibi_scheme(),       //
  };
  return schemes;
}

const PositionScheme& position_scheme(const std::string& name) {
  std::string names;
  for (const PositionScheme* scheme : position_schemes()) {
    if (scheme->name() == name) return *scheme;
    names += (names.empty() ? "" : ", ") + quoted(scheme->name());
  }
  throw Error("positions is " + quoted(name) + "; it must be one of " + names + ".");
}

}  // namespace poslab
