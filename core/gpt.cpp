#include "gpt.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>

#include "error.h"
#include "position/registry.h"

namespace poslab {
namespace {

// As resize, of a size that may not fit in the 32 bits of a module's std::size_t.
void grow(Floats& floats, std::uint64_t size) {
  if (size > floats.max_size()) throw std::bad_alloc();
  floats.resize(static_cast<std::size_t>(size));
}

}  // namespace

KvCache::KvCache(const GptConfig& config, int capacity_) : capacity(capacity_) {
  const std::size_t size = static_cast<std::size_t>(capacity) * config.n_embd;
  keys.assign(config.n_layer, Floats(size));
  values = keys;
}

Gpt::Gpt(const GptConfig& config) : config_(config) {
  const std::string wrong = complaint(config_);
  require(wrong.empty(), wrong);
  const int C = config_.n_embd, V = config_.vocab_size;
  // Initial spreads as in GPT-2: 0.02, and less for what ends in the residual stream, which 2
  // n_layer branches add to.
  const double std = 0.02, residual_std = std / std::sqrt(2.0 * config_.n_layer);
  const auto matrix = [&](const std::string& name, int rows, int columns, double spread) {
    return parameters_.add(name, {rows, columns}, Init::normal, spread, true);
  };
  const auto vector = [&](const std::string& name, int size, Init init) {
    return parameters_.add(name, {size}, init, 0.0, false);
  };
  const auto dense = [&](const std::string& name, int in, int out, double spread) {
    const ParameterRef weight = matrix(name + ".weight", out, in, spread);
    return linear(weight, vector(name + ".bias", out, Init::zeros), in, out);
  };
  wte_ = matrix("wte.weight", V, C, std);
  positions_.offset = parameters_.total();
  position_ = position_scheme(config_.positions).make(config_, parameters_);
  positions_.size = parameters_.total() - positions_.offset;
  for (int layer = 0; layer < config_.n_layer; ++layer) {
    const std::string h = "h." + text_of(layer) + ".";
    Block block;
    block.ln_1_weight = vector(h + "ln_1.weight", C, Init::ones);
    block.ln_1_bias = vector(h + "ln_1.bias", C, Init::zeros);
    block.attn = dense(h + "attn.c_attn", C, 3 * C, std);
    block.proj = dense(h + "attn.c_proj", C, C, residual_std);
    block.ln_2_weight = vector(h + "ln_2.weight", C, Init::ones);
    block.ln_2_bias = vector(h + "ln_2.bias", C, Init::zeros);
    block.fc = dense(h + "mlp.c_fc", C, 4 * C, std);
    block.mlp_proj = dense(h + "mlp.c_proj", 4 * C, C, residual_std);
    blocks_.push_back(block);
  }
  ln_f_weight_ = vector("ln_f.weight", C, Init::ones);
  ln_f_bias_ = vector("ln_f.bias", C, Init::zeros);
  lm_head_ = linear(config_.tie_weights ? wte_ : matrix("lm_head.weight", V, C, std), {}, C, V);
  embedding_scale_ = static_cast<float>(config_.embedding_scale.value_or(
      position_scheme(config_.positions).default_embedding_scale(config_)));
  weights_.resize(parameters_.total());
  acts_.resize(config_.n_layer);
  initialise();
}

void Gpt::initialise() { parameters_.initialise(config_.seed, change_weights().data()); }

Floats& Gpt::change_weights() {
  packed_ = false;
  return weights_;
}

Gpt::Linear Gpt::linear(ParameterRef weight, ParameterRef bias, int in, int out) {
  const std::size_t backward_at = panels_size_ + packed_size(in, out);
  const Linear layer{weight, bias, in, out, panels_size_, backward_at};
  panels_size_ = backward_at + packed_size(out, in);
  return layer;
}

void Gpt::pack() {
  if (packed_) return;
  panels_.resize(panels_size_);
  const auto pack_one = [this](const Linear& layer) {
    const MatrixView weight = row_major(w(layer.weight), layer.in);
    pack_columns(layer.in, layer.out, transposed(weight), panels_.data() + layer.forward_at);
    pack_columns(layer.out, layer.in, weight, panels_.data() + layer.backward_at);
  };
  for (const Block& block : blocks_) {
    for (const Linear& layer : {block.attn, block.proj, block.fc, block.mlp_proj}) pack_one(layer);
  }
  pack_one(lm_head_);
  packed_ = true;
}

void Gpt::linear_forward(float* out, const float* x, const Linear& layer, int N) const {
  poslab::linear_forward(out, x, panels_.data() + layer.forward_at,
                         layer.bias.size == 0 ? nullptr : w(layer.bias), N, layer.in, layer.out);
}

void Gpt::linear_backward(float* dx, float* gradients, const float* dout, const float* x,
                          const Linear& layer, int N) const {
  poslab::linear_backward(dx, gradients + layer.weight.offset,
                          layer.bias.size == 0 ? nullptr : gradients + layer.bias.offset, dout, x,
                          panels_.data() + layer.backward_at, N, layer.in, layer.out);
}

AttentionShape Gpt::attention_shape(int B, int Tq, int Tk, bool cached) const {
  const std::ptrdiff_t C = config_.n_embd;
  return {
      B, Tq, Tk, config_.n_head, config_.head_size(), 3 * C, cached ? C : 3 * C, config_.causal};
}

// Cuts the arena into the buffers of a (B,T) pass. Two rounds of the same list: the first only
// measures, so that size and use cannot disagree.
void Gpt::lay_out(int B, int T) {
  const std::uint64_t N = std::uint64_t(B) * T, C = config_.n_embd, V = config_.vocab_size;
  const AttentionShape shape = attention_shape(B, T, T, false);
  constexpr std::size_t kLine = kCacheLine / sizeof(float);
  for (const bool measuring : {true, false}) {
    std::uint64_t used = 0;
    const auto take = [&](std::uint64_t n) {
      float* p = measuring ? nullptr : arena_.data() + used;
      used += (n + kLine - 1) / kLine * kLine;
      return p;
    };
    for (BlockActivations& a : acts_) {
      a.input = take(N * C);
      a.ln_1 = take(N * C), a.ln_1_mean = take(N), a.ln_1_rstd = take(N);
      a.qkv = take(N * 3 * C);
      a.probs = take(shape.probs_size()), a.heads = take(N * C);
      a.middle = take(N * C);
      a.ln_2 = take(N * C), a.ln_2_mean = take(N), a.ln_2_rstd = take(N);
      a.fc = take(N * 4 * C), a.gelu = take(N * 4 * C);
    }
    final_ = take(N * C), ln_f_ = take(N * C), ln_f_mean_ = take(N), ln_f_rstd_ = take(N);
    logits_ = take(N * V);
    branch_ = take(N * C);
    dstream_ = take(N * C), dwidth_ = take(N * C), dwide_ = take(N * 4 * C);
    scratch_ = take(shape.scratch_size());
    if (measuring && used > arena_.size()) grow(arena_, used);
  }
  B_ = B, T_ = T;
}

// Turns the queries and keys of every row of qkv (B T,3C) by its position, or back.
void Gpt::turn(float* qkv, int B, int T, int first, bool forward) const {
  if (!position_->rotates()) return;
  const int C = config_.n_embd, H = config_.n_head, D = config_.head_size();
  for (int n = 0; n < B * T; ++n) {
    float* query = qkv + static_cast<std::size_t>(n) * 3 * C;
    for (float* heads : {query, query + C}) {
      if (forward) {
        position_->rotate_forward(heads, first + n % T, H, D);
      } else {
        position_->rotate_backward(heads, first + n % T, H, D);
      }
    }
  }
}

float* Gpt::forward(const int* ids, int B, int T, KvCache* cache) {
  const int C = config_.n_embd, N = B * T;
  const int first = cache == nullptr ? 0 : cache->length;
  position_->prepare(first + T);
  cached_ = cache != nullptr;
  pack();
  lay_out(B, T);
  embedding_forward(acts_[0].input, ids, weights_.data(), wte_, *position_, embedding_scale_, B, T,
                    C, first);
  for (int layer = 0; layer < config_.n_layer; ++layer) forward_block(layer, B, T, cache);
  if (cache != nullptr) cache->length += T;
  add_layernorm_forward(ln_f_, ln_f_mean_, ln_f_rstd_, final_, acts_.back().middle, branch_,
                        w(ln_f_weight_), w(ln_f_bias_), N, C);
  linear_forward(logits_, ln_f_, lm_head_, N);
  return logits_;
}

// Leaves the second branch's output in branch_, for the next layer norm to add.
void Gpt::forward_block(int layer, int B, int T, KvCache* cache) {
  const int C = config_.n_embd, N = B * T;
  const Block& p = blocks_[layer];
  BlockActivations& a = acts_[layer];

  if (layer == 0) {
    layernorm_forward(a.ln_1, a.ln_1_mean, a.ln_1_rstd, a.input, w(p.ln_1_weight), w(p.ln_1_bias),
                      N, C);
  } else {
    add_layernorm_forward(a.ln_1, a.ln_1_mean, a.ln_1_rstd, a.input, acts_[layer - 1].middle,
                          branch_, w(p.ln_1_weight), w(p.ln_1_bias), N, C);
  }
  linear_forward(a.qkv, a.ln_1, p.attn, N);
  turn(a.qkv, B, T, cache == nullptr ? 0 : cache->length, true);
  if (cache == nullptr) {
    attention_forward(a.heads, a.probs, a.qkv, a.qkv + C, a.qkv + 2 * C, *position_,
                      attention_shape(B, T, T, false), scratch_);
  } else {
    attend_with_cache(layer, T, *cache);
  }
  linear_forward(branch_, a.heads, p.proj, N);

  add_layernorm_forward(a.ln_2, a.ln_2_mean, a.ln_2_rstd, a.middle, a.input, branch_,
                        w(p.ln_2_weight), w(p.ln_2_bias), N, C);
  linear_forward(a.fc, a.ln_2, p.fc, N);
  gelu_forward(a.gelu, a.fc, a.fc, static_cast<std::size_t>(N) * 4 * C);
  linear_forward(branch_, a.gelu, p.mlp_proj, N);
}

// The new tokens' keys and values join the cache, then the new queries look at all of it.
void Gpt::attend_with_cache(int layer, int T, KvCache& cache) {
  const int C = config_.n_embd, total = cache.length + T;
  require(total <= cache.capacity, "The cache holds " + text_of(cache.capacity) + " tokens; " +
                                       text_of(total) + " do not fit.");
  BlockActivations& a = acts_[layer];
  float *keys = cache.keys[layer].data(), *values = cache.values[layer].data();
  for (int t = 0; t < T; ++t) {
    const float* key = a.qkv + static_cast<std::size_t>(t) * 3 * C + C;
    const std::size_t at = static_cast<std::size_t>(cache.length + t) * C;
    std::copy_n(key, C, keys + at);
    std::copy_n(key + C, C, values + at);
  }
  const AttentionShape shape = attention_shape(1, T, total, true);
  const std::uint64_t needed = shape.probs_size() + shape.scratch_size();
  if (needed > cache.scratch.size()) grow(cache.scratch, needed);
  float* probs = cache.scratch.data();
  attention_forward(a.heads, probs, a.qkv, keys, values, *position_, shape,
                    probs + shape.probs_size());
}

double Gpt::loss(const int* targets) const {
  return cross_entropy(logits_, targets, B_ * T_, config_.vocab_size);
}

double Gpt::backward(const int* ids, const int* targets, int batch_rows, float* gradients) {
  const int C = config_.n_embd, V = config_.vocab_size, N = B_ * T_;
  const auto g = [gradients](ParameterRef ref) { return gradients + ref.offset; };
  const double loss = cross_entropy_backward(logits_, targets, N, V, batch_rows);
  float* dlogits = logits_;
  std::fill_n(g(positions_), positions_.size, 0.0f);
  if (!config_.tie_weights) std::fill_n(g(wte_), wte_.size, 0.0f);
  linear_backward(dwidth_, gradients, dlogits, ln_f_, lm_head_, N);
  std::fill_n(dstream_, static_cast<std::size_t>(N) * C, 0.0f);
  layernorm_backward(dstream_, g(ln_f_weight_), g(ln_f_bias_), dwidth_, final_, ln_f_mean_,
                     ln_f_rstd_, w(ln_f_weight_), N, C);
  for (int layer = config_.n_layer - 1; layer >= 0; --layer) backward_block(layer, gradients);
  embedding_backward(gradients, dstream_, ids, wte_, *position_, embedding_scale_, B_, T_, C);
  return loss;
}

// dstream_ (N,C) enters as the gradient of the block's output and leaves as that of its input.
void Gpt::backward_block(int layer, float* gradients) {
  const int C = config_.n_embd, N = B_ * T_;
  const auto g = [gradients](ParameterRef ref) { return gradients + ref.offset; };
  const Block& p = blocks_[layer];
  const BlockActivations& a = acts_[layer];

  linear_backward(dwide_, gradients, dstream_, a.gelu, p.mlp_proj, N);
  gelu_backward(dwide_, dwide_, a.fc, static_cast<std::size_t>(N) * 4 * C);
  linear_backward(dwidth_, gradients, dwide_, a.ln_2, p.fc, N);
  layernorm_backward(dstream_, g(p.ln_2_weight), g(p.ln_2_bias), dwidth_, a.middle, a.ln_2_mean,
                     a.ln_2_rstd, w(p.ln_2_weight), N, C);

  linear_backward(dwidth_, gradients, dstream_, a.heads, p.proj, N);
  float* dqkv = dwide_;  // (N,3C)
  attention_backward(dqkv, dqkv + C, dqkv + 2 * C, dwidth_, a.probs, a.qkv, a.qkv + C,
                     a.qkv + 2 * C, attention_shape(B_, T_, T_, false), scratch_);
  turn(dqkv, B_, T_, 0, false);
  linear_backward(dwidth_, gradients, dqkv, a.ln_1, p.attn, N);
  layernorm_backward(dstream_, g(p.ln_1_weight), g(p.ln_1_bias), dwidth_, a.input, a.ln_1_mean,
                     a.ln_1_rstd, w(p.ln_1_weight), N, C);
}

Tensor<4> Gpt::attention_weights() const {
  require(B_ == 1 && !cached_, "Attention weights are kept for one window without a cache.");
  const AttentionShape shape = attention_shape(1, T_, T_, false);
  const std::size_t L = config_.n_layer, H = config_.n_head, T = T_;
  Tensor<4> out = zeros<4>({L, H, T, T});
  for (std::size_t layer = 0; layer < L; ++layer) {
    for (std::size_t row = 0; row < H * T; ++row) {
      const std::size_t query = row % T, seen = config_.causal ? query + 1 : T;
      std::copy_n(acts_[layer].probs + row * shape.row(), seen, &out(layer, row / T, query, 0));
    }
  }
  return out;
}

Tensor<2> Gpt::position_rows(int n) {
  position_->prepare(n);
  Tensor<2> rows =
      zeros<2>({static_cast<std::size_t>(n), static_cast<std::size_t>(config_.n_embd)});
  position_->embed_forward(weights_.data(), 0, n, config_.n_embd, rows.data());
  return rows;
}

Tensor<2> Gpt::residual(int layer) const {
  require_between("layer", layer, 0, config_.n_layer);
  return stream(layer == config_.n_layer ? final_ : acts_[layer].input);
}

Tensor<2> Gpt::residual_after_attention(int layer) const {
  require_between("layer", layer, 0, config_.n_layer - 1);
  return stream(acts_[layer].middle);
}

Tensor<2> Gpt::stream(const float* rows) const {
  Tensor<2> out = zeros<2>({static_cast<std::size_t>(B_) * static_cast<std::size_t>(T_),
                            static_cast<std::size_t>(config_.n_embd)});
  std::copy_n(rows, out.size(), out.data());
  return out;
}

}  // namespace poslab
