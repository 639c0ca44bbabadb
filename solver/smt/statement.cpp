#include "solver/smt/statement.h"

#include <cctype>
#include <unordered_map>

namespace cuvier {
namespace {

/// Z3 calls the parts of a term $x7 or ?x7 by how many terms were made before. Here they count from
/// 1, so that a query says nothing of what was made before.
std::string numbered_anew(const std::string& smt2) {
  std::string text;
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t at = 0; at < smt2.size();) {
    text += smt2[at++];
    if ((text.back() != '$' && text.back() != '?') || smt2[at] != 'x') continue;
    std::size_t end = ++at;
    while (std::isdigit(static_cast<unsigned char>(smt2[end])) != 0) ++end;
    const auto [known, added] = numbers.try_emplace(smt2.substr(at, end - at), numbers.size() + 1);
    text += 'x' + std::to_string(known->second);
    at = end;
  }
  return text;
}

/// Whether all of these can hold, in SMT-LIB 2. There is no solver in it: it would begin to work.
std::string query_of(const z3::expr_vector& asserted) {
  // Z3 prints a term by what else there is of its parts: it is printed where nothing else is.
  static thread_local z3::context context;
  const z3::expr_vector alone(context, asserted);
  const z3::array<Z3_ast> asts(alone);
  const unsigned others = asts.size() - 1;
  return numbered_anew(Z3_benchmark_to_smtlib_string(context, "", "", "unknown", "", others,
                                                     asts.ptr(), asts[others]));
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
