// The spine: a GPT-2-style decoder as a straight list of layer calls, and the same list upside
// down. Knows nothing of optimisers, corpora or batches' origin.
#pragma once

#include <memory>
#include <vector>

#include "config.h"
#include "kernels/floats.h"
#include "layers/layers.h"
#include "parameters.h"
#include "position/position.h"
#include "tensor.h"

namespace poslab {

// Keys and values of the tokens a generation has seen, so that each further token costs one row.
struct KvCache {
  KvCache(const GptConfig& config, int capacity);
  void clear() { length = 0; }

  int capacity;
  int length = 0;                    // tokens held
  std::vector<Floats> keys, values;  // one (capacity,C) a layer
  Floats scratch;                    // of the attention over the cache
};

class Gpt {
 public:
  // Throws complaint(config). Weights start from config.seed.
  explicit Gpt(const GptConfig& config);

  const GptConfig& config() const { return config_; }
  const ParameterList& parameters() const { return parameters_; }
  const Floats& weights() const { return weights_; }
  // The weights to change, before the next forward pass and not later: what was packed of the old
  // ones is packed anew then.
  Floats& change_weights();
  void initialise();  // back to the seed's initial weights

  // Logits (B,T,V) of ids (B,T), valid until the next call; without a cache positions are 0 … T-1.
  // With a cache (B = 1) the ids follow the cached tokens and are added to it.
  // T may exceed block_size where the scheme has such positions; otherwise throws.
  float* forward(const int* ids, int B, int T, KvCache* cache = nullptr);
  // Mean loss in nats of the last forward's logits against targets (B,T).
  double loss(const int* targets) const;
  // Writes to gradients (laid out as the weights) what the last forward's windows contribute to the
  // gradient of a mean loss over batch_rows tokens, of which they may be a part, and returns their
  // contribution to that loss. Follows a forward of the same ids without a cache; consumes its
  // logits.
  double backward(const int* ids, const int* targets, int batch_rows, float* gradients);

  // Softmax weights (L,H,T,T) of the last forward's only window (B = 1, no cache); masked entries
  // are 0.
  Tensor<4> attention_weights() const;
  // The rows the scheme adds to the input, (n,C); only for a scheme that adds rows.
  Tensor<2> position_rows(int n);
  bool adds_rows() const { return position_->adds_rows(); }
  // What token rows are multiplied by before positions are added.
  float embedding_scale() const { return embedding_scale_; }
  // Copies of the residual stream of the last forward, (B T,C): before block `layer`, or after the
  // last one when layer = n_layer; and inside a block, after attention was added.
  Tensor<2> residual(int layer) const;
  Tensor<2> residual_after_attention(int layer) const;

 private:
  // A weight (out,in), its bias (out; size 0 = none), and where it lies in panels_: transposed for
  // the forward pass, as it is for the way back.
  struct Linear {
    ParameterRef weight, bias;
    int in = 0, out = 0;
    std::size_t forward_at = 0, backward_at = 0;
  };
  struct Block {
    ParameterRef ln_1_weight, ln_1_bias;
    Linear attn, proj;
    ParameterRef ln_2_weight, ln_2_bias;
    Linear fc, mlp_proj;
  };
  // What the forward pass of a block leaves for the backward pass; N = B T.
  struct BlockActivations {
    float* input;                         // (N,C) residual stream
    float *ln_1, *ln_1_mean, *ln_1_rstd;  // (N,C), (N), (N)
    float* qkv;                           // (N,3C) queries and keys already turned
    float *probs, *heads;                 // (B,H,T,row()), (N,C)
    float* middle;                        // (N,C) residual stream after attention
    float *ln_2, *ln_2_mean, *ln_2_rstd;
    float *fc, *gelu;  // (N,4C); fc becomes the slope of gelu there
  };

  Linear linear(ParameterRef weight, ParameterRef bias, int in, int out);
  void pack();
  void linear_forward(float* out, const float* x, const Linear& layer, int N) const;
  void linear_backward(float* dx, float* gradients, const float* dout, const float* x,
                       const Linear& layer, int N) const;
  void lay_out(int B, int T);
  AttentionShape attention_shape(int B, int Tq, int Tk, bool cached) const;
  void forward_block(int layer, int B, int T, KvCache* cache);
  void attend_with_cache(int layer, int T, KvCache& cache);
  void backward_block(int layer, float* gradients);
  void turn(float* qkv, int B, int T, int first, bool forward) const;
  Tensor<2> stream(const float* rows) const;
  const float* w(ParameterRef ref) const { return weights_.data() + ref.offset; }

  GptConfig config_;
  ParameterList parameters_;
  ParameterRef wte_, positions_, ln_f_weight_, ln_f_bias_;  // positions_: all of the scheme's
  std::vector<Block> blocks_;
  Linear lm_head_;  // its weight is wte_ when tied
  // The weights of all linear layers as products need them, packed by the first forward pass after
  // a change: the shards of a step, the batches of an evaluation and the tokens of a text share
  // them. Both forms at once, while a weight is in the cache.
  Floats panels_;
  std::size_t panels_size_ = 0;
  bool packed_ = false;
  std::unique_ptr<Position> position_;
  float embedding_scale_;
  Floats weights_;

  int B_ = 0, T_ = 0;  // of the last forward
  bool cached_ = false;
  Floats arena_;  // all activations; grows, never shrinks
  std::vector<BlockActivations> acts_;
  float *final_ = nullptr, *ln_f_ = nullptr, *ln_f_mean_ = nullptr, *ln_f_rstd_ = nullptr,
        *logits_ = nullptr;
  float* branch_ = nullptr;  // (N,C) output of a branch before it is added
  float *dstream_ = nullptr, *dwidth_ = nullptr, *dwide_ = nullptr;  // (N,C), (N,C), (N,4C)
  float* scratch_ = nullptr;
};

}  // namespace poslab
