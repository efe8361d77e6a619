#include "adamw.h"

#include <cmath>

#include "kernels/vector.h"

namespace poslab {

double gradient_norm(const ParameterList& parameters, const float* gradients) {
  double total = 0.0;
  for (const Parameter& parameter : parameters.all()) {
    const float* g = gradients + parameter.ref.offset;
    total += static_cast<double>(sum_of(parameter.ref.size, [g](std::size_t i, int lanes) {
      const f32x4 x = load_up_to(g + i, lanes);
      return x * x;
    }));
  }
  return std::sqrt(total);
}

AdamW::AdamW(const ParameterList& parameters, const TrainConfig& config)
    : parameters_(parameters),
      beta1_(config.beta1),
      beta2_(config.beta2),
      weight_decay_(config.weight_decay),
      m_(parameters.total()),
      v_(parameters.total()) {}

void AdamW::step(const float* weights, const float* gradients, float gradient_scale,
                 double learning_rate, float* updated) {
  beta1_power_ *= beta1_;
  beta2_power_ *= beta2_;
  const f32x4 scale = splat(gradient_scale);
  const f32x4 beta1 = splat(static_cast<float>(beta1_)),
              rest1 = splat(static_cast<float>(1.0 - beta1_));
  const f32x4 beta2 = splat(static_cast<float>(beta2_)),
              rest2 = splat(static_cast<float>(1.0 - beta2_));
  // w - rate * (m / c1) / (sqrt(v / c2) + eps) with both corrections for the zero start folded into
  // constants.
  const f32x4 rate = splat(static_cast<float>(learning_rate / (1.0 - beta1_power_)));
  const f32x4 root_correction = splat(static_cast<float>(1.0 / std::sqrt(1.0 - beta2_power_)));
  const f32x4 epsilon = splat(1e-8f);
  for (const Parameter& parameter : parameters_.all()) {
    const f32x4 keep =
        splat(static_cast<float>(1.0 - (parameter.decay ? learning_rate * weight_decay_ : 0.0)));
    const std::size_t offset = parameter.ref.offset;
    const float *w = weights + offset, *g = gradients + offset;
    float *m = m_.data() + offset, *v = v_.data() + offset, *out = updated + offset;
    for_each_vector(parameter.ref.size, [&](std::size_t i, int lanes) {
      const f32x4 gradient = load_up_to(g + i, lanes) * scale;
      const f32x4 first = beta1 * load_up_to(m + i, lanes) + rest1 * gradient;
      const f32x4 second = beta2 * load_up_to(v + i, lanes) + rest2 * (gradient * gradient);
      store_up_to(m + i, lanes, first);
      store_up_to(v + i, lanes, second);
      const f32x4 change = rate * first / (sqrt(second) * root_correction + epsilon);
      store_up_to(out + i, lanes, keep * load_up_to(w + i, lanes) - change);
    });
  }
}

}  // namespace poslab
