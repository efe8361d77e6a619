// A second GPT in double precision and plain loops, written from the equations and not from the
// core's layers. Slow and simple: gradients are checked against its finite differences.
//
// Only the position scheme is the core's own, seen through its interface as numbers: the rows it
// adds, the matrix by which it turns each position, the biases it adds. So a newly registered
// scheme is covered without an edit here; that each scheme computes the right numbers is shown by
// its own tests and by PyTorch's.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "error.h"
#include "gpt.h"
#include "position/registry.h"

namespace poslab::test {

class ReferenceGpt {
 public:
  using Rows = std::vector<double>;

  ReferenceGpt(const Gpt& model, int T)
      : weights(model.weights().begin(), model.weights().end()),
        config_(model.config()),
        list_(model.parameters()),
        T_(T) {
    ParameterList own;  // the scheme finds its parameters where the model has them: after wte
    own.add("wte.weight", {config_.vocab_size, config_.n_embd}, Init::zeros, 0.0, true);
    position_ = position_scheme(config_.positions).make(config_, own);
    for (const Parameter& parameter : own.all()) {
      require(list_.named(parameter.name).ref.offset == parameter.ref.offset,
              parameter.name + " is not where the reference expects it.");
    }
    position_->prepare(T);
    const double chosen = position_scheme(config_.positions).default_embedding_scale(config_);
    embedding_scale_ = static_cast<float>(config_.embedding_scale.value_or(chosen));
    measure_turns();
  }

  std::vector<double> weights;  // laid out as the model's

  // (B,T,V)
  Rows logits(const int* ids, int B) const {
    const int C = config_.n_embd, V = config_.vocab_size;
    const std::vector<float> single(weights.begin(), weights.end());
    std::vector<float> rows(T_ * C, 0.0f);
    position_->embed_forward(single.data(), 0, T_, C, rows.data());
    Rows x(static_cast<std::size_t>(B) * T_ * C);
    for (int n = 0; n < B * T_; ++n) {
      for (int c = 0; c < C; ++c) {
        x[n * C + c] = embedding_scale_ * w("wte.weight")[ids[n] * C + c] + rows[n % T_ * C + c];
      }
    }
    for (int layer = 0; layer < config_.n_layer; ++layer) {
      const std::string h = "h." + std::to_string(layer) + ".";
      const Rows qkv = linear(norm(x, h + "ln_1"), h + "attn.c_attn", C, 3 * C);
      const Rows heads = linear(attention(qkv, B), h + "attn.c_proj", C, C);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += heads[i];
      Rows wide = linear(norm(x, h + "ln_2"), h + "mlp.c_fc", C, 4 * C);
      for (double& y : wide) {
        y = 0.5 * y *
            (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (y + 0.044715 * y * y * y)));
      }
      const Rows narrow = linear(wide, h + "mlp.c_proj", 4 * C, C);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += narrow[i];
    }
    x = norm(x, "ln_f");
    const double* head = w(config_.tie_weights ? "wte.weight" : "lm_head.weight");
    Rows out(static_cast<std::size_t>(B) * T_ * V);
    for (int n = 0; n < B * T_; ++n) {
      for (int v = 0; v < V; ++v) {
        for (int c = 0; c < C; ++c) out[n * V + v] += x[n * C + c] * head[v * C + c];
      }
    }
    return out;
  }

  double loss(const int* ids, const int* targets, int B) const {
    const int V = config_.vocab_size, N = B * T_;
    const Rows all = logits(ids, B);
    double total = 0.0;
    for (int n = 0; n < N; ++n) {
      double sum = 0.0;
      for (int v = 0; v < V; ++v) sum += std::exp(all[n * V + v]);
      total += std::log(sum) - all[n * V + targets[n]];
    }
    return total / N;
  }

