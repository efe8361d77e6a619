#include "probe/row_movement.h"

#include <algorithm>
#include <cmath>

#include "adamw.h"
#include "corpus.h"
#include "error.h"
#include "gpt.h"
#include "trainer.h"

namespace poslab {

std::vector<double> row_distances(const float* before, const float* after, std::size_t rows,
                                  std::size_t columns) {
  std::vector<double> out;
  for (std::size_t r = 0; r < rows; ++r) {
    double square = 0.0;
    for (std::size_t c = r * columns; c < (r + 1) * columns; ++c) {
      const double difference = static_cast<double>(after[c]) - before[c];
      square += difference * difference;
    }
    out.push_back(std::sqrt(square));
  }
  return out;
}

ShortTextTraining train_on_short_texts(std::u32string_view text, GptConfig config, int length,
                                       int steps) {
  require_whole("length", length, 1, config.block_size);
  require_whole("steps", steps, 1, 1000);
  config.positions = "learned";
  const Corpus corpus(text, length);
  config.vocab_size = corpus.tokenizer().vocab_size();
  Gpt model(config);
  const Tensor<2> before = model.position_rows(config.block_size);

  TrainConfig training;
  training.steps = steps;
  training.warmup_steps = std::min(10, steps - 1);
  training.weight_decay = 0.0;
  AdamW optimizer(model.parameters(), training);
  Rng batches(config.seed, "batches");
  const int B = training.batch_size;
  std::vector<int> inputs(static_cast<std::size_t>(B) * length), targets(inputs.size());
  Floats gradient(model.weights().size()), updated = model.weights();
  for (int step = 0; step < steps; ++step) {
    draw_batch(batches, corpus.tokens(Split::train), B, length, inputs.data(), targets.data());
    model.forward(inputs.data(), B, length);
    model.backward(inputs.data(), targets.data(), B * length, gradient.data());
    const double norm = gradient_norm(model.parameters(), gradient.data());
    const double clip = norm > training.grad_clip ? training.grad_clip / norm : 1.0;
    optimizer.step(model.weights().data(), gradient.data(), static_cast<float>(clip),
                   learning_rate_at(training, step), updated.data());
    std::swap(model.change_weights(), updated);
  }
  ShortTextTraining out{model.position_rows(config.block_size), {}};
  out.distance =
      row_distances(before.data(), out.table.data(), before.shape()[0], before.shape()[1]);
  return out;
}

}  // namespace poslab
