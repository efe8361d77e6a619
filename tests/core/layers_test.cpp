// Single layers against numbers by hand and at their edges. That their gradients fit together is
// shown by gradient_test and pytorch_test.
#include "layers/layers.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "gpt.h"
#include "support.h"

using namespace poslab;
using namespace poslab::test;

namespace {

double exact_gelu(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

}  // namespace

TEST_CASE("GELU is its tanh form to seven digits and saturates without overflow",
          "[layers][gelu]") {
  double worst = 0.0;
  for (int i = -3000; i <= 3000; ++i) {
    const float x = static_cast<float>(i) / 100.0f;
    float y, slope;
    gelu_forward(&y, &slope, &x, 1);
    worst = std::max(worst, std::fabs(y - exact_gelu(x)) / std::max(1.0, std::fabs(double{x})));
  }
  CHECK(worst < 2e-7);
  const float edges[5] = {0.0f, 1e6f, -1e6f, 3e18f, -3e18f};
  float out[5], slopes[5];
  gelu_forward(out, slopes, edges, 5);
  CHECK(out[0] == 0.0f);
  CHECK(slopes[0] == 0.5f);
  for (const int i : {1, 3}) {
    CHECK(out[i] == edges[i]);
    CHECK(std::fabs(slopes[i] - 1.0f) < 1e-6);
  }
  for (const int i : {2, 4}) {
    CHECK(std::fabs(out[i]) < 1e-6);
    CHECK(std::fabs(slopes[i]) < 1e-6);
  }
}

TEST_CASE("the slope of GELU is the derivative of its tanh form", "[layers][gelu]") {
  double worst = 0.0;
  for (int i = -600; i <= 600; ++i) {
    const float x = static_cast<float>(i) / 100.0f;
    float y, slope;
    gelu_forward(&y, &slope, &x, 1);
    const double h = 1e-5;
    worst = std::max(worst, std::fabs(slope - (exact_gelu(x + h) - exact_gelu(x - h)) / (2 * h)));
  }
  // 1 - gate loses digits where the gate is near 1, times a factor of up to 60 there.
  CHECK(worst < 4e-6);
}

TEST_CASE("a layernormed row has the mean and spread of its bias and gain", "[layers]") {
  // 1, 2, 3, 4: mean 2.5, variance 1.25; a constant row: nothing but the bias.
  const float x[8] = {1, 2, 3, 4, 7, 7, 7, 7}, gain[4] = {1, 1, 2, 1}, bias[4] = {0, 0, 10, 0};
  float out[8], mean[2], rstd[2];
  layernorm_forward(out, mean, rstd, x, gain, bias, 2, 4);
  const double r = 1.0 / std::sqrt(1.25 + 1e-5);
  const double expected[8] = {-1.5 * r, -0.5 * r, 10 + r, 1.5 * r, 0, 0, 10, 0};
  for (int i = 0; i < 8; ++i) CHECK(std::fabs(out[i] - expected[i]) < 1e-6);
  CHECK(mean[0] == 2.5f);
  CHECK(std::fabs(rstd[0] - r) < 1e-6);
  CHECK(mean[1] == 7.0f);
}

TEST_CASE("layernorm is right for every width and for rows far from zero", "[layers]") {
  Rng rng(1, "layers");
  for (int C = 1; C <= 19; ++C) {
    std::vector<float> x = random_floats(rng, C);
    for (float& v : x) v += 100.0f;
    const std::vector<float> gain = random_floats(rng, C), bias = random_floats(rng, C);
    std::vector<float> out(C + 1, 9.0f);
    float mean, rstd;
    layernorm_forward(out.data(), &mean, &rstd, x.data(), gain.data(), bias.data(), 1, C);
    double m = 0.0, variance = 0.0;
    for (const float v : x) m += double{v} / C;
    for (const float v : x) variance += (v - m) * (v - m) / C;
    double worst = 0.0;
    for (int c = 0; c < C; ++c) {
      const double truth = (x[c] - m) / std::sqrt(variance + 1e-5) * gain[c] + bias[c];
      worst = std::max(worst, std::fabs(out[c] - truth));
    }
    INFO("width " << C << " off by " << worst);
    // A mean near 100 is rounded to 4e-6; a row of one number has only that to be scaled up.
    CHECK(worst < (C == 1 ? 3e-3 : 1e-4));
    CHECK(out[C] == 9.0f);
  }
}

TEST_CASE("a layernorm that adds the branch first has the bits of one after the other",
          "[layers]") {
  Rng rng(2, "layers");
  for (const int N : {1, 7, 8, 19}) {
    for (const int C : {3, 16}) {
      INFO(N << " rows of width " << C);
      const std::size_t size = static_cast<std::size_t>(N) * C;
      const std::vector<float> input = random_floats(rng, size), branch = random_floats(rng, size),
                               gain = random_floats(rng, C), bias = random_floats(rng, C);
      std::vector<float> x(size), out(size), mean(N), rstd(N);
      add_layernorm_forward(out.data(), mean.data(), rstd.data(), x.data(), input.data(),
                            branch.data(), gain.data(), bias.data(), N, C);
      std::vector<float> sum(size), out_after(size), mean_after(N), rstd_after(N);
      for (std::size_t i = 0; i < size; ++i) sum[i] = input[i] + branch[i];
      layernorm_forward(out_after.data(), mean_after.data(), rstd_after.data(), sum.data(),
                        gain.data(), bias.data(), N, C);
      CHECK(x == sum);
      CHECK(out == out_after);
      CHECK(mean == mean_after);
      CHECK(rstd == rstd_after);
    }
  }
}

TEST_CASE("attention counts its buffers past 32 bits", "[layers]") {
  const AttentionShape shape{4, 4096, 4096, 64, 1, 192, 192, true};
  CHECK(shape.probs_size() == std::uint64_t{1} << 32);
  const AttentionShape longer{1, 1 << 17, 1 << 17, 1, 16, 48, 48, true};
  CHECK(longer.scratch_size() > std::uint64_t{1} << 34);
}

TEST_CASE("a linear layer multiplies by its weight's rows and adds its bias", "[layers]") {
  const float x[4] = {1, 2, 3, 4}, weight[6] = {1, 0, 0, 1, 1, 1}, bias[3] = {10, 20, 30};
  float out[6];
  std::vector<float> packed(packed_size(2, 3));
  pack_columns(2, 3, transposed(row_major(weight, 2)), packed.data());
  linear_forward(out, x, packed.data(), bias, 2, 2, 3);
  CHECK(std::vector<float>(out, out + 6) == std::vector<float>{11, 22, 33, 13, 24, 37});
  const float dout[6] = {1, 0, 2, 0, 1, 0};
  float dx[4], dweight[6] = {100, 0, 0, 0, 0, 0}, dbias[3] = {0, 0, 100};
  packed.resize(packed_size(3, 2));
  pack_columns(3, 2, row_major(weight, 2), packed.data());
  linear_backward(dx, dweight, dbias, dout, x, packed.data(), 2, 2, 3);
  CHECK(std::vector<float>(dx, dx + 4) == std::vector<float>{3, 2, 0, 1});
  CHECK(std::vector<float>(dweight, dweight + 6) == std::vector<float>{1, 2, 3, 4, 2, 4});
  CHECK(std::vector<float>(dbias, dbias + 3) == std::vector<float>{1, 1, 2});
}

TEST_CASE("a query that is not a number gives nothing to later keys", "[layers][attention]") {
  constexpr int T = 8;
  const AttentionShape shape{1, T, T, 1, 1, 1, 1, true};
  std::vector<float> q(T, 1.0f), k(T, 1.0f), v(T, 1.0f), out(T);
  std::vector<float> probs(shape.probs_size()), scratch(shape.scratch_size());
  q[0] = std::numeric_limits<float>::quiet_NaN();
  attention_forward(out.data(), probs.data(), q.data(), k.data(), v.data(), Position(), shape,
                    scratch.data());
  CHECK(std::isnan(probs[0]));
  for (int key = 1; key < T; ++key) CHECK(probs[key] == 0.0f);
  CHECK(out[1] == 1.0f);
}

TEST_CASE("cross-entropy has the values of simple distributions", "[layers][loss]") {
  const int target[2] = {0, 1};
  const float equal[14] = {};
  CHECK(std::fabs(cross_entropy(equal, target, 2, 7) - std::log(7.0)) < 1e-6);
  const float one[1] = {-3.0f};
  CHECK(cross_entropy(one, target, 1, 1) == 0.0);
  // 1/2, 1/3, 1/6 as logarithms, shifted; the second row asks for 1/3.
  const float thirds[6] = {std::log(3.0f) + 5,  std::log(2.0f) + 5,  5,
                           std::log(3.0f) - 90, std::log(2.0f) - 90, -90};
  const double mean = (std::log(2.0) + std::log(3.0)) / 2;
  CHECK(std::fabs(cross_entropy(thirds, target, 2, 3) - mean) < 1e-5);
}

TEST_CASE("cross-entropy of extreme logits neither overflows nor hides what is not a number",
          "[layers][loss]") {
  const int first = 0, second = 1;
  const float far[2] = {30'000.0f, -30'000.0f};
  CHECK(cross_entropy(far, &first, 1, 2) == 0.0);
  CHECK(cross_entropy(far, &second, 1, 2) == 60'000.0);
  for (int V = 1; V <= 9; ++V) {
    for (int at = 0; at < V; ++at) {
      std::vector<float> logits(V, 0.5f);
      logits[at] = std::numeric_limits<float>::quiet_NaN();
      INFO("NaN at " << at << " of " << V);
      CHECK(std::isnan(cross_entropy(logits.data(), &first, 1, V)));
      CHECK_FALSE(std::isfinite(cross_entropy_backward(logits.data(), &first, 1, V, 1)));
      logits.assign(V, 0.5f);
      logits[at] = std::numeric_limits<float>::infinity();
      CHECK_FALSE(std::isfinite(cross_entropy(logits.data(), &first, 1, V)));
    }
  }
}

TEST_CASE("the gradient of cross-entropy is softmax minus the target, over the batch's rows",
          "[layers][loss]") {
  Rng rng(2, "layers");
  for (int V = 1; V <= 13; ++V) {
    const std::vector<float> logits = random_floats(rng, 2 * V, 3.0);
    std::vector<float> d = logits;
    const int targets[2] = {V / 2, V - 1};
    const double part = cross_entropy_backward(d.data(), targets, 2, V, 8);
    CHECK(std::fabs(part - cross_entropy(logits.data(), targets, 2, V) / 4) < 1e-7);
    for (int n = 0; n < 2; ++n) {
      double total = 0.0;
      for (int v = 0; v < V; ++v) total += std::exp(double{logits[n * V + v]});
      for (int v = 0; v < V; ++v) {
        const double p = std::exp(double{logits[n * V + v]}) / total;
        CHECK(std::fabs(d[n * V + v] - (p - (v == targets[n])) / 8) < 1e-7);
      }
    }
  }
}

TEST_CASE("a model's input is scaled token rows plus position rows", "[layers][gpt]") {
  for (const char* positions : {"learned", "sinusoidal", "none", "rope", "alibi"}) {
    GptConfig config = odd_config(positions);
    config.embedding_scale = 2.0;
    Gpt model(config);
    const std::vector<int> ids = {3, 0, 10, 3, 7};
    model.forward(ids.data(), 1, 5);
    const Tensor<2> input = model.residual(0), rows = model.position_rows(5);
    const float* wte = model.weights().data() + model.parameters().named("wte.weight").ref.offset;
    bool equal = true;
    for (int t = 0; t < 5; ++t) {
      for (int c = 0; c < 18; ++c) {
        equal = equal && input(t, c) == wte[ids[t] * 18 + c] * 2.0f + rows(t, c);
      }
    }
    INFO(positions);
    CHECK(equal);
  }
}

TEST_CASE("a token that occurs several times collects all its gradients", "[layers]") {
  // wte (3,2) at offset 0; tokens 2, 0, 2.
  const int ids[3] = {2, 0, 2};
  const float dx[6] = {1, 2, 3, 4, 5, 6};
  float grads[6] = {0, 0, 0, 0, 1, 0};
  embedding_backward(grads, dx, ids, ParameterRef{0, 6}, Position(), 0.5f, 1, 3, 2);
  CHECK(std::vector<float>(grads, grads + 6) == std::vector<float>{1.5, 2, 0, 0, 4, 4});
}
