#pragma once

#include <vector>

#include "solver/proof/warps_proof.h"
#include "solver/smt/smt_query.h"
#include "solver/synthesis/demand_menu.h"
#include "solver/synthesis/sm_script.h"

namespace cuvier {

/// Asks for kernels with which a script can be run under both hypotheses, and after which the
/// next block is answered differently: whether it fits, what is seen of it, or, where room is
/// asked for, which of two SMs has more.
class SmQuestion {
 public:
  SmQuestion(const Device& device, const Hypothesis& a, const Hypothesis& b, const SmScript& script,
             const DemandMenu& menu, const Factors& factors, const Asked& asked);

  /// That there are none follows without a solver.
  bool evidently_none() const { return wanted_.is_false(); }

  SmtAnswer ask(const SmtLimits& limits);

  /// The kernels of a model, in order of arrival; they are not wanted again.
  std::vector<Kernel> take(const SmtAnswer& answer);

 private:
  Circuit circuit_;
  std::vector<MenuKernel> kernels_;
  SymbolicBool wanted_ = true;
};

}  // namespace cuvier
