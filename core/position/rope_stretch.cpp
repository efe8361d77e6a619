#include "position/rope_stretch.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "kernels/math.h"

namespace poslab {
namespace {

struct Named {
  RopeStretch stretch;
  const char* name;
};
constexpr Named kNames[] = {{RopeStretch::none, "none"}, {RopeStretch::linear, "linear"},
                            {RopeStretch::ntk, "ntk"},   {RopeStretch::dynamic_ntk, "dynamic_ntk"},
                            {RopeStretch::yarn, "yarn"}, {RopeStretch::llama3, "llama3"}};

void check(int d, double base, const RopeStretching& s) {
  require_between("d", d, 4, 4096);
  require(d % 2 == 0, "d is " + text_of(d) + "; RoPE turns pairs, so it must be even.");
  require_between("base", base, 1.001, 1e12);
  require_between("factor", s.factor, 1, 1000);
  require_between("trained_length", s.trained_length, 1, 1e7);
  require_between("length", s.length, 1, 1e7);
}

// The pair, as a real number, that turns so often within the trained length.
double pair_with_turns(double turns, int d, double base, double trained_length) {
  return d * log(trained_length / (turns * 2.0 * kPi)) / (2.0 * log(base));
}

// 0 for pairs that stay, 1 for pairs that are divided by the factor.
double yarn_share(int pair, int d, double base, double trained_length) {
  constexpr double kFast = 32.0, kSlow = 1.0;  // turns, the paper's beta and alpha
  const double low = std::max(0.0, std::floor(pair_with_turns(kFast, d, base, trained_length)));
  double high = std::min(d - 1.0, std::ceil(pair_with_turns(kSlow, d, base, trained_length)));
  if (high <= low) high = low + 0.001;
  return std::clamp((pair - low) / (high - low), 0.0, 1.0);
}

double llama3_share(double frequency, double trained_length) {
  constexpr double kLow = 1.0, kHigh = 4.0;
  const double turns = trained_length * frequency / (2.0 * kPi);
  return 1.0 - std::clamp((turns - kLow) / (kHigh - kLow), 0.0, 1.0);
}

}  // namespace

std::string name_of(RopeStretch stretch) {
  for (const Named& named : kNames) {
    if (named.stretch == stretch) return named.name;
  }
  return {};
}

RopeStretch rope_stretch_named(const std::string& name) {
  std::string names;
  for (const Named& named : kNames) {
    if (name == named.name) return named.stretch;
    names += (names.empty() ? "" : ", ") + std::string(named.name);
  }
  throw Error("stretch is " + quoted(name) + "; it must be one of " + names + ".");
}

double ntk_base(int d, double base, double factor) {
  return base * power(factor, static_cast<double>(d) / (d - 2));
}

std::vector<double> rope_frequencies(int d, double base, const RopeStretching& s) {
  check(d, base, s);
  double used_base = base;
  if (s.stretch == RopeStretch::ntk) used_base = ntk_base(d, base, s.factor);
  if (s.stretch == RopeStretch::dynamic_ntk && s.length > s.trained_length) {
    used_base = ntk_base(d, base, s.factor * s.length / s.trained_length - (s.factor - 1.0));
  }
  std::vector<double> out;
  for (int i = 0; i < d / 2; ++i) {
    const double frequency = 1.0 / power(used_base, 2.0 * i / d);
    double share = 0.0;  // of the division by the factor
    if (s.stretch == RopeStretch::linear) share = 1.0;
    if (s.stretch == RopeStretch::yarn) share = yarn_share(i, d, base, s.trained_length);
    if (s.stretch == RopeStretch::llama3) share = llama3_share(frequency, s.trained_length);
    out.push_back(share * frequency / s.factor + (1.0 - share) * frequency);
  }
  return out;
}

double attention_factor(const RopeStretching& s) {
  require_between("factor", s.factor, 1, 1000);
  return s.stretch == RopeStretch::yarn ? 0.1 * log(s.factor) + 1.0 : 1.0;
}

}  // namespace poslab
