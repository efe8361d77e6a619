// The Embind table of the lesson's measurements: probes of given weights and tables. Every call is
// pure: a model comes in as its config and its weights, in the order of the parameter list, or with
// no weights as the seed's fresh ones. As in bridge.cpp values go in and copies come out, and no
// arithmetic happens here.
#include <algorithm>

#include "config.h"
#include "convert.h"
#include "corpus.h"
#include "gpt.h"
#include "probe/by_position.h"
#include "probe/embed.h"
#include "probe/equivariance.h"
#include "probe/grader.h"
#include "probe/nearest.h"
#include "probe/order_blindness.h"
#include "probe/permutation.h"
#include "probe/position_readout.h"
#include "probe/proofs.h"
#include "probe/row_movement.h"
#include "probe/similarity.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(PermutationStageList);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerBlindnessList);
EMSCRIPTEN_DECLARE_VAL_TYPE(NeighbourList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ParameterGroupList);
EMSCRIPTEN_DECLARE_VAL_TYPE(EquivarianceStepList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ReadoutList);

namespace poslab {
namespace {

// Whole numbers from 0 to most.
std::vector<int> wholes(const char* name, const val& data, double most) {
  std::vector<int> out;
  for (const double x : emscripten::convertJSArrayToNumberVector<double>(data))
    out.push_back(whole(name, x, 0, most));
  return out;
}
std::vector<int> ids_in(const val& ids, const GptConfig& config) {
  return wholes("token id", ids, config.vocab_size - 1);
}
std::vector<int> order_in(const val& order, const val& ids) {
  return wholes("a place of order", order, ids["length"].as<double>() - 1);
}

// A model with these weights, or with the seed's when there are none.
Gpt model_of(const GptConfig& config, const val& weights) {
  return within_memory([&] {
    Gpt model(config);
    const std::vector<float> given = floats(weights);
    require(given.empty() || given.size() == model.weights().size(),
            "weights has " + text_of(static_cast<double>(given.size())) +
                " numbers; a model of this config has " +
                text_of(static_cast<double>(model.weights().size())) + ".");
    std::copy(given.begin(), given.end(), model.change_weights().begin());
    return model;
  });
}

// A text and the model that was made for it.
struct Reading {
  Reading(const std::u16string& text, GptConfig config, const val& weights)
      : corpus(code_points(text), config.block_size),
        model(model_of(with_vocabulary(config), weights)) {}

  GptConfig with_vocabulary(GptConfig config) const {
    config.vocab_size = corpus.tokenizer().vocab_size();
    return config;
  }

