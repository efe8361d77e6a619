#include "kernels/math.h"

namespace poslab::detail {
namespace {

constexpr float kLog2E = 1.4426950409f;
constexpr float kTwiceSqrtTwoOverPi = 1.5957691216f;
constexpr float kCubic = 0.044715f;

}  // namespace

const float kExp[13] = {12582912.0f,
                        1.44269504f,
                        0.693359375f,
                        -2.12194440e-4f,
                        1.9875691500e-4f,
                        1.3981999507e-3f,
                        8.3334519073e-3f,
                        4.1665795894e-2f,
                        1.6666665459e-1f,
                        5.0000001201e-1f,
                        1.0f,
                        -87.3365f,
                        88.72283f};

const float kExp2[8] = {12582912.0f,      1.5469731966e-4f, 1.3400432166e-3f, 9.6180256030e-3f,
                        5.5503272142e-2f, 2.4022651214e-1f, 6.9314720671e-1f, 1.0f};

const GeluConstants kGelu = {.linear = -kLog2E * kTwiceSqrtTwoOverPi,
                             .cubic = -kLog2E * kTwiceSqrtTwoOverPi * kCubic,
                             .upper = 128.0f,
                             .lower = -126.0f,
                             .one = 1.0f,
                             .slope = kTwiceSqrtTwoOverPi,
                             .slope_by_square = 3.0f * kCubic};

}  // namespace poslab::detail
