// A training step allocates nothing once the first one is done, so that the heap of the page's
// module cannot grow or fall to pieces, however long a run is.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <new>

#include "generate.h"
#include "position/registry.h"
#include "support.h"
#include "trainer.h"

namespace {
std::size_t allocations = 0;
}

#ifdef POSLAB_SANITIZE
// The sanitizer keeps its own operators, which check that new meets delete, and tells of every
// allocation. Declared here because GCC ships the function without its header.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*,
                                                                           std::size_t),
                                                         void (*freed)(const volatile void*));

namespace {
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
}
#else
// All other forms of new and delete end in these. Where delete is inlined, GCC takes its free for a
// mismatch of new.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
#endif

using namespace poslab;
using namespace poslab::test;

namespace {

template <class F>
std::size_t allocations_in(F f) {
  const std::size_t before = allocations;
  f();
  return allocations - before;
}

// Calls f(config) for every scheme, tied and untied.
template <class F>
void for_each_model(const Corpus& corpus, F f) {
  for (const PositionScheme* scheme : position_schemes()) {
    for (const bool tied : {true, false}) {
      GptConfig config = odd_config(scheme->name());
      config.vocab_size = corpus.tokenizer().vocab_size();
      config.tie_weights = tied;
      INFO(scheme->name() << (tied ? ", tied" : ", untied"));
      f(config);
    }
  }
}

Corpus corpus_of(std::size_t length) {
  return Corpus(patterned_text(length), odd_config("none").block_size);
}

TrainConfig training_with(int batch_size) {
  TrainConfig training;
  training.batch_size = batch_size;
  training.steps = 4;
  training.warmup_steps = 2;
  return training;
}

}  // namespace

TEST_CASE("every allocation is counted", "[allocation]") {
  CHECK(allocations_in([] { ::operator delete(::operator new(8)); }) == 1);
  CHECK(allocations_in([] { ::operator delete[](::operator new[](8)); }) == 1);
  const std::align_val_t wide{64};
  CHECK(allocations_in([&] { ::operator delete(::operator new(8, wide), wide); }) == 1);
  CHECK(allocations_in([] {}) == 0);
}

TEST_CASE("a training step allocates nothing once the first is done", "[allocation]") {
  const Corpus corpus = corpus_of(1500);
  // 3 leaves a shard empty, 10 makes shards of different sizes.
  for (const int batch_size : {3, 10}) {
    for_each_model(corpus, [&](const GptConfig& config) {
      Gpt model(config);
      Trainer trainer(model, corpus, training_with(batch_size));
      trainer.step();
      CHECK(allocations_in([&] { trainer.step(); }) == 0);
      evaluate(model, corpus, Split::val);
      generate(model, {0}, 2 * config.block_size, {});
      CHECK(allocations_in([&] { trainer.step(), trainer.step(); }) == 0);
    });
  }
}

TEST_CASE("a step that workers share allocates nothing once the first is done", "[allocation]") {
  const Corpus corpus = corpus_of(1500);
  for_each_model(corpus, [&](const GptConfig& config) {
    Gpt model(config), helper(config);
    Trainer trainer(model, corpus, training_with(10));
    ShardedGradient elsewhere(model.parameters().total());
    const auto step = [&] {
      const Batch& batch = trainer.draw();
      helper.change_weights() = model.weights();
      elsewhere.clear();
      for (const auto& [first, count] : {std::pair{0, 1}, std::pair{2, 2}}) {
        elsewhere.compute(helper, batch, first, count);
        const Floats& sum = elsewhere.gradient(first);
        std::copy(sum.begin(), sum.end(),
                  trainer.gradient().accept(first, count, elsewhere.losses(first, count)));
      }
      trainer.compute(1, 1);
      trainer.update();
    };
    step();
    CHECK(allocations_in(step) == 0);
  });
}

TEST_CASE("an evaluation allocates its two lists of ids, however many windows it reads",
          "[allocation]") {
  const Corpus corpus = corpus_of(4000);
  for_each_model(corpus, [&](const GptConfig& config) {
    Gpt model(config);
    evaluate(model, corpus, Split::val);
    CHECK(allocations_in([&] { evaluate(model, corpus, Split::val, 1); }) == 2);
    CHECK(allocations_in([&] { evaluate(model, corpus, Split::val); }) == 2);
    CHECK(allocations_in([&] { evaluate(model, corpus, Split::train); }) == 2);
  });
}
