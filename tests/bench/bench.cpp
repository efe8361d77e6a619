// How fast the core is on this machine, as one JSON object on standard output. The same program
// runs natively, in Node and in a browser; tests/bench/bench.mjs runs it in all three and makes the
// table.
#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#endif

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "adamw.h"
#include "corpus.h"
#include "generate.h"
#include "gpt.h"
#include "kernels/matmul.h"
#include "layers/layers.h"
#include "peak.h"
#include "position/registry.h"
#include "trainer.h"

using namespace poslab;

namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Milliseconds of one call of f in `samples` samples, each of as many calls as fill a clock tick of
// browsers many times over.
std::vector<double> times_of(const std::function<void()>& f, int samples = 15,
                             double sample_ms = 4.0) {
  f();
  int calls = 1;
  for (;;) {
    const double began = now_ms();
    for (int i = 0; i < calls; ++i) f();
    if (now_ms() - began >= sample_ms) break;
    calls *= 2;
  }
  std::vector<double> times;
  for (int s = 0; s < samples; ++s) {
    const double began = now_ms();
    for (int i = 0; i < calls; ++i) f();
    times.push_back((now_ms() - began) / calls);
  }
  return times;
}

double time_of(const std::function<void()>& f, int samples = 15, double sample_ms = 4.0) {
  return median(times_of(f, samples, sample_ms));
}

// For what is compared with the peak, which is the fastest of its samples, too.
double fastest_of(const std::function<void()>& f) { return std::ranges::min(times_of(f)); }

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

struct StepTime {
  double ms, tokens_per_s, fraction_of_peak, peak;
};

StepTime time_steps(const Size& size, const std::string& positions, const Corpus& corpus,
                    int steps) {
  Gpt model(config_of(size, positions));
  TrainConfig training;
  training.batch_size = size.batch_size;
  Trainer trainer(model, corpus, training);
  // Long enough for the trial of the tile's orders, whose winner the products below use as well.
  for (int i = 0; i < 26; ++i) trainer.step();
  const double peak = peak_gflops();
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const double began = now_ms();
    trainer.step();
    times.push_back(now_ms() - began);
  }
  const double ms = median(times);
  return {ms, 1000.0 * size.batch_size * size.block_size / ms, flops_of(size) / ms * 1e-6 / peak,
          peak};
}

// Milliseconds that one step spends in each kind of layer: every layer function alone at the shapes
// of a shard, times how often a step calls it.
void print_parts(const Size& size, double step_ms) {
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
  const double norm = kShards * (2 * L + 1) *
                      (time_of([&] {
                         layernorm_forward(y.data(), mean.data(), rstd.data(), x.data(),
                                           gain.data(), bias.data(), N, C);
                       }) +
                       time_of([&] {
                         layernorm_backward(dx.data(), dgain.data(), dbias.data(), y.data(),
                                            x.data(), mean.data(), rstd.data(), gain.data(), N, C);
                       }));

  const std::size_t wide = static_cast<std::size_t>(N) * 4 * C;
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

  const double known = matmul + attention + norm + gelu + loss + optimizer;
  std::printf(
      "\"parts\": {\"matmul\": %.3f, \"attention\": %.3f, \"norm\": %.3f, \"gelu\": %.3f, "
      "\"loss\": %.3f, \"optimizer\": "
      "%.3f, \"other\": %.3f}",
      matmul / step_ms, attention / step_ms, norm / step_ms, gelu / step_ms, loss / step_ms,
      optimizer / step_ms, std::max(0.0, 1.0 - known / step_ms));
}

