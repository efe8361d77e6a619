// The Embind table of the position schemes: their rows, angles and penalties, and what is proved of
// them by number. Every call is pure. As in bridge.cpp values go in and copies come out, and no
// arithmetic happens here.
#include "config.h"
#include "convert.h"
#include "position/alibi.h"
#include "position/registry.h"
#include "position/rope.h"
#include "position/rope_stretch.h"
#include "position/sinusoidal.h"
#include "probe/proofs.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(ProofList);
EMSCRIPTEN_DECLARE_VAL_TYPE(SchemeList);

namespace poslab {
namespace {

struct SchemeOut {
  std::string name, title, summary;
};

SchemeList schemes() {
  val list = val::array();
  for (const PositionScheme* s : position_schemes()) {
    list.call<void>("push", SchemeOut{s->name(), s->title(), s->summary()});
  }
  return SchemeList(list);
}

TensorOut sinusoidal_out(double n, double d, double base, const std::string& layout, double first) {
  return within_memory(
      [&] {
        return tensor_out(sinusoidal(whole("n", n, 1, 65536), whole("d", d, 1, 4096), base,
                                     sinusoid_layout_named(layout),
                                     whole("first", first, -1e6, 1e6)));
      },
      "Choose a smaller n or d.");
}

Float64Array wavelengths_out(double d, double base) {
  const std::vector<double> out = wavelengths(whole("d", d, 1, 4096), base);
  return copy_of<Float64Array>(out.data(), out.size());
}

Float32Array rope_out(const val& x, double position, const std::string& pairing, double base) {
  const std::vector<float> out = rope(floats(x), position, rope_pairing_named(pairing), base);
  return copy_of<Float32Array>(out.data(), out.size());
}

Float32Array alibi_slopes_out(double n_head) {
  const std::vector<float> out = alibi_slopes(whole("n_head", n_head, 1, 1024));
  return copy_of<Float32Array>(out.data(), out.size());
}

// --- proofs ---

Proof diagonals_out(double n, double d, double base) {
  return sinusoidal_diagonals(as_int("n", n), as_int("d", d), base);
}
Proof shift_out(double n, double d, double k, double base) {
  return sinusoidal_shift(as_int("n", n), as_int("d", d), as_int("k", k), base);
}
TensorOut shift_matrix_out(double k, double d, double base) {
  return tensor_out(shift_matrix(as_int("k", k), as_int("d", d), base));
}
Float64Array turns_out(double positions, double d, double base) {
  return doubles(turns(positions, as_int("d", d), base));
}
double rope_score_out(const val& q, const val& k, double m, double n, const std::string& pairing,
                      double base) {
  return rope_score(floats(q), floats(k), m, n, rope_pairing_named(pairing), base);
}
Float64Array rope_contributions_out(const val& q, const val& k, double m, double n,
                                    const std::string& pairing, double base) {
  return doubles(rope_contributions(floats(q), floats(k), m, n, rope_pairing_named(pairing), base));
}
Proof rope_distance_out(const val& q, const val& k, double n_positions, const std::string& pairing,
                        double base) {
  return rope_distance(floats(q), floats(k), as_int("n_positions", n_positions),
                       rope_pairing_named(pairing), base);
}
Proof rope_norm_out(const val& x, double n_positions, const std::string& pairing, double base) {
  return rope_norm(floats(x), as_int("n_positions", n_positions), rope_pairing_named(pairing),
                   base);
}
Proof rope_pairings_out(const val& x, double n_positions, double base) {
  return rope_pairings(floats(x), as_int("n_positions", n_positions), base);
}
ProofList rope_proofs_out(double d, double cases, double seed, double base) {
  return list_of<ProofList>(
      rope_proofs(as_int("d", d), as_int("cases", cases), seed_in(seed), base));
}
struct RopeStretchingIn {
  std::string stretch;
  double factor, trained_length, length;
};
struct RopeFrequenciesOut {
  Float64Array frequencies{val::undefined()};
  double attention_factor;
};
RopeFrequenciesOut rope_frequencies_out(double d, double base, const RopeStretchingIn& in) {
  const RopeStretching stretching{rope_stretch_named(in.stretch), in.factor, in.trained_length,
                                  in.length};
  return {doubles(rope_frequencies(as_int("d", d), base, stretching)),
          attention_factor(stretching)};
}
TensorOut alibi_bias_out(double n_head, double n) {
  return tensor_out(alibi_bias(as_int("n_head", n_head), as_int("n", n)));
}
ProofList alibi_proofs_out(double n_head, double n) {
  return list_of<ProofList>(alibi_proofs(as_int("n_head", n_head), as_int("n", n)));
}

}  // namespace
}  // namespace poslab

using namespace poslab;

EMSCRIPTEN_BINDINGS(poslab_positions) {
  using namespace emscripten;
  register_type<ProofList>("Proof[]");
  register_type<SchemeList>("PositionScheme[]");

  value_object<SchemeOut>("PositionScheme")
      .FIELD(SchemeOut, name)
      .FIELD(SchemeOut, title)
      .FIELD(SchemeOut, summary);
  value_object<Proof>("Proof")
      .FIELD(Proof, claim)
      .FIELD(Proof, cases)
      .FIELD(Proof, largest)
      .FIELD(Proof, tolerance)
      .FIELD(Proof, holds);
  value_object<RopeStretchingIn>("RopeStretching")
      .FIELD(RopeStretchingIn, stretch)
      .FIELD(RopeStretchingIn, factor)
      .FIELD(RopeStretchingIn, trained_length)
      .FIELD(RopeStretchingIn, length);
  value_object<RopeFrequenciesOut>("RopeFrequencies")
      .FIELD(RopeFrequenciesOut, frequencies)
      .FIELD(RopeFrequenciesOut, attention_factor);

  function("position_schemes", &schemes);
  function("sinusoidal(n, d, base, layout, first)", &sinusoidal_out);
  function("wavelengths(d, base)", &wavelengths_out);
  function("rope(x, position, pairing, base)", &rope_out);
  function("alibi_slopes(n_head)", &alibi_slopes_out);
  function("sinusoidal_diagonals(n, d, base)", &diagonals_out);
  function("sinusoidal_shift(n, d, k, base)", &shift_out);
  function("shift_matrix(k, d, base)", &shift_matrix_out);
  function("turns(positions, d, base)", &turns_out);
  function("rope_score(q, k, m, n, pairing, base)", &rope_score_out);
  function("rope_contributions(q, k, m, n, pairing, base)", &rope_contributions_out);
  function("rope_distance(q, k, n_positions, pairing, base)", &rope_distance_out);
  function("rope_norm(x, n_positions, pairing, base)", &rope_norm_out);
  function("rope_pairings(x, n_positions, base)", &rope_pairings_out);
  function("rope_proofs(d, cases, seed, base)", &rope_proofs_out);
  function("rope_frequencies(d, base, stretching)", &rope_frequencies_out);
  function("alibi_bias(n_head, n)", &alibi_bias_out);
  function("alibi_proofs(n_head, n)", &alibi_proofs_out);
}
