// How fast the core is on this machine, as one JSON object on standard output. The same program
// runs natively, in Node and in a browser; tests/bench/bench.mjs runs it in all three and makes the
// table.
#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "adamw.h"
#include "corpus.h"
#include "generate.h"
#include "gpt.h"
#include "kernels/matmul.h"
#include "layers/layers.h"
#include "linear_layer.h"
#include "peak.h"
#include "position/registry.h"
#include "timing.h"
#include "trainer.h"

using namespace poslab;

namespace {

// Size of the wasm heap in MiB; 0 natively.
double heap_mib() {
#ifdef __EMSCRIPTEN__
  return static_cast<double>(emscripten_get_heap_size()) / (1024.0 * 1024.0);
#else
  return 0.0;
#endif
}

struct Size {
  const char* name;
  int n_layer, n_head, n_embd, block_size, batch_size;
};
constexpr Size kSizes[] = {
    {"tiny", 2, 4, 64, 32, 16}, {"lab", 3, 4, 64, 64, 16}, {"nano", 4, 4, 128, 64, 12}};

// Random text over 65 characters: training speed does not depend on what is learned.
std::u32string random_text(int n) {
  Rng rng(7, "bench text");
  std::u32string text;
  for (int i = 0; i < n; ++i) text.push_back(U'0' + rng.below(65));
  return text;
}

GptConfig config_of(const Size& size, const std::string& positions) {
  GptConfig config;
  config.n_layer = size.n_layer, config.n_head = size.n_head, config.n_embd = size.n_embd;
  config.block_size = size.block_size, config.positions = positions, config.vocab_size = 65;
  return config;
}

// Multiplications and additions of one step's matrix products, forward and backward: 2 a weight and
// token forward, 4 backward; attention as the triangle it is.
double flops_of(const Size& s) {
  const double C = s.n_embd, T = s.block_size, tokens = 1.0 * s.batch_size * T;
  const double weights = s.n_layer * 12.0 * C * C + 65.0 * C;
  const double attention = s.n_layer * 2.0 * C * (T + 1.0) / 2.0;
  return 6.0 * tokens * (weights + attention);
}

// Steps are timed in turns, seconds apart, and so are products: what else runs on a machine may
// slow down all of one turn.
constexpr int kTurns = 5, kProductTurns = 30;

struct Run {
  Size size;
  std::string positions;
};

struct StepTime {
  double ms, tokens_per_s, fraction_of_peak, peak, heap_mib;
};

// A new model, trained long enough for the trial of the tile's orders. What is timed after the last
// one uses its winner, too.
class Training {
 public:
  Training(const Run& run, const Corpus& corpus)
      : model_(config_of(run.size, run.positions)), trainer_(model_, corpus, train_config(run)) {
    for (int i = 0; i < 26; ++i) trainer_.step();
  }
  // Appends the milliseconds of each of the next `steps` steps.
  void time(int steps, std::vector<double>& times) {
    for (int i = 0; i < steps; ++i) {
      const double began = now_ms();
      trainer_.step();
      times.push_back(now_ms() - began);
    }
  }

 private:
  static TrainConfig train_config(const Run& run) {
    TrainConfig config;
    config.batch_size = run.size.batch_size;
    return config;
  }

  Gpt model_;
  Trainer trainer_;
};

// The median step of the fastest turn, of `turns` turns of `steps` steps: the peak that it is
// compared with is the best of many rounds, too.
std::vector<StepTime> time_steps(const std::vector<Run>& runs, const Corpus& corpus, int turns,
                                 int steps) {
  std::vector<double> fastest(runs.size(), std::numeric_limits<double>::infinity()), heaps;
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      wait_until_quiet();
      std::vector<double> times;
      Training(runs[r], corpus).time(steps, times);
      fastest[r] = std::min(fastest[r], median(times));
      if (turn == 0) heaps.push_back(heap_mib());
    }
  }
  const double peak = peak_gflops();
  std::vector<StepTime> results;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Size& size = runs[r].size;
    const double ms = fastest[r];
    results.push_back({ms, 1000.0 * size.batch_size * size.block_size / ms,
                       flops_of(size) / ms * 1e-6 / peak, peak, heaps[r]});
  }
  return results;
}

constexpr const char* kParts[] = {"matmul", "attention", "norm", "gelu", "loss", "optimizer"};
using Parts = std::array<double, std::size(kParts)>;

