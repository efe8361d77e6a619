#include "probe/proofs.h"

#include <cmath>
#include <limits>

#include "error.h"
#include "kernels/math.h"
#include "position/alibi.h"
#include "position/registry.h"
#include "position/rope.h"
#include "position/sinusoidal.h"
#include "rng.h"

namespace poslab {

void Deviations::add(double left, double right) {
  cases_ += 1.0;
  const double deviation = std::fabs(left - right);
  if (!(deviation <= largest_)) {
    largest_ = deviation == deviation ? deviation : std::numeric_limits<double>::infinity();
  }
}

Proof Deviations::proof(std::string claim, double tolerance) const {
  return {std::move(claim), cases_, largest_, tolerance, largest_ <= tolerance};
}

namespace {

double dot(const float* a, const float* b, int d) {
  double sum = 0.0;
  for (int c = 0; c < d; ++c) sum += static_cast<double>(a[c]) * b[c];
  return sum;
}
double dot(const std::vector<float>& a, const std::vector<float>& b) {
  return dot(a.data(), b.data(), static_cast<int>(a.size()));
}

double norm(const std::vector<float>& x) { return std::sqrt(dot(x, x)); }

void require_pair(const std::vector<float>& q, const std::vector<float>& k) {
  require(q.size() == k.size(), "q has " + text_of(static_cast<double>(q.size())) +
                                    " numbers and k has " + text_of(static_cast<double>(k.size())) +
                                    "; a score needs equally many.");
  for (const float x : q) require(std::isfinite(x), "q holds a number that is not finite.");
  for (const float x : k) require(std::isfinite(x), "k holds a number that is not finite.");
}

// Which number of adjacent pairing stands at each place of half-split pairing.
std::vector<float> adjacent_order(const std::vector<float>& half) {
  std::vector<float> out(half.size());
  for (std::size_t i = 0; i < half.size() / 2; ++i) {
    out[2 * i] = half[i];
    out[2 * i + 1] = half[i + half.size() / 2];
  }
  return out;
}

std::vector<float> random_vector(Rng& rng, int d) {
  std::vector<float> x(d);
  for (float& v : x) v = static_cast<float>(rng.normal());
  return x;
}

Proof worse(const Proof& a, const Proof& b) {
  Proof out = a.largest >= b.largest ? a : b;
  out.cases = a.cases + b.cases;
  return out;
}

}  // namespace

Proof sinusoidal_diagonals(int n, int d, double base) {
  require_between("n", n, 1, 2048);
  const Tensor<2> table = sinusoidal(n, d, base);
  const auto product = [&](int p, int q) { return dot(&table(p, 0), &table(q, 0), d); };
  Deviations deviations;
  for (int p = 0; p < n; ++p) {
    for (int q = p; q < n; ++q) deviations.add(product(p, q), product(0, q - p));
  }
  return deviations.proof("sinusoidal_diagonals", 1e-7 * (d + 1));
}

Tensor<2> shift_matrix(int k, int d, double base) {
  require_between("k", k, -1e6, 1e6);
  require_between("d", d, 1, 4096);
  require_between("base", base, 1, 1e12);
  require(d % 2 == 0,
          "d is " + text_of(d) + "; a shift turns pairs of sine and cosine, so d must be even.");
  Tensor<2> matrix = zeros<2>({static_cast<std::size_t>(d), static_cast<std::size_t>(d)});
  for (int i = 0; i < d / 2; ++i) {
    const SinCos turn = sincos(k / power(base, 2.0 * i / d));
    matrix(2 * i, 2 * i) = matrix(2 * i + 1, 2 * i + 1) = static_cast<float>(turn.cos);
    matrix(2 * i, 2 * i + 1) = static_cast<float>(turn.sin);
    matrix(2 * i + 1, 2 * i) = static_cast<float>(-turn.sin);
  }
  return matrix;
}

Proof sinusoidal_shift(int n, int d, int k, double base) {
  require_between("n", n, 1, 65536);
  const Tensor<2> turn = shift_matrix(k, d, base);
  const Tensor<2> here = sinusoidal(n, d, base);
  const Tensor<2> there = sinusoidal(n, d, base, SinusoidLayout::interleaved, k);
  Deviations deviations;
  for (int p = 0; p < n; ++p) {
    for (int c = 0; c < d; ++c) {
      // R_k has nothing outside its 2 x 2 blocks.
      const int pair = c / 2 * 2;
      deviations.add(dot(&turn(c, pair), &here(p, pair), 2), there(p, c));
    }
  }
  return deviations.proof("sinusoidal_shift", 1e-6);
}

double rope_score(const std::vector<float>& q, const std::vector<float>& k, double m, double n,
                  RopePairing pairing, double base) {
  require_pair(q, k);
  return dot(rope(q, m, pairing, base), rope(k, n, pairing, base));
}

std::vector<double> rope_contributions(const std::vector<float>& q, const std::vector<float>& k,
                                       double m, double n, RopePairing pairing, double base) {
  require_pair(q, k);
  const std::vector<float> a = rope(q, m, pairing, base), b = rope(k, n, pairing, base);
  const std::size_t pairs = a.size() / 2;
  std::vector<double> out;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t first = pairing == RopePairing::half ? i : 2 * i;
    const std::size_t second = pairing == RopePairing::half ? i + pairs : 2 * i + 1;
    out.push_back(static_cast<double>(a[first]) * b[first] +
                  static_cast<double>(a[second]) * b[second]);
  }
  return out;
}

