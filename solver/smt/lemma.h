#pragma once

#include <string>
#include <vector>

namespace cuvier {

/// A statement that any SMT solver can check: no model satisfies its negation.
struct Lemma {
  std::string name;       ///< a file name without its extension
  std::string statement;  ///< one sentence: what follows if the answer is `unsat`
  std::string smt2;       ///< its negation, as SMT-LIB 2, up to and with (check-sat)
  /// What it assumes, likewise: not satisfiable, and it would say nothing. Empty: nothing.
  std::string assumed = {};
};

/// What holds, and why.
struct Proof {
  std::string claim;          ///< one sentence
  std::string argument;       ///< how the claim follows from the lemmas
  std::vector<Lemma> lemmas;  ///< none: by the definition of the axes alone
};

}  // namespace cuvier
