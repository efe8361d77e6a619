// The Embind table: what JavaScript can call. Values go in, copies come out; no pointer and no view
// of live memory leaves a call. No arithmetic here, only conversion. Every refusal of the core
// arrives in JavaScript as a WebAssembly.Exception that carries the core's sentence
// (getExceptionMessage).
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config.h"
#include "convert.h"
#include "corpus.h"
#include "error.h"
#include "generate.h"
#include "gpt.h"
#include "probe/baselines.h"
#include "probe/hash.h"
#include "probe/text_stats.h"
#include "simd/f32x4.h"
#include "trainer.h"

using emscripten::val;

EMSCRIPTEN_DECLARE_VAL_TYPE(NamedTensorList);

namespace poslab {
namespace {

// --- values ---

StringList characters(std::u32string_view text) {
  val list = val::array();
  for (const char32_t c : text) list.call<void>("push", to_utf16({&c, 1}));
  return StringList(list);
}

struct NamedTensorOut {
  std::string name;
  NumberList shape{val::array()};
  Float32Array data{val::undefined()};
};

struct EncodedOut {
  Int32Array ids{val::undefined()};
  StringList skipped{val::array()};
};

struct GeneratedOut {
  std::u16string text;
  StringList skipped{val::array()};
};

struct ReadOut {  // what a model says of a text
  NumberList shape{val::array()};
  Float32Array data{val::undefined()};
  Int32Array ids{val::undefined()};
  StringList skipped{val::array()};
};

struct EvaluationPart {
  double part, loss;
};

struct TokenCounts {
  int train, val;
};

std::string get_pairing(const GptConfig& config) { return name_of(config.rope_pairing); }
void set_pairing(GptConfig& config, const std::string& name) {
  config.rope_pairing = rope_pairing_named(name);
}

// --- one run: a corpus, a model, its training ---

class Session {
 public:
  Session(const std::u16string& text, const GptConfig& config) {
    within_memory([&] {
      corpus_ = std::make_unique<Corpus>(code_points(text), config.block_size);
      GptConfig complete = config;
      const int V = corpus_->tokenizer().vocab_size();
      require(config.vocab_size == 0 || config.vocab_size == V,
              "vocab_size is " + text_of(config.vocab_size) + "; the text has " + text_of(V) +
                  " different characters, so it must be that or left out.");
      complete.vocab_size = V;
      model_ = std::make_unique<Gpt>(complete);
    });
  }

  GptConfig config() const { return model_->config(); }
  double num_parameters() const { return static_cast<double>(model_->parameters().total()); }
  TokenCounts num_tokens() const {
    return {static_cast<int>(corpus_->tokens(Split::train).size()),
            static_cast<int>(corpus_->tokens(Split::val).size())};
  }
  StringList vocabulary() const { return characters(corpus_->tokenizer().vocabulary()); }

  void begin_training(const TrainConfig& config) {
    within_memory([&] { trainer_ = std::make_unique<Trainer>(*model_, *corpus_, config); });
  }
  StepMetrics step() {
    return within_memory([&] { return training().step(); });
  }
  // One step in parts, for several workers that share it; see core/shards.h.
  void draw() { training().draw(); }
  // Fills what a ShardHelper computes from. ids has two numbers for each token of a batch: all
  // inputs, then all targets.
  void hand_out(const Float32Array& numbers, const Int32Array& ids) {
    const Floats& weights = model_->weights();
    const Batch& batch = training().batch();
    const std::size_t n = batch.inputs.size();
    require_length("numbers", "Float32Array", numbers, weights.size());
    require_length("ids", "Int32Array", ids, 2 * n);
    write_to(numbers, weights.data(), weights.size());
    write_to(ids.call<val>("subarray", 0, n), batch.inputs.data(), n);
    write_to(ids.call<val>("subarray", n), batch.targets.data(), n);
  }
  void compute_shards(double first, double count) {
    within_memory([&] { training().compute(as_int("first", first), as_int("count", count)); });
  }
  void accept_shards(double first, double count, const Float32Array& gradient,
                     const NumberList& losses) {
    within_memory([&] {
      const std::size_t n = model_->parameters().total();
      require_length("gradient", "Float32Array", gradient, n);
      const std::vector<double> parts = emscripten::convertJSArrayToNumberVector<double>(losses);
      read_from(gradient,
                training().gradient().accept(as_int("first", first), as_int("count", count), parts),
                n);
    });
  }
  StepMetrics update() { return training().update(); }

  void reset() {
    trainer_.reset();
    evaluation_.reset();
    model_->initialise();
  }

  double evaluate(const std::string& split, double max_batches) {
    const Split which = split_named(split);
    const int batches = whole("max_batches", max_batches, 0, 1e9);
    return within_memory([&] { return poslab::evaluate(*model_, *corpus_, which, batches); });
  }
  // The same in pieces.
  void begin_evaluation(const std::string& split) {
    const Split which = split_named(split);
    within_memory([&] { evaluation_.emplace(*model_, *corpus_, which); });
  }
  EvaluationPart continue_evaluation() {
    require(evaluation_.has_value(), "No evaluation is under way: begin_evaluation comes first.");
    within_memory([&] { evaluation_->advance(); });
    return {evaluation_->part(), evaluation_->loss()};
  }
  Baselines baselines() const { return poslab::baselines(*corpus_); }