// Milliseconds that one step spends in each kind of layer: every layer function alone at the shapes
// of a shard, times how often a step calls it.
Parts time_parts(const Size& size) {
  const int B = size.batch_size / kShards, T = size.block_size, N = B * T, C = size.n_embd, V = 65;
  const int H = size.n_head, D = C / H;
  const auto random = [](std::size_t n) {
    Rng rng(1, "bench data");
    Floats values(n);
    for (float& x : values) x = static_cast<float>(rng.normal());
    return values;
  };
  Floats x = random(static_cast<std::size_t>(N) * 4 * C), y = random(x.size()),
         dx = random(x.size());
  Floats w = random(static_cast<std::size_t>(4) * C * std::max(C, V)), dw(w.size()),
         bias = random(4 * C), dbias(bias.size());
  // A linear layer in one step: its products once a shard, its weight packed once for all of them.
  Floats panels(w.size() + 16 * 4 * C);
  const auto linear = [&](int I, int O) {
    const MatrixView weight = row_major(w.data(), I);
    return kShards * time_of([&] {
             linear_forward(y.data(), x.data(), panels.data(), bias.data(), N, I, O);
             linear_backward(dx.data(), dw.data(), dbias.data(), y.data(), x.data(), panels.data(),
                             N, I, O);
           }) +
           time_of([&] {
             pack_columns(I, O, transposed(weight), panels.data());
             pack_columns(O, I, weight, panels.data());
           });
  };
  const int L = size.n_layer;
  const double matmul =
      L * (linear(C, 3 * C) + linear(C, C) + linear(C, 4 * C) + linear(4 * C, C)) + linear(C, V);

  const AttentionShape shape{B, T, T, H, D, 3 * C, 3 * C, true};
  Floats probs(shape.probs_size()), scratch(shape.scratch_size());
  const Position none;
  const double attention =
      kShards * L *
      (time_of([&] {
         attention_forward(y.data(), probs.data(), x.data(), x.data() + C, x.data() + 2 * C, none,
                           shape, scratch.data());
       }) +
       time_of([&] {
         attention_backward(dx.data(), dx.data() + C, dx.data() + 2 * C, y.data(), probs.data(),
                            x.data(), x.data() + C, x.data() + 2 * C, shape, scratch.data());
       }));

  Floats mean(N), rstd(N), gain = random(C), dgain(C);
  const std::size_t narrow = static_cast<std::size_t>(N) * C;
  float *branch = x.data() + narrow, *stream = branch + narrow;
  const double norm = kShards * (2 * L + 1) *
                      (time_of([&] {
                         add_layernorm_forward(y.data(), mean.data(), rstd.data(), stream, x.data(),
                                               branch, gain.data(), bias.data(), N, C);
                       }) +
                       time_of([&] {
                         layernorm_backward(dx.data(), dgain.data(), dbias.data(), y.data(), stream,
                                            mean.data(), rstd.data(), gain.data(), N, C);
                       }));

  const std::size_t wide = narrow * 4;
  const double gelu = kShards * L *
                      (time_of([&] { gelu_forward(y.data(), dx.data(), x.data(), wide); }) +
                       time_of([&] { gelu_backward(dx.data(), y.data(), x.data(), wide); }));

  std::vector<int> targets(N, 3);
  Floats logits = random(static_cast<std::size_t>(N) * V);
  const double loss =
      kShards * time_of([&] {
        sink = static_cast<float>(cross_entropy_backward(logits.data(), targets.data(), N, V, N));
      });

  Gpt model(config_of(size, "none"));
  Floats gradients = random(model.parameters().total()), updated(gradients.size());
  AdamW adamw(model.parameters(), TrainConfig{});
  const double optimizer = time_of([&] {
    const double norm_now = gradient_norm(model.parameters(), gradients.data());
    adamw.step(model.weights().data(), gradients.data(), static_cast<float>(1.0 / norm_now), 1e-3,
               updated.data());
  });

  return {matmul, attention, norm, gelu, loss, optimizer};
}

// The shares of a step's time, by the fastest turn of each part, as a step's is.
void print_parts(const Size& size, double step_ms, int turns) {
  Parts fastest;
  fastest.fill(std::numeric_limits<double>::infinity());
  for (int turn = 0; turn < turns; ++turn) {
    wait_until_quiet();
    std::ranges::transform(fastest, time_parts(size), fastest.begin(), std::ranges::min);
  }
  std::printf("\"parts\": {");
  double other = 1.0;
  for (std::size_t i = 0; i < fastest.size(); ++i) {
    const double share = fastest[i] / step_ms;
    std::printf("\"%s\": %.3f, ", kParts[i], share);
    other -= share;
  }
  std::printf("\"other\": %.3f}", std::max(0.0, other));
}

void print_matmul() {
  std::vector<LinearLayer> layers;
  for (const int C : {64, 128}) {
    const int N = C == 64 ? 256 : 192;
    for (const auto& [I, O] : {std::pair{C, 3 * C}, {C, C}, {C, 4 * C}, {4 * C, C}}) {
      layers.emplace_back(N, I, O);
    }
  }
  for (int turn = 0; turn < kProductTurns; ++turn) {
    for (LinearLayer& layer : layers) layer.measure();
    peak_gflops();  // measures, too, and keeps the best
  }
  const double peak = peak_gflops();
  std::printf("\"matmul\": [");
  for (const LinearLayer& layer : layers) {
    const double flops = 2.0 * layer.N * layer.I * layer.O;
    const auto fraction = [&](double ms) { return flops / ms * 1e-6 / peak; };
    std::printf(
        "%s{\"rows\": %d, \"in\": %d, \"out\": %d, \"peak_gflops\": %.1f, \"forward\": %.3f, "
        "\"to_input\": %.3f, "
        "\"to_weight\": %.3f}",
        &layer == layers.data() ? "" : ", ", layer.N, layer.I, layer.O, peak,
        fraction(layer.ms.forward + layer.ms.pack_forward / kShards),
        fraction(layer.ms.to_input + layer.ms.pack_to_input / kShards),
        fraction(layer.ms.to_weight));
  }
  std::printf("]");
}

