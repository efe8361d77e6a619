#include "probe/baselines.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/math.h"

namespace poslab {

Baselines baselines(const Corpus& corpus) {
  const auto V = static_cast<std::uint64_t>(corpus.tokenizer().vocab_size());
  const auto pair = [V](int a, int b) {
    return static_cast<std::uint64_t>(a) * V + static_cast<std::uint64_t>(b);
  };
  const std::span<const int> train = corpus.tokens(Split::train), val = corpus.tokens(Split::val);

  std::vector<double> count(V, 0.0);
  for (const int id : train) count[id] += 1.0;
  // Sorted pairs rather than a V x V table: a text in Chinese has thousands of characters.
  std::vector<std::uint64_t> pairs;
  pairs.reserve(train.size());
  for (std::size_t i = 1; i < train.size(); ++i) pairs.push_back(pair(train[i - 1], train[i]));
  std::sort(pairs.begin(), pairs.end());

  // How often each token has a successor: the last one has none.
  std::vector<double> followed(count);
  followed[train.back()] -= 1.0;

  const double v = static_cast<double>(V), n = static_cast<double>(train.size());
  double unigram = 0.0, bigram = 0.0;
  for (std::size_t i = 1; i < val.size(); ++i) {
    const auto [from, to] = std::equal_range(pairs.begin(), pairs.end(), pair(val[i - 1], val[i]));
    unigram -= log((count[val[i]] + 1.0) / (n + v));
    bigram -= log((static_cast<double>(to - from) + 1.0) / (followed[val[i - 1]] + v));
  }
  const double predictions = static_cast<double>(val.size() - 1);
  return {log(v), unigram / predictions, bigram / predictions};
}

}  // namespace poslab