  GeneratedOut generate(const std::u16string& prompt, double n_tokens,
                        const GenerateOptions& options) {
    Encoded encoded = corpus_->tokenizer().encode(code_points(prompt));
    if (encoded.ids.empty()) encoded.ids = start_of_text();
    const int n = whole("n_tokens", n_tokens, 0, 1'000'000);
    const std::vector<int> ids =
        within_memory([&] { return poslab::generate(*model_, encoded.ids, n, options); });
    return {to_utf16(corpus_->tokenizer().decode(ids)), characters(encoded.skipped)};
  }

  EncodedOut encode(const std::u16string& text) const {
    const Encoded encoded = corpus_->tokenizer().encode(code_points(text));
    return {copy_of<Int32Array>(encoded.ids.data(), encoded.ids.size()),
            characters(encoded.skipped)};
  }
  std::u16string decode(const val& ids) const {
    std::vector<int> whole_ids;
    for (const double id : emscripten::convertJSArrayToNumberVector<double>(ids)) {
      whole_ids.push_back(whole("token id", id, 0, corpus_->tokenizer().vocab_size() - 1));
    }
    return to_utf16(corpus_->tokenizer().decode(whole_ids));
  }

  ReadOut logits(const std::u16string& text) {
    return read(text, [this](const std::vector<int>& ids) {
      const int T = static_cast<int>(ids.size()), V = model_->config().vocab_size;
      const float* data = model_->forward(ids.data(), 1, T);
      return TensorOut{list_of<NumberList>(std::vector<int>{T, V}),
                       copy_of<Float32Array>(data, static_cast<std::size_t>(T) * V)};
    });
  }
  ReadOut attention(const std::u16string& text) {
    return read(text, [this](const std::vector<int>& ids) {
      model_->forward(ids.data(), 1, static_cast<int>(ids.size()));
      return tensor_out(model_->attention_weights());
    });
  }

  NamedTensorList parameters() const {
    val list = val::array();
    for (const Parameter& p : model_->parameters().all()) list.call<void>("push", named(p));
    return NamedTensorList(list);
  }
  NamedTensorOut parameter(const std::string& name) const {
    return named(model_->parameters().named(name));
  }

  std::optional<TensorOut> position_table() {
    if (!model_->adds_rows()) return std::nullopt;
    return tensor_out(model_->position_rows(model_->config().block_size));
  }

  TextStats text_stats(const std::u16string& text) {
    if (words_ == nullptr) words_ = std::make_unique<WordList>(*corpus_);
    return words_->stats(code_points(text));
  }

  std::string weights_hash() const { return hash_of(model_->weights()); }

 private:
  Trainer& training() {
    require(trainer_ != nullptr, "Training has not begun; call begin_training first.");
    return *trainer_;
  }

  // A text that has nothing of the vocabulary is continued as if it were a line's end, or the first
  // character where the corpus has no lines.
  std::vector<int> start_of_text() const {
    std::vector<int> ids = corpus_->tokenizer().encode(U"\n").ids;
    if (ids.empty()) ids.push_back(0);
    return ids;
  }

  template <class F>
  ReadOut read(const std::u16string& text, F f) {
    const Encoded encoded = corpus_->tokenizer().encode(code_points(text));
    require(!encoded.ids.empty(),
            "The text has no character that the model knows; write some from its corpus.");
    TensorOut tensor = within_memory([&] { return f(encoded.ids); }, "Shorten the text.");
    return {tensor.shape, tensor.data, copy_of<Int32Array>(encoded.ids.data(), encoded.ids.size()),
            characters(encoded.skipped)};
  }

  NamedTensorOut named(const Parameter& p) const {
    return {p.name, list_of<NumberList>(p.shape),
            copy_of<Float32Array>(model_->weights().data() + p.ref.offset, p.ref.size)};
  }