  Corpus corpus;
  Gpt model;
};

// --- attention and inputs ---

struct PermutationStageOut {
  std::string name;
  double largest, relative;
  Float64Array distances{val::undefined()};
};

PermutationStageList permutation_out(const GptConfig& config, const val& weights, const val& ids,
                                     const val& order) {
  Gpt model = model_of(config, weights);
  val list = val::array();
  for (const PermutationStage& s :
       permutation_error(model, ids_in(ids, config), order_in(order, ids))) {
    list.call<void>("push",
                    PermutationStageOut{s.name, s.largest, s.relative, doubles(s.distances)});
  }
  return PermutationStageList(list);
}

struct LayerBlindnessOut {
  Proof moves_along;
  Float64Array shares{val::undefined()};
  Proof last_kept;
};

LayerBlindnessList blindness_out(const GptConfig& config, const val& weights, const val& ids,
                                 const val& order) {
  Gpt model = model_of(config, weights);
  val list = val::array();
  for (const LayerBlindness& layer :
       order_blindness(model, ids_in(ids, config), order_in(order, ids))) {
    list.call<void>("push",
                    LayerBlindnessOut{layer.moves_along, doubles(layer.shares), layer.last_kept});
  }
  return LayerBlindnessList(list);
}

struct InputRowsOut {
  TensorOut token, position, sum;
  Float64Array token_norms{val::undefined()}, position_norms{val::undefined()};
};

InputRowsOut input_rows_out(const GptConfig& config, const val& weights, const val& ids) {
  Gpt model = model_of(config, weights);
  const InputRows rows = input_rows(model, ids_in(ids, config));
  return {tensor_out(rows.token), tensor_out(rows.position), tensor_out(rows.sum),
          doubles(rows.token_norms), doubles(rows.position_norms)};
}

struct TokenizedOut {
  NumberList ids{val::array()};
  std::u16string skipped;
};

// The ids that a model with this vocabulary gives a text.
TokenizedOut tokenize_out(const std::u16string& vocabulary, const std::u16string& text) {
  const Encoded encoded = Tokenizer(code_points(vocabulary)).encode(code_points(text));
  return {list_of<NumberList>(encoded.ids), to_utf16(encoded.skipped)};
}

Float64Array row_distances_out(const val& before, const val& after, double rows, double columns) {
  const std::vector<float> a = floats(before), b = floats(after);
  const int r = as_int("rows", rows), c = as_int("columns", columns);
  require_matrix("before", a, r, c);
  require_matrix("after", b, r, c);
  return doubles(row_distances(a.data(), b.data(), r, c));
}

TensorOut row_similarity(const val& data, double rows, double columns) {
  const int r = whole("rows", rows, 1, 65536), c = whole("columns", columns, 1, 65536);
  const std::vector<float> values = emscripten::convertJSArrayToNumberVector<float>(data);
  require(values.size() == static_cast<std::size_t>(r) * c,
          "data has " + text_of(static_cast<double>(values.size())) + " numbers; " + text_of(r) +
              " rows of " + text_of(c) + " are " + text_of(static_cast<double>(r) * c) + ".");
  return within_memory([&] { return tensor_out(cosine_similarity(values.data(), r, c)); },
                       "Choose fewer rows or columns.");
}

struct ShortTextTrainingOut {
  TensorOut table;
  Float64Array distance{val::undefined()};
};
ShortTextTrainingOut short_texts_out(const std::u16string& text, const GptConfig& config,
                                     double length, double steps) {
  return within_memory([&] {
    const ShortTextTraining t = train_on_short_texts(
        code_points(text), config, as_int("length", length), as_int("steps", steps));
    return ShortTextTrainingOut{tensor_out(t.table), doubles(t.distance)};
  });
}

NeighbourList nearest_out(const val& table, double rows, double columns, double row, double count) {
  const std::vector<float> data = floats(table);
  const int r = as_int("rows", rows), c = as_int("columns", columns);
  require_matrix("table", data, r, c);
  return list_of<NeighbourList>(
      nearest_rows(data.data(), r, c, as_int("row", row), as_int("count", count)));
}

// --- parameters and the derivation ---

struct ParameterCountsOut {
  ParameterGroupList groups{val::array()};
  double tied, untied;
  Proof tied_proof, untied_proof;
};

ParameterCountsOut parameter_counts_out(const GptConfig& config) {
  const ParameterCounts c = within_memory([&] { return parameter_counts(config); });
  return {list_of<ParameterGroupList>(c.groups), c.tied, c.untied, c.tied_proof, c.untied_proof};
}

struct EquivarianceStepOut {
  std::string name, equality;
  TensorOut left, right;
  double deviation;
  bool holds;
};
struct EquivarianceOut {
  TensorOut x, permutation;
  NumberList order{val::array()};
  EquivarianceStepList steps{val::array()};
};

EquivarianceOut equivariance_out(double n, double d, double seed) {
  const Equivariance e = equivariance(as_int("n", n), as_int("d", d), seed_in(seed));
  val steps = val::array();
  for (const EquivarianceStep& s : e.steps) {
    steps.call<void>("push", EquivarianceStepOut{s.name, s.equality, tensor_out(s.left),
                                                 tensor_out(s.right), s.deviation, s.holds});
  }
  return {tensor_out(e.x), tensor_out(e.permutation), list_of<NumberList>(e.order),
          EquivarianceStepList(steps)};
}

// --- along a window ---

struct LossByPositionOut {
  int trained_length, windows;
  Float64Array loss{val::undefined()}, mean{val::undefined()};
  double last_half;
};
LossByPositionOut loss_by_position_out(const std::u16string& text, const GptConfig& config,
                                       const val& weights, double factor, double windows) {
  return within_memory(
      [&] {
        Reading r(text, config, weights);
        const LossByPosition l =
            loss_by_position(r.model, r.corpus.tokens(Split::val), as_int("factor", factor),
                             as_int("windows", windows));
        return LossByPositionOut{l.trained_length, l.windows, doubles(l.loss), doubles(l.mean),
                                 l.last_half};
      },
      "Choose a smaller factor.");
}

struct AttentionByOffsetOut {
  int first;
  TensorOut weight;
};
AttentionByOffsetOut attention_by_offset_out(const std::u16string& text, const GptConfig& config,
                                             const val& weights, double windows) {
  Reading r(text, config, weights);
  const AttentionByOffset a =
      attention_by_offset(r.model, r.corpus.tokens(Split::val), as_int("windows", windows));
  return {a.first, tensor_out(a.weight)};
}
ReadoutList position_readout_out(const std::u16string& text, const GptConfig& config,
                                 const val& weights, double windows) {
  Reading r(text, config, weights);
  return list_of<ReadoutList>(position_readout(r.model, r.corpus.tokens(Split::train),
                                               r.corpus.tokens(Split::val),
                                               as_int("windows", windows)));
}

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab_lesson) {
  using namespace emscripten;
  register_type<LayerBlindnessList>("LayerBlindness[]");
  register_type<PermutationStageList>("PermutationStage[]");
  register_type<NeighbourList>("Neighbour[]");
  register_type<ParameterGroupList>("ParameterGroup[]");
  register_type<EquivarianceStepList>("EquivarianceStep[]");
  register_type<ReadoutList>("Readout[]");

  value_object<LayerBlindnessOut>("LayerBlindness")
      .FIELD(LayerBlindnessOut, moves_along)
      .FIELD(LayerBlindnessOut, shares)
      .FIELD(LayerBlindnessOut, last_kept);
  value_object<PermutationStageOut>("PermutationStage")
      .FIELD(PermutationStageOut, name)
      .FIELD(PermutationStageOut, largest)
      .FIELD(PermutationStageOut, relative)
      .FIELD(PermutationStageOut, distances);
  value_object<InputRowsOut>("InputRows")
      .FIELD(InputRowsOut, token)
      .FIELD(InputRowsOut, position)
      .FIELD(InputRowsOut, sum)
      .FIELD(InputRowsOut, token_norms)
      .FIELD(InputRowsOut, position_norms);
  value_object<TokenizedOut>("Tokenized").FIELD(TokenizedOut, ids).FIELD(TokenizedOut, skipped);
  value_object<ShortTextTrainingOut>("ShortTextTraining")
      .FIELD(ShortTextTrainingOut, table)
      .FIELD(ShortTextTrainingOut, distance);
  value_object<Neighbour>("Neighbour").FIELD(Neighbour, row).FIELD(Neighbour, cosine);
  value_object<ParameterGroup>("ParameterGroup")
      .FIELD(ParameterGroup, name)
      .FIELD(ParameterGroup, count);
  value_object<ParameterCountsOut>("ParameterCounts")
      .FIELD(ParameterCountsOut, groups)
      .FIELD(ParameterCountsOut, tied)
      .FIELD(ParameterCountsOut, untied)
      .FIELD(ParameterCountsOut, tied_proof)
      .FIELD(ParameterCountsOut, untied_proof);
  value_object<EquivarianceStepOut>("EquivarianceStep")
      .FIELD(EquivarianceStepOut, name)
      .FIELD(EquivarianceStepOut, equality)
      .FIELD(EquivarianceStepOut, left)
      .FIELD(EquivarianceStepOut, right)
      .FIELD(EquivarianceStepOut, deviation)
      .FIELD(EquivarianceStepOut, holds);
  value_object<EquivarianceOut>("Equivariance")
      .FIELD(EquivarianceOut, x)
      .FIELD(EquivarianceOut, permutation)
      .FIELD(EquivarianceOut, order)
      .FIELD(EquivarianceOut, steps);
  value_object<LossByPositionOut>("LossByPosition")
      .FIELD(LossByPositionOut, trained_length)
      .FIELD(LossByPositionOut, windows)
      .FIELD(LossByPositionOut, loss)
      .FIELD(LossByPositionOut, mean)
      .FIELD(LossByPositionOut, last_half);
  value_object<AttentionByOffsetOut>("AttentionByOffset")
      .FIELD(AttentionByOffsetOut, first)
      .FIELD(AttentionByOffsetOut, weight);
  value_object<Readout>("Readout").FIELD(Readout, name).FIELD(Readout, r2);

  function("permutation_error(config, weights, ids, order)", &permutation_out);
  function("order_blindness(config, weights, ids, order)", &blindness_out);
  function("input_rows(config, weights, ids)", &input_rows_out);
  function("tokenize(vocabulary, text)", &tokenize_out);
  function("row_similarity(data, rows, columns)", &row_similarity);
  function("row_distances(before, after, rows, columns)", &row_distances_out);
  function("train_on_short_texts(text, config, length, steps)", &short_texts_out);
  function("nearest_rows(table, rows, columns, row, count)", &nearest_out);
  function("parameter_counts(config)", &parameter_counts_out);
  function("equivariance(n, d, seed)", &equivariance_out);
  function("loss_by_position(text, config, weights, factor, windows)", &loss_by_position_out);
  function("attention_by_offset(text, config, weights, windows)", &attention_by_offset_out);
  function("position_readout(text, config, weights, windows)", &position_readout_out);
}