 private:
  void measure_turns() {
    const int H = config_.n_head, D = config_.head_size();
    turns_.resize(static_cast<std::size_t>(T_) * H * D * D);
    for (int t = 0; t < T_; ++t) {
      for (int d = 0; d < D; ++d) {
        std::vector<float> x(H * D, 0.0f);
        for (int h = 0; h < H; ++h) x[h * D + d] = 1.0f;
        if (position_->rotates()) position_->rotate_forward(x.data(), t, H, D);
        for (int h = 0; h < H; ++h) {
          for (int i = 0; i < D; ++i) turns_[((t * H + h) * D + i) * D + d] = x[h * D + i];
        }
      }
    }
  }

  const double* w(const std::string& name) const {
    return weights.data() + list_.named(name).ref.offset;
  }

  // (N,O) = x (N,I) weight^T + bias
  Rows linear(const Rows& x, const std::string& name, int I, int O) const {
    const double *weight = w(name + ".weight"), *bias = w(name + ".bias");
    const std::size_t N = x.size() / I;
    Rows out(N * O);
    for (std::size_t n = 0; n < N; ++n) {
      for (int o = 0; o < O; ++o) {
        double sum = bias[o];
        for (int i = 0; i < I; ++i) sum += weight[o * I + i] * x[n * I + i];
        out[n * O + o] = sum;
      }
    }
    return out;
  }

  Rows norm(const Rows& x, const std::string& name) const {
    const int C = config_.n_embd;
    const double *gain = w(name + ".weight"), *bias = w(name + ".bias");
    Rows out(x.size());
    for (std::size_t at = 0; at < x.size(); at += C) {
      double mean = 0.0, variance = 0.0;
      for (int c = 0; c < C; ++c) mean += x[at + c] / C;
      for (int c = 0; c < C; ++c) variance += (x[at + c] - mean) * (x[at + c] - mean) / C;
      for (int c = 0; c < C; ++c) {
        out[at + c] = (x[at + c] - mean) / std::sqrt(variance + 1e-5) * gain[c] + bias[c];
      }
    }
    return out;
  }

  // Head h of a row's query (which = 0) or key (1), turned to its position.
  Rows turned(const Rows& qkv, std::size_t row, int which, int h) const {
    const int C = config_.n_embd, D = config_.head_size(), t = static_cast<int>(row) % T_;
    const double* x = &qkv[row * 3 * C + which * C + h * D];
    const double* matrix = &turns_[static_cast<std::size_t>(t * config_.n_head + h) * D * D];
    Rows out(D);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) out[i] += matrix[i * D + j] * x[j];
    }
    return out;
  }

  Rows attention(const Rows& qkv, int B) const {
    const int C = config_.n_embd, H = config_.n_head, D = config_.head_size();
    Rows out(static_cast<std::size_t>(B) * T_ * C);
    for (int b = 0; b < B; ++b) {
      for (int h = 0; h < H; ++h) {
        std::vector<Rows> keys;
        for (int j = 0; j < T_; ++j) keys.push_back(turned(qkv, b * T_ + j, 1, h));
        for (int i = 0; i < T_; ++i) {
          const Rows query = turned(qkv, b * T_ + i, 0, h);
          const float* bias = position_->bias_row(h, i);
          const int seen = config_.causal ? i + 1 : T_;
          Rows p(seen);
          double total = 0.0;
          for (int j = 0; j < seen; ++j) {
            double score = 0.0;
            for (int d = 0; d < D; ++d) score += query[d] * keys[j][d];
            p[j] = std::exp(score / std::sqrt(static_cast<double>(D)) + (bias ? bias[j] : 0.0));
            total += p[j];
          }
          for (int j = 0; j < seen; ++j) {
            const double* value = &qkv[(b * T_ + j) * 3 * C + 2 * C + h * D];
            for (int d = 0; d < D; ++d)
              out[(b * T_ + i) * C + h * D + d] += p[j] / total * value[d];
          }
        }
      }
    }
    return out;
  }

  GptConfig config_;
  const ParameterList& list_;
  int T_;
  std::unique_ptr<Position> position_;
  double embedding_scale_;
  std::vector<double> turns_;  // (T,H,D,D): x turned = matrix x
};

}  // namespace poslab::test