void print_matmul() {
  std::printf("\"matmul\": [");
  bool first = true;
  for (const int C : {64, 128}) {
    const int N = C == 64 ? 256 : 192;
    for (const auto& [I, O] : {std::pair{C, 3 * C}, {C, C}, {C, 4 * C}, {4 * C, C}}) {
      Floats x(static_cast<std::size_t>(N) * I, 0.5f), w(static_cast<std::size_t>(O) * I, 0.25f),
          y(static_cast<std::size_t>(N) * O, 0.125f), bias(O), dx(x.size()), dw(w.size());
      const double peak = peak_gflops(), flops = 2.0 * N * I * O;
      const auto fraction = [&](double ms) { return flops / ms * 1e-6 / peak; };
      // A product with the weight, and its share of packing it: once for all shards of a step.
      Floats panels(std::max(packed_size(I, O), packed_size(O, I)));
      const MatrixView weight = row_major(w.data(), I);
      const auto with_packing = [&](int K, int columns, MatrixView b, auto product) {
        const double pack = fastest_of([&] { pack_columns(K, columns, b, panels.data()); });
        return fastest_of(product) + pack / kShards;
      };
      const double forward = with_packing(I, O, transposed(weight), [&] {
        linear_forward(y.data(), x.data(), panels.data(), bias.data(), N, I, O);
      });
      const double to_input = with_packing(O, I, weight, [&] {
        matmul_packed(N, I, O, row_major(y.data(), O), panels.data(), O, 0, {}, dx.data(), I);
      });
      const double to_weight = fastest_of([&] {
        matmul(O, I, N, transposed(row_major(y.data(), O)), row_major(x.data(), I), {}, dw.data(),
               I);
      });
      std::printf(
          "%s{\"rows\": %d, \"in\": %d, \"out\": %d, \"peak_gflops\": %.1f, \"forward\": %.3f, "
          "\"to_input\": %.3f, "
          "\"to_weight\": %.3f}",
          first ? "" : ", ", N, I, O, peak, fraction(forward), fraction(to_input),
          fraction(to_weight));
      first = false;
    }
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

void print_schemes(const Corpus& corpus) {
  std::printf("\"schemes\": {");
  bool first = true;
  for (const PositionScheme* scheme : position_schemes()) {
    const StepTime time = time_steps(kSizes[1], scheme->name(), corpus, 30);
    std::printf("%s\"%s\": %.3f", first ? "" : ", ", scheme->name().c_str(), time.ms);
    first = false;
  }
  std::printf("}");
}

void print_scaling(const Corpus& corpus) {
  const Size lab = kSizes[1];
  struct Change {
    const char* what;
    Size size;
  };
  const Change changes[] = {
      {"lab", lab},
      {"n_embd x2", {"", lab.n_layer, lab.n_head, 2 * lab.n_embd, lab.block_size, lab.batch_size}},
      {"block_size x2",
       {"", lab.n_layer, lab.n_head, lab.n_embd, 2 * lab.block_size, lab.batch_size}},
      {"batch_size x2",
       {"", lab.n_layer, lab.n_head, lab.n_embd, lab.block_size, 2 * lab.batch_size}},
      {"n_layer x2", {"", 2 * lab.n_layer, lab.n_head, lab.n_embd, lab.block_size, lab.batch_size}},
  };
  std::printf("\"scaling\": [");
  double base_ms = 0.0;
  for (const Change& change : changes) {
    const double ms = time_steps(change.size, "learned", corpus, 20).ms;
    if (base_ms == 0.0) base_ms = ms;
    std::printf(
        "%s{\"what\": \"%s\", \"ms_per_step\": %.3f, \"times\": %.2f, \"times_by_formula\": %.2f}",
        &change == changes ? "" : ", ", change.what, ms, ms / base_ms,
        flops_of(change.size) / flops_of(lab));
  }
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  const Corpus corpus(random_text(100'000), 128);
  std::printf("{\"simd\": \"%s\", \"configs\": {", kSimdBackend);
  for (const Size& size : kSizes) {
    const StepTime time = time_steps(size, "learned", corpus, quick ? 30 : 60);
    std::printf(
        "%s\"%s\": {\"ms_per_step\": %.3f, \"tokens_per_s\": %.0f, \"peak_gflops\": %.1f, "
        "\"fraction_of_peak\": %.3f, ",
        &size == kSizes ? "" : ", ", size.name, time.ms, time.tokens_per_s, time.peak,
        time.fraction_of_peak);
    print_parts(size, time.ms);
    std::printf(", \"heap_mib\": %.1f}", heap_mib());
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
