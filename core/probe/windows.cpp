#include "probe/windows.h"

#include <algorithm>

#include "error.h"

namespace poslab {

Windows::Windows(std::span<const int> all, int T, int count) : tokens(all) {
  require_whole("windows", count, 1, 100'000);
  const std::size_t length = static_cast<std::size_t>(T);
  require(all.size() > length, "The text has " + text_of(static_cast<double>(all.size())) +
                                   " tokens to evaluate on; a window of " + text_of(T) +
                                   " and the token after it do not fit.");
  const std::size_t fitting = (all.size() - 1) / length;
  const std::size_t n = std::min(fitting, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < n; ++i) starts.push_back(i * fitting / n * length);
}

}  // namespace poslab
