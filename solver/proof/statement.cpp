#include "solver/proof/statement.h"

namespace cuvier {

Lemma Statement::lemma() const {
  z3::solver solver(term_context());
  solver.add(assumed_.term());
  solver.add(violated_.term());
  return {name_, sentence_, solver.to_smt2()};
}

}  // namespace cuvier
