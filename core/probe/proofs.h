// The lesson's claims as numbers: each is checked over many cases, and says how far the worst of
// them is off.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config.h"
#include "tensor.h"

namespace poslab {

struct Proof {
  std::string claim;  // which one, as a name: "sinusoidal_diagonals"
  double cases;       // how many equalities were compared
  double largest;     // the largest deviation among them
  double tolerance;   // what rounding to single precision can explain
  bool holds;         // largest <= tolerance
};

// Collects deviations of one claim; a NaN counts as the largest of all.
class Deviations {
 public:
  void add(double left, double right);
  Proof proof(std::string claim, double tolerance) const;

 private:
  double cases_ = 0.0, largest_ = 0.0;
};

// --- sinusoidal, over the table of n positions and width d ---

// PE PE^T is constant along its diagonals: the product of two rows depends on their distance only.
// It fails, and says so, for an odd d, whose last sine has no cosine. n 1 … 2048.
Proof sinusoidal_diagonals(int n, int d, double base = 10000.0);
// The matrix R_k (d,d) that turns each (sine, cosine) pair by k times its frequency; d even.
Tensor<2> shift_matrix(int k, int d, double base = 10000.0);
// PE(p+k) = R_k PE(p) for p = 0 … n-1, with R_k made from k alone.
Proof sinusoidal_shift(int n, int d, int k, double base = 10000.0);

// --- RoPE, of a query q and a key k of the same even length d ---

// The score of q at position m with k at position n, rope(q, m) . rope(k, n).
double rope_score(const std::vector<float>& q, const std::vector<float>& k, double m, double n,
                  RopePairing pairing, double base);
// What each pair i = 0 … d/2-1 contributes to that score.
std::vector<double> rope_contributions(const std::vector<float>& q, const std::vector<float>& k,
                                       double m, double n, RopePairing pairing, double base);
// Equal scores at equal distance, over all m, n < n_positions, as a share of |q| |k|.
Proof rope_distance(const std::vector<float>& q, const std::vector<float>& k, int n_positions,
                    RopePairing pairing, double base);
// |rope(x, p)| = |x| for p < n_positions, as a share of |x|.
Proof rope_norm(const std::vector<float>& x, int n_positions, RopePairing pairing, double base);
// Half-split pairing is adjacent pairing up to a permutation: turned half-split and reordered =
// reordered and turned adjacent.
Proof rope_pairings(const std::vector<float>& x, int n_positions, double base);
// The three claims over `cases` random vectors of length d, the worst deviation of each.
std::vector<Proof> rope_proofs(int d, int cases, std::uint64_t seed, double base);

// --- ALiBi ---

// The bias (H,n,n) that a model with these heads adds to its scores, [head][query][key].
Tensor<3> alibi_bias(int n_head, int n);
// Neighbours in a row differ by the head's slope; rows depend on distances, not on positions; the
// own position has bias 0.
std::vector<Proof> alibi_proofs(int n_head, int n);

// --- parameters ---

struct ParameterGroup {
  std::string name;  // "token table", "position table", "attention", …
  double count;
};
struct ParameterCounts {
  std::vector<ParameterGroup> groups;  // of the config as it is, by formula
  double tied, untied;                 // totals by formula
  Proof tied_proof, untied_proof;      // against the model's own list
};
// vocab_size must be known.
ParameterCounts parameter_counts(const GptConfig& config);

}  // namespace poslab
