// What travels between the workers that share a training step.
#pragma once

#include "convert.h"

namespace poslab {

struct BatchOut {
  Int32Array inputs{val::undefined()}, targets{val::undefined()};
};

struct ShardsOut {
  Float32Array gradient{val::undefined()};
  Float64Array losses{val::undefined()};
};

}  // namespace poslab