Proof rope_distance(const std::vector<float>& q, const std::vector<float>& k, int n_positions,
                    RopePairing pairing, double base) {
  require_pair(q, k);
  require_between("n_positions", n_positions, 1, 2048);
  std::vector<std::vector<float>> queries, keys;
  for (int p = 0; p < n_positions; ++p) {
    queries.push_back(rope(q, p, pairing, base));
    keys.push_back(rope(k, p, pairing, base));
  }
  const double scale = norm(q) * norm(k);
  const double share = scale > 0.0 ? 1.0 / scale : 0.0;
  Deviations deviations;
  for (int m = 0; m < n_positions; ++m) {
    for (int n = 0; n < n_positions; ++n) {
      const int low = m < n ? m : n;  // the same distance, as near to position 0 as possible
      deviations.add(dot(queries[m], keys[n]) * share,
                     dot(queries[m - low], keys[n - low]) * share);
    }
  }
  return deviations.proof("rope_distance", 1e-6);
}

Proof rope_norm(const std::vector<float>& x, int n_positions, RopePairing pairing, double base) {
  require_between("n_positions", n_positions, 1, 65536);
  const double length = norm(x);
  Deviations deviations;
  for (int p = 0; p < n_positions; ++p) {
    const double turned = norm(rope(x, p, pairing, base));
    deviations.add(length > 0.0 ? turned / length : turned + 1.0, 1.0);
  }
  return deviations.proof("rope_norm", 1e-6);
}

Proof rope_pairings(const std::vector<float>& x, int n_positions, double base) {
  require_between("n_positions", n_positions, 1, 65536);
  const double scale = norm(x);
  Deviations deviations;
  for (int p = 0; p < n_positions; ++p) {
    const std::vector<float> left = adjacent_order(rope(x, p, RopePairing::half, base));
    const std::vector<float> right = rope(adjacent_order(x), p, RopePairing::adjacent, base);
    for (std::size_t c = 0; c < x.size(); ++c)
      deviations.add(left[c] / (scale > 0.0 ? scale : 1.0), right[c] / (scale > 0.0 ? scale : 1.0));
  }
  return deviations.proof("rope_pairings", 1e-6);
}

std::vector<Proof> rope_proofs(int d, int cases, std::uint64_t seed, double base) {
  require_whole("d", d, 2, 1024);
  require_whole("cases", cases, 1, 1000);
  constexpr int kPositions = 32;
  Rng rng(seed, "rope_proofs");
  std::vector<Proof> total;
  for (int i = 0; i < cases; ++i) {
    const std::vector<float> q = random_vector(rng, d), k = random_vector(rng, d);
    const RopePairing pairing = i % 2 == 0 ? RopePairing::half : RopePairing::adjacent;
    const std::vector<Proof> each{rope_distance(q, k, kPositions, pairing, base),
                                  rope_norm(q, kPositions, pairing, base),
                                  rope_pairings(q, kPositions, base)};
    if (total.empty()) {
      total = each;
    } else {
      for (std::size_t j = 0; j < each.size(); ++j) total[j] = worse(total[j], each[j]);
    }
  }
  return total;
}

Tensor<3> alibi_bias(int n_head, int n) {
  require_whole("n_head", n_head, 1, 64);
  require_whole("n", n, 1, 1024);
  GptConfig config;
  config.n_head = n_head;
  config.n_embd = n_head;
  config.block_size = n;
  ParameterList parameters;
  const auto position = position_scheme("alibi").make(config, parameters);
  Tensor<3> out = zeros<3>(
      {static_cast<std::size_t>(n_head), static_cast<std::size_t>(n), static_cast<std::size_t>(n)});
  for (int h = 0; h < n_head; ++h) {
    for (int i = 0; i < n; ++i) {
      const float* row = position->bias_row(h, i);
      for (int j = 0; j < n; ++j) out(h, i, j) = row[j];
    }
  }
  return out;
}

std::vector<Proof> alibi_proofs(int n_head, int n) {
  const Tensor<3> bias = alibi_bias(n_head, n);
  const std::vector<float> slopes = alibi_slopes(n_head);
  Deviations steps, shifts, own;
  for (int h = 0; h < n_head; ++h) {
    for (int i = 0; i < n; ++i) {
      own.add(bias(h, i, i), 0.0);
      for (int j = 0; j < i; ++j)
        steps.add(static_cast<double>(bias(h, i, j + 1)) - bias(h, i, j), slopes[h]);
      for (int j = 0; j + 1 < n && i + 1 < n; ++j) shifts.add(bias(h, i + 1, j + 1), bias(h, i, j));
    }
  }
  return {steps.proof("alibi_slope", 1e-7 * n), shifts.proof("alibi_relative", 0.0),
          own.proof("alibi_own_position", 0.0)};
}

}  // namespace poslab
