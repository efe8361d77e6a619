#include "probe/bugs.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "position/alibi.h"
#include "position/rope.h"
#include "position/sinusoidal.h"
#include "probe/small_attention.h"

namespace poslab {
namespace {

constexpr int kTokens = 8, kWidth = 16, kHeads = 2, kHeadSize = kWidth / kHeads;
const std::vector<int> kOrder{3, 0, 7, 5, 1, 6, 2, 4};

// Inputs and weights that all variants share.
struct World {
  explicit World(std::uint64_t seed)
      : rng(seed, "bugs"),
        x(random_rows(rng, kTokens, kWidth)),
        wq(random_rows(rng, kWidth, kWidth, 0.4)),
        wk(random_rows(rng, kWidth, kWidth, 0.4)),
        wv(random_rows(rng, kWidth, kWidth, 0.4)) {}

  Tensor<2> attend(const Tensor<2>& input, const SmallAttention& layer) const {
    return layer(times(input, wq), times(input, wk), times(input, wv));
  }

  Rng rng;
  Tensor<2> x, wq, wk, wv;
};

// Rows turned head by head, row t at position_of(t).
template <class PositionOf>
Tensor<2> turned(const Tensor<2>& rows, RopePairing pairing, PositionOf position_of) {
  Tensor<2> out = rows;
  for (std::size_t t = 0; t < rows.shape()[0]; ++t) {
    for (int h = 0; h < kHeads; ++h) {
      const float* from = rows.data() + t * kWidth + h * kHeadSize;
      const std::vector<float> head =
          rope({from, from + kHeadSize}, position_of(static_cast<int>(t)), pairing);
      std::copy(head.begin(), head.end(), out.data() + t * kWidth + h * kHeadSize);
    }
  }
  return out;
}

int own_position(int t) { return t; }

// How far rows' products are from depending on their distance alone.
double off_diagonals(const Tensor<2>& products) {
  double largest = 0.0;
  for (std::size_t i = 1; i < products.shape()[0]; ++i) {
    for (std::size_t j = 1; j < products.shape()[1]; ++j)
      largest = std::max(largest,
                         std::fabs(static_cast<double>(products(i, j)) - products(i - 1, j - 1)));
  }
  return largest;
}

// 1 when reordering the tokens just reorders the outputs (order-blind), 0 when outputs differ by
// their own size.
double order_blindness(const Tensor<2>& straight, const Tensor<2>& moved) {
  double size = 0.0;
  for (const float x : straight) size = std::max(size, std::fabs(static_cast<double>(x)));
  const double difference = largest_difference(moved, reordered(straight, kOrder));
  return 1.0 - std::min(1.0, difference / (1e-3 * size));
}

struct Outcome {
  double right, variant;
  Tensor<2> expected, given;
};

// --- the eight ---

// Property: PE PE^T by distance alone.
Outcome sines_only(World&) {
  const Tensor<2> right = sinusoidal(kTokens, kWidth);
  Tensor<2> sines = right;
  for (int p = 0; p < kTokens; ++p) {
    for (int c = 1; c < kWidth; c += 2) sines(p, c) = sines(p, c - 1);
  }
  return {off_diagonals(times(right, transpose(right))),
          off_diagonals(times(sines, transpose(sines))), right, sines};
}

// Property: an attention without mask tells orders apart.
Outcome alibi_query_axis(World& world) {
  const std::vector<float> slopes = alibi_slopes(kHeads);
  SmallAttention right{kHeads, false,
                       [&](int h, int i, int j) { return -slopes[h] * std::abs(i - j); }};
  SmallAttention variant{kHeads, false, [&](int h, int i, int) { return -slopes[h] * i; }};
  const Tensor<2> moved = reordered(world.x, kOrder);
  const Tensor<2> a = world.attend(world.x, right), b = world.attend(world.x, variant);
  return {order_blindness(a, world.attend(moved, right)),
          order_blindness(b, world.attend(moved, variant)), a, b};
}

// Property: a token computed with the cache equals the same token computed in the whole sequence.
Outcome zero_after_cache(World& world) {
  const Tensor<2> q = times(world.x, world.wq), k = times(world.x, world.wk),
                  v = times(world.x, world.wv);
  const SmallAttention layer{kHeads, true, {}};
  const Tensor<2> whole = layer(turned(q, RopePairing::half, own_position),
                                turned(k, RopePairing::half, own_position), v);
  const auto cached = [&](bool counts_on) {
    // Every row as a step of its own: its query and key join what the cache holds.
    Tensor<2> out = whole;
    Tensor<2> keys = turned(k, RopePairing::half, [&](int t) { return counts_on ? t : 0; });
    for (int t = 0; t < kTokens; ++t) {
      const std::size_t seen = static_cast<std::size_t>(t) + 1, width = kWidth;
      Tensor<2> query = zeros<2>({1, width}), key = zeros<2>({seen, width}), value = key;
      std::copy_n(q.data() + t * kWidth, kWidth, query.data());
      std::copy_n(keys.data(), seen * width, key.data());
      std::copy_n(v.data(), seen * width, value.data());
      const Tensor<2> row = layer(
          turned(query, RopePairing::half, [&](int) { return counts_on ? t : 0; }), key, value);
      std::copy_n(row.data(), kWidth, out.data() + t * kWidth);
    }
    return out;
  };
  const Tensor<2> right = cached(true), variant = cached(false);
  return {largest_difference(whole, right), largest_difference(whole, variant), whole, variant};
}

// Property: moving the whole text by 5 positions leaves the outputs as they are.
Outcome rope_on_values(World& world) {
  const Tensor<2> q = times(world.x, world.wq), k = times(world.x, world.wk),
                  v = times(world.x, world.wv);
  const SmallAttention layer{kHeads, true, {}};
  const auto run = [&](int shift, bool values) {
    const auto at = [shift](int t) { return t + shift; };
    return layer(turned(q, RopePairing::half, at), turned(k, RopePairing::half, at),
                 values ? turned(v, RopePairing::half, at) : v);
  };
  const Tensor<2> right = run(0, false), variant = run(0, true);
  return {largest_difference(right, run(5, false)), largest_difference(variant, run(5, true)),
          right, variant};
}

// Property: scores of one query and one key, set at all pairs of positions, by distance alone.
Outcome pairing_mismatch(World& world) {
  const auto repeated = [](const Tensor<2>& rows) {
    return reordered(rows, std::vector<int>(kTokens, 0));
  };
  const Tensor<2> q = repeated(times(world.x, world.wq)), k = repeated(times(world.x, world.wk));
  const auto scores = [&](RopePairing of_keys) {
    return times(turned(q, RopePairing::half, own_position),
                 transpose(turned(k, of_keys, own_position)));
  };
  const Tensor<2> right = scores(RopePairing::half), variant = scores(RopePairing::adjacent);
  return {off_diagonals(right), off_diagonals(variant), right, variant};
}

// Property: an attention without mask tells orders apart. The one sequence is row 2 of its batch.
Outcome broadcast_over_batch(World& world) {
  const Tensor<2> rows = sinusoidal(kTokens, kWidth);
  const Tensor<2> repeated = reordered(rows, std::vector<int>(kTokens, 2));
  const SmallAttention layer{kHeads, false, {}};
  const Tensor<2> moved = reordered(world.x, kOrder);
  const auto blindness = [&](const Tensor<2>& added) {
    return order_blindness(world.attend(plus(world.x, added), layer),
                           world.attend(plus(moved, added), layer));
  };
  return {blindness(rows), blindness(repeated), rows, repeated};
}

// Property: with the columns of tokens and weights put into the same order, the outputs stay.
Outcome sin_cos_order(World& world) {
  const Tensor<2> right = sinusoidal(kTokens, kWidth);
  const Tensor<2> variant = sinusoidal(kTokens, kWidth, 10000.0, SinusoidLayout::concatenated);
  std::vector<int> columns;  // column c of the variant is this one of the right table
  for (int c = 0; c < kWidth; ++c)
    columns.push_back(c < kWidth / 2 ? 2 * c : 2 * (c - kWidth / 2) + 1);
  const Tensor<2> x = transpose(reordered(transpose(world.x), columns));
  World other = world;
  other.wq = reordered(world.wq, columns);
  other.wk = reordered(world.wk, columns);
  other.wv = reordered(world.wv, columns);
  const SmallAttention layer{kHeads, true, {}};
  const Tensor<2> a = world.attend(plus(world.x, right), layer);
  return {0.0, largest_difference(a, other.attend(plus(x, variant), layer)), right, variant};
}

// Property: outputs of a causal attention stay.
Outcome alibi_key_index(World& world) {
  const std::vector<float> slopes = alibi_slopes(kHeads);
  SmallAttention right{kHeads, true, [&](int h, int i, int j) { return -slopes[h] * (i - j); }};
  SmallAttention variant{kHeads, true, [&](int h, int, int j) { return slopes[h] * j; }};
  const auto bias = [&](const SmallAttention& layer) {
    Tensor<2> out = zeros<2>({kTokens, kTokens});
    for (int i = 0; i < kTokens; ++i) {
      for (int j = 0; j <= i; ++j) out(i, j) = static_cast<float>(layer.bias(0, i, j));
    }
    return out;
  };
  return {0.0, largest_difference(world.attend(world.x, right), world.attend(world.x, variant)),
          bias(right), bias(variant)};
}

struct Bug {
  const char* name;
  const char* change;
  const char* property;
  const char* matrix;
  double threshold;
  Outcome (*run)(World&);
  const char* symptom;  // as measured: said when the property is lost, or when it is kept
  const char* cure;
};

constexpr Bug kBugs[] = {
    {"sines_only", "Every column of the table is a sine; the cosines are left out.",
     "How far the product of two rows is from depending on their distance alone.", "PE", 1e-4,
     sines_only,
     "The product of two rows now depends on where they stand, not only on how far apart.",
     "Keep sine and cosine of each frequency: together they turn, alone they swing."},
    {"alibi_query_axis", "ALiBi's bias grows with the query's position instead of the distance.",
     "How order-blind an attention without mask is: 1 = completely.", "attention output", 0.5,
     alibi_query_axis,
     "Every score of a row got the same number, which softmax takes away again: no positions are "
     "left.",
     "Subtract slope times distance, which differs from key to key."},
    {"position_0_after_cache",
     "With a key-value cache, which keeps the keys and values of earlier tokens for reuse, every "
     "new "
     "token is turned as position 0.",
     "Difference between a token computed with the cache and within the whole sequence.",
     "attention output", 1e-4, zero_after_cache,
     "Training and generation no longer agree, from the second token on.",
     "Count on: the new token's position is the number of tokens in the cache."},
    {"rope_on_values", "RoPE turns the values as well as queries and keys.",
     "Change of the outputs when the whole text moves by 5 positions.", "attention output", 1e-4,
     rope_on_values, "Outputs depend on the absolute position, which RoPE is there to avoid.",
     "Turn queries and keys only."},
    {"pairing_mismatch",
     "Queries are turned half-split (number i with i + d/2), keys in adjacent pairs (2i with "
     "2i + 1).",
     "How far the score of one query and one key is from depending on their distance alone.",
     "scores", 1e-4, pairing_mismatch, "Equal distances give unequal scores.",
     "Use one pairing for both, the one that the weights were trained with."},
    {"broadcast_over_batch",
     "The position rows are broadcast over the batch, the sequences that are read at once: all "
     "tokens of a sequence get its batch index.",
     "How order-blind an attention without mask is: 1 = completely.", "position rows", 0.5,
     broadcast_over_batch, "All tokens of a sequence got the same row, so their order is lost.",
     "Add pe[:T] of shape (T, C) to x of shape (B, T, C)."},
    {"sin_cos_order", "All sines come first, then all cosines.",
     "Change of the outputs when the columns of tokens and weights are put into the same order.",
     "PE", 1e-4, sin_cos_order,
     "The outputs stay: it is the same model with its columns in another order.",
     "Nothing to cure; only weights trained with the other order would need reordering."},
    {"alibi_key_index",
     "ALiBi's bias is slope times the key's position instead of minus slope "
     "times the distance; with a causal mask.",
     "Change of the outputs.", "bias of head 0", 1e-4, alibi_key_index,
     "The outputs stay: the two differ by one number for each row, which softmax takes away.",
     "Nothing to cure under a causal mask; BLOOM does it this way."},
};

}  // namespace

std::vector<std::string> bug_names() {
  std::vector<std::string> out;
  for (const Bug& bug : kBugs) out.push_back(bug.name);
  return out;
}

BugReport run_bug(const std::string& name, std::uint64_t seed) {
  const Bug* bug = std::find_if(std::begin(kBugs), std::end(kBugs),
                                [&](const Bug& b) { return name == b.name; });
  require(bug != std::end(kBugs), "There is no variant named " + quoted(name) + ".");
  World world(seed);
  Outcome outcome = bug->run(world);
  BugReport report{};
  report.name = bug->name, report.change = bug->change, report.property = bug->property;
  report.right = outcome.right, report.variant = outcome.variant;
  report.threshold = bug->threshold;
  report.faulty = !(outcome.variant <= bug->threshold);
  report.matrix = bug->matrix, report.symptom = bug->symptom, report.cure = bug->cure;
  const std::size_t columns = outcome.expected.shape()[1];
  for (std::size_t i = 0; i < outcome.expected.size(); ++i) {
    const double off =
        std::fabs(static_cast<double>(outcome.expected.data()[i]) - outcome.given.data()[i]);
    report.largest = std::max(report.largest, off);
    if (!(off > 1e-4) || report.has_wrong_cell) continue;
    report.has_wrong_cell = true;
    report.row = static_cast<int>(i / columns), report.column = static_cast<int>(i % columns);
  }
  report.expected = std::move(outcome.expected), report.given = std::move(outcome.given);
  return report;
}

}  // namespace poslab
