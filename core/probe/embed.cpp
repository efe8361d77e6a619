#include "probe/embed.h"

#include <cmath>

#include "error.h"
#include "probe/permutation.h"

namespace poslab {
namespace {

std::vector<double> norms(const Tensor<2>& rows) {
  std::vector<double> out;
  for (std::size_t t = 0; t < rows.shape()[0]; ++t) {
    double square = 0.0;
    for (std::size_t c = 0; c < rows.shape()[1]; ++c)
      square += static_cast<double>(rows(t, c)) * rows(t, c);
    out.push_back(std::sqrt(square));
  }
  return out;
}

}  // namespace

InputRows input_rows(Gpt& model, const std::vector<int>& ids) {
  require_ids(ids, model.config().vocab_size);
  const int T = static_cast<int>(ids.size());
  const std::size_t rows = ids.size(), C = model.config().n_embd;
  model.forward(ids.data(), 1, T);
  InputRows out{zeros<2>({rows, C}), zeros<2>({rows, C}), model.residual(0), {}, {}};
  if (model.adds_rows()) out.position = model.position_rows(T);
  const float* wte = model.weights().data() + model.parameters().named("wte.weight").ref.offset;
  const float scale = model.embedding_scale();
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < C; ++c) out.token(t, c) = scale * wte[ids[t] * C + c];
  }
  out.token_norms = norms(out.token);
  out.position_norms = norms(out.position);
  return out;
}

}  // namespace poslab
