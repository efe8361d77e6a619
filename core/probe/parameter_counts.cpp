// The formula for the size of a GPT, held against the list that the model itself keeps.
#include "error.h"
#include "gpt.h"
#include "probe/proofs.h"

namespace poslab {
namespace {

std::vector<ParameterGroup> groups_of(const GptConfig& c, bool tied) {
  const double V = c.vocab_size, T = c.block_size, C = c.n_embd, L = c.n_layer;
  std::vector<ParameterGroup> groups{{"token table V C", V * C}};
  if (c.positions == "learned") groups.push_back({"position table T C", T * C});
  groups.push_back({"attention L (4 C C + 4 C)", L * (4 * C * C + 4 * C)});
  groups.push_back({"MLP L (8 C C + 5 C)", L * (8 * C * C + 5 * C)});
  groups.push_back({"norms (2 L + 1) 2 C", (2 * L + 1) * 2 * C});
  if (!tied) groups.push_back({"output layer V C", V * C});
  return groups;
}

double total_of(const std::vector<ParameterGroup>& groups) {
  double total = 0.0;
  for (const ParameterGroup& group : groups) total += group.count;
  return total;
}

Proof against_model(GptConfig config, bool tied, double by_formula) {
  config.tie_weights = tied;
  const Gpt model(config);
  Deviations deviations;
  deviations.add(static_cast<double>(model.parameters().total()), by_formula);
  return deviations.proof(tied ? "parameters_tied" : "parameters_untied", 0.0);
}

}  // namespace

ParameterCounts parameter_counts(const GptConfig& config) {
  const std::string wrong = complaint(config);
  require(wrong.empty(), wrong);
  const double tied = total_of(groups_of(config, true)),
               untied = total_of(groups_of(config, false));
  return {groups_of(config, config.tie_weights), tied, untied, against_model(config, true, tied),
          against_model(config, false, untied)};
}

}  // namespace poslab
