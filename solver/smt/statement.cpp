#include "solver/smt/statement.h"

namespace cuvier {

std::optional<Lemma> Statement::lemma_with_quotients() const {
  const z3::expr_vector facts = quotients_below_32(assumed_.term() && violated_.term());
  if (facts.empty()) return std::nullopt;
  return lemma(facts);
}

Lemma Statement::lemma(const z3::expr_vector& facts) const {
  z3::solver solver(term_context());
  solver.add(facts);
  solver.add(assumed_.term());
  const bool assumes = !facts.empty() || !assumed_.is_true();
  std::string assumed = assumes ? solver.to_smt2() : std::string();
  solver.add(violated_.term());
  return {name_, sentence_, solver.to_smt2(), std::move(assumed)};
}

}  // namespace cuvier