  std::unique_ptr<Corpus> corpus_;
  std::unique_ptr<Gpt> model_;
  std::unique_ptr<Trainer> trainer_;
  std::optional<Evaluation> evaluation_;
  std::unique_ptr<WordList> words_;
};

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab) {
  using namespace emscripten;
  register_type<Float32Array>("Float32Array");
  register_type<Float64Array>("Float64Array");
  register_type<Int32Array>("Int32Array");
  register_type<NumberList>("number[]");
  register_type<StringList>("string[]");
  register_type<NamedTensorList>("NamedTensor[]");
  register_optional<double>();

  value_object<GptConfig>("GptConfig")
      .WHOLE(GptConfig, vocab_size)
      .WHOLE(GptConfig, block_size)
      .WHOLE(GptConfig, n_layer)
      .WHOLE(GptConfig, n_head)
      .WHOLE(GptConfig, n_embd)
      .field("positions", &GptConfig::positions)
      .field("causal", &GptConfig::causal)
      .field("tie_weights", &GptConfig::tie_weights)
      .field("embedding_scale", &GptConfig::embedding_scale)
      .field("sinusoidal_scale", &GptConfig::sinusoidal_scale)
      .field("sinusoidal_base", &GptConfig::sinusoidal_base)
      .field("rope_base", &GptConfig::rope_base)
      .field("rope_pairing", &get_pairing, &set_pairing)
      .field("rotary_fraction", &GptConfig::rotary_fraction)
      .WHOLE(GptConfig, seed);
  value_object<TrainConfig>("TrainConfig")
      .WHOLE(TrainConfig, steps)
      .WHOLE(TrainConfig, batch_size)
      .field("learning_rate", &TrainConfig::learning_rate)
      .field("min_lr_ratio", &TrainConfig::min_lr_ratio)
      .WHOLE(TrainConfig, warmup_steps)
      .field("weight_decay", &TrainConfig::weight_decay)
      .field("beta1", &TrainConfig::beta1)
      .field("beta2", &TrainConfig::beta2)
      .field("grad_clip", &TrainConfig::grad_clip);
  value_object<StepMetrics>("StepMetrics")
      .field("step", &StepMetrics::step)
      .field("loss", &StepMetrics::loss)
      .field("grad_norm", &StepMetrics::grad_norm)
      .field("learning_rate", &StepMetrics::learning_rate)
      .field("tokens", &StepMetrics::tokens);
  value_object<GenerateOptions>("GenerateOptions")
      .field("temperature", &GenerateOptions::temperature)
      .WHOLE(GenerateOptions, top_k)
      .WHOLE(GenerateOptions, seed)
      .field("use_cache", &GenerateOptions::use_cache);
  value_object<Baselines>("Baselines")
      .field("uniform", &Baselines::uniform)
      .field("unigram", &Baselines::unigram)
      .field("bigram", &Baselines::bigram);
  value_object<TextStats>("TextStats")
      .field("words", &TextStats::words)
      .field("known_words", &TextStats::known_words)
      .field("lines", &TextStats::lines)
      .field("mean_line_length", &TextStats::mean_line_length);
  value_object<TokenCounts>("TokenCounts")
      .field("train", &TokenCounts::train)
      .field("val", &TokenCounts::val);

  value_object<EvaluationPart>("EvaluationPart")
      .field("part", &EvaluationPart::part)
      .field("loss", &EvaluationPart::loss);
  value_object<TensorOut>("Tensor")
      .field("shape", &TensorOut::shape)
      .field("data", &TensorOut::data);
  register_optional<TensorOut>();
  value_object<NamedTensorOut>("NamedTensor")
      .field("name", &NamedTensorOut::name)
      .field("shape", &NamedTensorOut::shape)
      .field("data", &NamedTensorOut::data);
  value_object<EncodedOut>("Encoded")
      .field("ids", &EncodedOut::ids)
      .field("skipped", &EncodedOut::skipped);
  value_object<GeneratedOut>("Generated")
      .field("text", &GeneratedOut::text)
      .field("skipped", &GeneratedOut::skipped);
  value_object<ReadOut>("TextTensor")
      .field("shape", &ReadOut::shape)
      .field("data", &ReadOut::data)
      .field("ids", &ReadOut::ids)
      .field("skipped", &ReadOut::skipped);

  class_<Session>("Session")
      .constructor<const std::u16string&, const GptConfig&>()
      .function("config", &Session::config)
      .function("num_parameters", &Session::num_parameters)
      .function("num_tokens", &Session::num_tokens)
      .function("vocabulary", &Session::vocabulary)
      .function("begin_training(config)", &Session::begin_training)
      .function("step", &Session::step)
      .function("draw", &Session::draw)
      .function("hand_out(numbers, ids)", &Session::hand_out)
      .function("compute_shards(first, count)", &Session::compute_shards)
      .function("accept_shards(first, count, gradient, losses)", &Session::accept_shards)
      .function("update", &Session::update)
      .function("reset", &Session::reset)
      .function("evaluate(split, max_batches)", &Session::evaluate)
      .function("begin_evaluation(split)", &Session::begin_evaluation)
      .function("continue_evaluation", &Session::continue_evaluation)
      .function("baselines", &Session::baselines)
      .function("generate(prompt, n_tokens, options)", &Session::generate)
      .function("encode(text)", &Session::encode)
      .function("decode(ids)", &Session::decode)
      .function("logits(text)", &Session::logits)
      .function("attention(text)", &Session::attention)
      .function("parameters", &Session::parameters)
      .function("parameter(name)", &Session::parameter)
      .function("position_table", &Session::position_table)
      .function("text_stats(text)", &Session::text_stats)
      .function("weights_hash", &Session::weights_hash);

  function(
      "default_config", +[] { return GptConfig{}; });
  function(
      "default_training", +[] { return TrainConfig{}; });
  function(
      "default_generation", +[] { return GenerateOptions{}; });
  function(
      "simd_backend", +[] { return std::string(kSimdBackend); });
}
