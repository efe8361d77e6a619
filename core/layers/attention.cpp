#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/math.h"
#include "kernels/matmul.h"
#include "kernels/vector.h"
#include "layers/layers.h"

namespace poslab {
namespace {

// Rows of queries that are multiplied by keys or values up to one limit: under a causal mask a
// block ends at its last query's own key, which leaves out the upper triangle but for half a block.
constexpr int kBlockRows = 8;

int keys_seen(const AttentionShape& s, int query) {
  return s.causal ? s.Tk - s.Tq + query + 1 : s.Tk;
}

// Rows of scores, `row` floats apart, become softmax(scores * scale + bias) over the keys each has
// seen, and 0 from there up to the end of the last row's last vector. Each step is done for all
// rows before the next, since a row alone would wait for its maximum and for its sum.
template <class Seen, class Bias>
void softmax_rows(float* scores, std::ptrdiff_t row, int rows, float scale, Seen seen_by,
                  Bias bias_of) {
  alignas(16) constexpr float kCounting[] = {0.0f, 1.0f, 2.0f, 3.0f};
  const f32x4 minus_infinity = splat(-std::numeric_limits<float>::infinity());
  const f32x4 scale4 = splat(scale), counting = load(kCounting);
  const auto where_seen = [&](f32x4 v, int j, int seen, f32x4 elsewhere) {
    if (j + 4 <= seen) return v;
    return select_less(counting, splat(static_cast<float>(seen - j)), v, elsewhere);
  };
  const int upto = (seen_by(rows - 1) + 3) / 4 * 4;
  float most[kBlockRows], share[kBlockRows];
  for (int r = 0; r < rows; ++r) {
    float* s = scores + r * row;
    const float* bias = bias_of(r);
    const int seen = seen_by(r);
    f32x4 top = minus_infinity;
    for (int j = 0; j < upto; j += 4) {
      f32x4 v = load(s + j) * scale4;
      if (bias != nullptr) v = v + load(bias + j);
      v = where_seen(v, j, seen, minus_infinity);
      store(s + j, v);
      top = max(top, v);
    }
    most[r] = reduce_max(top);
  }
  for (int r = 0; r < rows; ++r) {
    float* s = scores + r * row;
    f32x4 sum = splat(0.0f);
    exp_below(s, upto, most[r]);
    for (int j = 0; j < upto; j += 4) sum = sum + load(s + j);
    share[r] = 1.0f / reduce_add(sum);
  }
  for (int r = 0; r < rows; ++r) {
    float* s = scores + r * row;
    const f32x4 share4 = splat(share[r]);
    // Zero as they are, but not times a share that is not finite.
    const int seen = seen_by(r);
    for (int j = 0; j < upto; j += 4) {
      store(s + j, where_seen(load(s + j) * share4, j, seen, splat(0.0f)));
    }
  }
}

// dscores = probs * (dprobs - sum(probs * dprobs)) * scale, the derivative of softmax, over [0,
// upto).
void softmax_row_backward(float* dscores, const float* probs, int upto, float scale) {
  f32x4 product = splat(0.0f);
  for (int j = 0; j < upto; j += 4) product = product + load(probs + j) * load(dscores + j);
  const f32x4 mean = splat(reduce_add(product)), scale4 = splat(scale);
  for (int j = 0; j < upto; j += 4) {
    store(dscores + j, load(probs + j) * (load(dscores + j) - mean) * scale4);
  }
}

// out (Tq,row()) = rows (Tq,D) times packed (D,Tk): a panel of keys at a time by all queries from
// the first on that has seen any of them. Each panel is scored whole, which is cheaper than a
// narrow product; what no query has seen stays undefined.
void scores(float* out, const float* rows, std::ptrdiff_t stride, const float* packed,
            const AttentionShape& s) {
  for (int j = 0; j < s.Tk; j += kPanelColumns) {
    const int first = s.causal ? std::max(0, j - (s.Tk - s.Tq)) : 0;
    matmul_packed(s.Tq - first, kPanelColumns, s.D, row_major(rows + first * stride, stride),
                  packed + static_cast<std::ptrdiff_t>(j) * s.D, s.D, 0, {},
                  out + first * s.row() + j, s.row());
  }
}

// out (Tq,D), `stride` floats from row to row, = weights (Tq,row()) times packed (Tk,D), by the
// keys that each query has seen.
void weigh(float* out, std::ptrdiff_t stride, const float* weights, const float* packed,
           const AttentionShape& s) {
  // Every query has seen the keys before the first one's own, and a last query all there are.
  const int before = s.causal && s.Tq > 1 ? s.Tk - s.Tq : s.Tk;
  if (before > 0) {
    matmul_packed(s.Tq, s.D, before, row_major(weights, s.row()), packed, s.Tk, 0, {}, out, stride);
  }
  if (before == s.Tk) return;
  matmul_packed(s.Tq, s.D, s.Tq, row_major(weights + before, s.row()), packed, s.Tk, before,
                before > 0 ? StartFrom{out, stride} : StartFrom{}, out, stride, {}, Part::lower);
}

float score_scale(int D) { return 1.0f / std::sqrt(static_cast<float>(D)); }

}  // namespace

std::uint64_t AttentionShape::scratch_size() const {
  const std::uint64_t key_panels = packed_size(D, Tk);
  const std::uint64_t value_panels = packed_size(std::max(Tk, Tq), D);
  return key_panels + 3 * value_panels + std::uint64_t(Tq) * row();
}

void attention_forward(float* out, float* probs, const float* q, const float* k, const float* v,
                       const Position& position, const AttentionShape& s, float* scratch) {
  const float scale = score_scale(s.D);
  const int row = s.row(), offset = s.Tk - s.Tq, C = s.H * s.D;
  float* keys = scratch;                          // k^T (D,Tk), packed
  float* values = keys + packed_size(s.D, s.Tk);  // v (Tk,D), packed
  for (int b = 0; b < s.B; ++b) {
    for (int h = 0; h < s.H; ++h) {
      const std::ptrdiff_t kv = static_cast<std::ptrdiff_t>(b) * s.Tk * s.kv_stride + h * s.D;
      pack_columns(s.D, s.Tk, transposed(row_major(k + kv, s.kv_stride)), keys);
      pack_columns(s.Tk, s.D, row_major(v + kv, s.kv_stride), values);
      const std::ptrdiff_t window = static_cast<std::ptrdiff_t>(b) * s.Tq;
      float* head = probs + (window * s.H + static_cast<std::ptrdiff_t>(h) * s.Tq) * row;
      scores(head, q + window * s.q_stride + h * s.D, s.q_stride, keys, s);
      for (int t = 0; t < s.Tq; t += kBlockRows) {
        const int rows = std::min(kBlockRows, s.Tq - t);
        float* p = head + t * row;
        softmax_rows(
            p, row, rows, scale, [&](int r) { return keys_seen(s, t + r); },
            [&](int r) { return position.bias_row(h, offset + t + r); });
      }
      weigh(out + window * C + h * s.D, C, head, values, s);
    }
  }
}

void attention_backward(float* dq, float* dk, float* dv, const float* dout, const float* probs,
                        const float* q, const float* k, const float* v, const AttentionShape& s,
                        float* scratch) {
  const float scale = score_scale(s.D);
  const int row = s.row(), T = s.Tq, C = s.H * s.D;
  float* values = scratch;                        // v^T (D,T), packed
  float* keys = values + packed_size(s.D, T);     // k (T,D), packed
  float* queries = keys + packed_size(T, s.D);    // q (T,D), packed
  float* dheads = queries + packed_size(T, s.D);  // dout (T,D), packed
  float* dscores = dheads + packed_size(T, s.D);  // (T,row)
  for (int b = 0; b < s.B; ++b) {
    for (int h = 0; h < s.H; ++h) {
      const std::ptrdiff_t window = static_cast<std::ptrdiff_t>(b) * T;
      const std::ptrdiff_t at_q = window * s.q_stride + h * s.D,
                           at_kv = window * s.kv_stride + h * s.D;
      const float* dhead = dout + window * C + h * s.D;
      const float* p = probs + (static_cast<std::ptrdiff_t>(b) * s.H + h) * T * row;
      pack_columns(s.D, T, transposed(row_major(v + at_kv, s.kv_stride)), values);
      pack_columns(T, s.D, row_major(k + at_kv, s.kv_stride), keys);
      pack_columns(T, s.D, row_major(q + at_q, s.q_stride), queries);
      pack_columns(T, s.D, row_major(dhead, C), dheads);
      scores(dscores, dhead, C, values, s);
      for (int t = 0; t < T; t += kBlockRows) {
        const int rows = std::min(kBlockRows, T - t);
        const int limit = keys_seen(s, t + rows - 1);
        float* ds = dscores + t * row;
        const int whole = (limit + 3) / 4 * 4;
        for (int r = 0; r < rows; ++r) {
          // Up to 3 floats past the limit are read as whole vectors; where probs is 0 they must be
          // finite.
          std::fill(ds + r * row + limit, ds + r * row + whole, 0.0f);
          softmax_row_backward(ds + r * row, p + (t + r) * row, whole, scale);
        }
      }
      weigh(dq + at_q, s.q_stride, dscores, keys, s);
      // Only queries from a key's own on have seen it.
      const Part part = s.causal ? Part::upper : Part::whole;
      matmul_packed(T, s.D, T, transposed(row_major(p, row)), dheads, T, 0, {}, dv + at_kv,
                    s.kv_stride, {}, part);
      matmul_packed(T, s.D, T, transposed(row_major(dscores, row)), queries, T, 0, {}, dk + at_kv,
                    s.kv_stride, {}, part);
    }
  }
}

}  // namespace poslab
