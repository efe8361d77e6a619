// AdamW (Loshchilov and Hutter 2019) in one pass over the weights.
#pragma once

#include "config.h"
#include "kernels/floats.h"
#include "parameters.h"

namespace poslab {

// Square root of the sum of squares of all gradients; not finite when any of them is not.
double gradient_norm(const ParameterList& parameters, const float* gradients);

class AdamW {
 public:
  AdamW(const ParameterList& parameters, const TrainConfig& config);

  // updated = weights after one update by gradients * gradient_scale; weights are left as they are.
  // Parameters whose list entry says decay shrink by learning_rate * weight_decay.
  void step(const float* weights, const float* gradients, float gradient_scale,
            double learning_rate, float* updated);

 private:
  const ParameterList& parameters_;
  double beta1_, beta2_, weight_decay_;
  double beta1_power_ = 1.0, beta2_power_ = 1.0;
  Floats m_, v_;  // first and second moment, laid out as the weights
};

}  // namespace poslab
