// What a model must beat: losses that counting alone achieves.
#pragma once

#include "corpus.h"

namespace poslab {

// Mean loss on the validation split in nats per token.
struct Baselines {
  double uniform;  // ln V: every token equally likely
  double unigram;  // token frequencies of the training split, one added to every count
  double bigram;   // frequencies given the token before, one added to every count
};

Baselines baselines(const Corpus& corpus);

}  // namespace poslab
