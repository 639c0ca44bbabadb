#include "solver/smt/statement.h"

namespace cuvier {
namespace {

/// Whether all of these can hold, in SMT-LIB 2. There is no solver in it: it would begin to work.
std::string query_of(const z3::expr_vector& asserted) {
  const z3::array<Z3_ast> asts(asserted);
  const unsigned others = asts.size() - 1;
  return Z3_benchmark_to_smtlib_string(asserted.ctx(), "", "", "unknown", "", others, asts.ptr(),
                                       asts[others]);
}

}  // namespace

std::optional<Lemma> Statement::lemma_with_quotients() const {
  const z3::expr_vector facts = quotients_below_32(assumed_.term() && violated_.term());
  if (facts.empty()) return std::nullopt;
  return lemma(facts);
}

Lemma Statement::lemma(const z3::expr_vector& facts) const {
  z3::expr_vector asserted(term_context());
  for (const z3::expr& fact : facts) asserted.push_back(fact);
  asserted.push_back(assumed_.term());
  const bool assumes = !facts.empty() || !assumed_.is_true();
  std::string assumed = assumes ? query_of(asserted) : std::string();
  asserted.push_back(violated_.term());
  return {name_, sentence_, query_of(asserted), std::move(assumed)};
}

}  // namespace cuvier
