// The layers of a GPT, each x_forward with its x_backward right under it.
//
// Letters: B windows of a batch, T tokens of a window, N = B T rows, C = n_embd, H heads, D = C /
// H, V = vocab_size. Buffers are row-major float arrays, shapes in brackets. In backward functions
// dx is the gradient of the loss by x. Gradients of the residual stream accumulate (+=), and so do
// those of the embedding, whose table may be the output layer's too; all others are written (=),
// since nothing else adds to them. No layer allocates.
#pragma once

#include <cstdint>

#include "kernels/matmul.h"
#include "position/position.h"

namespace poslab {

// x (B,T,C) = embedding_scale * wte[ids] + the position scheme's rows. wte (V,C), ids (B,T), window
// row t at position first + t.
void embedding_forward(float* x, const int* ids, const float* weights, ParameterRef wte,
                       const Position& position, float embedding_scale, int B, int T, int C,
                       int first);
void embedding_backward(float* grads, const float* dx, const int* ids, ParameterRef wte,
                        const Position& position, float embedding_scale, int B, int T, int C);

// out (N,C) = (x - mean) * rstd * gain + bias by rows, with mean, rstd (N) kept for the way back
// (Ba et al. 2016).
void layernorm_forward(float* out, float* mean, float* rstd, const float* x, const float* gain,
                       const float* bias, int N, int C);
// The same of x (N,C) = input + branch, added a few rows at a time: they are still in the nearest
// cache when they are normalised.
void add_layernorm_forward(float* out, float* mean, float* rstd, float* x, const float* input,
                           const float* branch, const float* gain, const float* bias, int N, int C);
// dx (N,C) += …, dgain, dbias (C) = …
void layernorm_backward(float* dx, float* dgain, float* dbias, const float* dout, const float* x,
                        const float* mean, const float* rstd, const float* gain, int N, int C);

// out (N,O) = x (N,I) weight^T + bias; weight (O,I) as in PyTorch, given as pack_columns(I, O,
// weight^T), which serves every batch until the weight changes; bias (O) or nullptr.
void linear_forward(float* out, const float* x, const float* packed_transpose, const float* bias,
                    int N, int I, int O);
// dx (N,I) = …; dweight (O,I), dbias (O; nullptr = none) = …; the weight as pack_columns(O, I,
// weight).
void linear_backward(float* dx, float* dweight, float* dbias, const float* dout, const float* x,
                     const float* packed, int N, int I, int O);

// out = x * Phi(x) in its tanh form (Hendrycks and Gimpel 2016, as in GPT-2), n numbers. The slope
// at x falls out of the same exponential and is kept for the way back; it may be written over x.
void gelu_forward(float* out, float* slope, const float* x, std::size_t n);
// dx = …; dx may be dout itself.
void gelu_backward(float* dx, const float* dout, const float* slope, std::size_t n);

// One attention problem: Tq queries look at Tk keys (Tq = Tk in training; with a cache Tk also
// counts the earlier tokens). Query t stands at position Tk - Tq + t. Rows of q lie q_stride floats
// apart, rows of k and v kv_stride, heads side by side in a row.
struct AttentionShape {
  int B, Tq, Tk, H, D;
  std::ptrdiff_t q_stride, kv_stride;
  bool causal;

  // Floats from one row of probs to the next: whole panels of keys.
  int row() const { return static_cast<int>(packed_size(1, Tk)); }
  // Floats of probs, and of the scratch that both directions need at most: more than a module of 32
  // bits can count, let alone hold, for the largest models allowed.
  std::uint64_t probs_size() const { return std::uint64_t(B) * H * Tq * row(); }
  std::uint64_t scratch_size() const;
};
// out (B,Tq,C) = softmax(q k^T / sqrt(D) + bias) v by heads; probs (B,H,Tq,row()): the softmax.
// Entries of probs that a causal mask rules out are left undefined past the query's own block of
// rows.
void attention_forward(float* out, float* probs, const float* q, const float* k, const float* v,
                       const Position& position, const AttentionShape& shape, float* scratch);
// dq, dk, dv = …, laid out as q, k, v; needs Tq = Tk.
void attention_backward(float* dq, float* dk, float* dv, const float* dout, const float* probs,
                        const float* q, const float* k, const float* v, const AttentionShape& shape,
                        float* scratch);

// Mean cross-entropy of logits (N,V) against targets (N), in nats, added up in double.
double cross_entropy(const float* logits, const int* targets, int N, int V);
// These rows' share of a mean over batch_rows >= N rows; logits become its gradient,
// (softmax(logits) - onehot(target)) / batch_rows.
double cross_entropy_backward(float* logits, const int* targets, int N, int V, int batch_rows);

}  // namespace poslab
