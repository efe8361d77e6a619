// How the core refuses: one exception type whose message is a sentence for the person who made the
// request. It names the argument, the offending value and what is allowed.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace poslab {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A number as a person would write it: 3, 0.001, 1e-05.
inline std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.10g", value);
  return buffer;
}

inline std::string quoted(std::string_view value) {
  std::string out(1, '"');
  out.append(value);
  out.push_back('"');
  return out;
}

// The sentence is written in any case: where nothing may be allocated, write if and throw instead.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw Error(sentence);
}

// Refuses a number outside [least, most] (NaN is outside).
inline void require_between(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  throw Error(std::string(name) + " is " + text_of(value) + "; it must be from " + text_of(least) +
              " to " + text_of(most) + ".");
}

// Refuses anything but a whole number in [least, most].
inline void require_whole(const char* name, double value, double least, double most) {
  if (value >= least && value <= most &&
      value == static_cast<double>(static_cast<long long>(value)))
    return;
  throw Error(std::string(name) + " is " + text_of(value) + "; it must be a whole number from " +
              text_of(least) + " to " + text_of(most) + ".");
}

}  // namespace poslab
