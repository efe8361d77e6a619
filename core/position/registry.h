// Every position scheme there is, one line each in registry.cpp. Tests, the race and the page loop
// over this list.
#pragma once

#include <string>
#include <vector>

#include "position/position.h"

namespace poslab {

const std::vector<const PositionScheme*>& position_schemes();
const PositionScheme& position_scheme(
    const std::string& name);  // throws on an unknown name, listing the known

// Defined beside each scheme.
const PositionScheme& none_scheme();
const PositionScheme& learned_scheme();
const PositionScheme& sinusoidal_scheme();
const PositionScheme& rope_scheme();
const PositionScheme& alibi_scheme();

}  // namespace poslab
