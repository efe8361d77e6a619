// Same link, same last digit: a hundred steps of training end on the same bits on every target. The
// table is tests/fixtures/weights_hashes.txt, which the tests of the WebAssembly module read too.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>

#include "position/registry.h"
#include "probe/hash.h"
#include "simd/f32x4.h"
#include "support.h"
#include "trainer.h"

using namespace poslab;
using namespace poslab::test;

namespace {

struct Table {
  std::size_t text_length = 0;
  GptConfig model;
  TrainConfig training;
  std::map<std::string, std::string> hashes;
};

Table read_table() {
  std::ifstream in(POSLAB_FIXTURES "/weights_hashes.txt");
  Table table;
  std::string kind, key, value;
  while (in >> kind) {
    if (kind.starts_with("#")) {
      std::getline(in, value);
      continue;
    }
    in >> key;
    if (kind == "text_length") {
      table.text_length = std::stoul(key);
      continue;
    }
    in >> value;
    if (kind == "hash") {
      table.hashes[key] = value;
      continue;
    }
    const double x = std::stod(value);
    const int whole = static_cast<int>(x);
    if (key == "block_size") {
      table.model.block_size = whole;
    } else if (key == "n_layer") {
      table.model.n_layer = whole;
    } else if (key == "n_head") {
      table.model.n_head = whole;
    } else if (key == "n_embd") {
      table.model.n_embd = whole;
    } else if (key == "seed") {
      table.model.seed = static_cast<std::uint64_t>(whole);
    } else if (key == "steps") {
      table.training.steps = whole;
    } else if (key == "batch_size") {
      table.training.batch_size = whole;
    } else if (key == "learning_rate") {
      table.training.learning_rate = x;
    } else if (key == "warmup_steps") {
      table.training.warmup_steps = whole;
    } else {
      throw Error("weights_hashes.txt sets " + key + ", which this test does not know.");
    }
  }
  return table;
}

}  // namespace

TEST_CASE("a hundred steps of training end on the same bits on every target",
          "[determinism][same-bits]") {
  const Table table = read_table();
  const Corpus corpus(patterned_text(table.text_length), table.model.block_size);
  for (const PositionScheme* scheme : position_schemes()) {
    GptConfig config = table.model;
    config.positions = scheme->name();
    config.vocab_size = corpus.tokenizer().vocab_size();
    Gpt model(config);
    Trainer trainer(model, corpus, table.training);
    for (int step = 0; step < table.training.steps; ++step) trainer.step();
    INFO(scheme->name() << " on " << kSimdBackend);
    REQUIRE(table.hashes.count(scheme->name()) == 1);
    CHECK(hash_of(model.weights()) == table.hashes.at(scheme->name()));
  }
}

TEST_CASE("the text of the table is the one its recipe makes", "[determinism]") {
  CHECK(patterned_text(40) == U"abhil.wzjsevuqw r\n qwx\nzjsf puqwyhhimf\n ");
}

TEST_CASE("a hash tells one flipped bit, two swapped weights and 0 from -0", "[determinism]") {
  const Floats weights = {1.0f, 2.0f, 0.0f};
  CHECK(hash_of(weights) == hash_of({1.0f, 2.0f, 0.0f}));
  CHECK(hash_of(weights) != hash_of({1.0f, 2.0f, -0.0f}));
  CHECK(hash_of(weights) != hash_of({2.0f, 1.0f, 0.0f}));
  CHECK(hash_of(weights) != hash_of({1.0f, 2.0000002f, 0.0f}));
  CHECK(hash_of({}) == "cbf29ce484222325");  // FNV-1a of nothing
  CHECK(hash_of({1.0f}) == "4b72477f9c5c2f98");
}