void print_generation() {
  const Size& nano = kSizes[2];
  Gpt model(config_of(nano, "learned"));
  const std::vector<int> prompt(nano.block_size / 2, 1);
  const auto tokens_per_s = [&](bool use_cache) {
    GenerateOptions options;
    options.use_cache = use_cache;
    const int n = nano.block_size / 2;
    return 1000.0 * n /
           time_of([&] { sink = static_cast<float>(generate(model, prompt, n, options).back()); },
                   5, 20.0);
  };
  const double cached = tokens_per_s(true), uncached = tokens_per_s(false);
  // One token at block length, the cache full but for it, against the whole window anew.
  const std::vector<int> window(nano.block_size, 1);
  KvCache cache(model.config(), nano.block_size);
  model.forward(window.data(), 1, nano.block_size - 1, &cache);
  const double one = time_of([&] {
    cache.length = nano.block_size - 1;
    sink = model.forward(window.data(), 1, 1, &cache)[0];
  });
  const double all = time_of([&] { sink = model.forward(window.data(), 1, nano.block_size)[0]; });
  std::printf(
      "\"generation\": {\"cached_tokens_per_s\": %.0f, \"uncached_tokens_per_s\": %.0f, "
      "\"speedup_at_block_length\": %.1f}",
      cached, uncached, all / one);
}

// Few steps of each scheme in many turns: they differ by less than a machine's speed does from one
// second to the next.
void print_schemes(const Corpus& corpus) {
  const auto& schemes = position_schemes();
  std::vector<std::unique_ptr<Training>> trainings;
  for (const PositionScheme* scheme : schemes) {
    trainings.push_back(std::make_unique<Training>(Run{kSizes[1], scheme->name()}, corpus));
  }
  std::vector<std::vector<double>> times(schemes.size());
  for (int turn = 0; turn < 20; ++turn) {
    wait_until_quiet();
    for (std::size_t i = 0; i < schemes.size(); ++i) trainings[i]->time(6, times[i]);
  }
  std::printf("\"schemes\": {");
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    std::printf("%s\"%s\": %.3f", i == 0 ? "" : ", ", schemes[i]->name().c_str(), median(times[i]));
  }
  std::printf("}");
}

void print_scaling(const Corpus& corpus) {
  const Size lab = kSizes[1];
  const auto doubled = [&](const char* what, int Size::*extent) {
    Size size = lab;
    size.name = what;
    size.*extent *= 2;
    return Run{size, "learned"};
  };
  const std::vector<Run> runs = {{lab, "learned"},
                                 doubled("n_embd x2", &Size::n_embd),
                                 doubled("block_size x2", &Size::block_size),
                                 doubled("batch_size x2", &Size::batch_size),
                                 doubled("n_layer x2", &Size::n_layer)};
  const std::vector<StepTime> times = time_steps(runs, corpus, 3, 7);
  std::printf("\"scaling\": [");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::printf(
        "%s{\"what\": \"%s\", \"ms_per_step\": %.3f, \"times\": %.2f, \"times_by_formula\": %.2f}",
        r == 0 ? "" : ", ", runs[r].size.name, times[r].ms, times[r].ms / times[0].ms,
        flops_of(runs[r].size) / flops_of(lab));
  }
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--peak") {
    std::printf("{\"peak_gflops\": %.1f}\n", peak_gflops());
    return 0;
  }
  const bool quick = what == "--quick";
  const Corpus corpus(random_text(100'000), 128);
  std::vector<Run> runs;
  for (const Size& size : kSizes) runs.push_back({size, "learned"});
  const int turns = quick ? 3 : kTurns;
  const std::vector<StepTime> times = time_steps(runs, corpus, turns, quick ? 10 : 30);
  std::printf("{\"simd\": \"%s\", \"configs\": {", kSimdBackend);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const StepTime& time = times[r];
    std::printf(
        "%s\"%s\": {\"gflop\": %.3f, \"ms_per_step\": %.3f, \"tokens_per_s\": %.0f, "
        "\"peak_gflops\": %.1f, \"fraction_of_peak\": %.3f, ",
        r == 0 ? "" : ", ", runs[r].size.name, 1e-9 * flops_of(runs[r].size), time.ms,
        time.tokens_per_s, time.peak, time.fraction_of_peak);
    print_parts(runs[r].size, time.ms, turns);
    std::printf(", \"heap_mib\": %.1f}", time.heap_mib);
  }
  std::printf("}, ");
  print_matmul();
  if (!quick) {
    std::printf(", ");
    print_generation();
    std::printf(", ");
    print_schemes(corpus);
    std::printf(", ");
    print_scaling(corpus);
  }
  std::printf(", \"peak_gflops\": %.1f}\n", peak_gflops());
}
