#pragma once

#include <map>
#include <string>
#include <vector>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "solver/smt/symbolic.h"

namespace cuvier {

/// The value domain of synthesis: one hypothesis, but kernels ask for what is on a menu. A
/// quantity is one of the numbers that follow from the choices, so nothing is left abstract, and
/// what reaches Z3 is propositional.
using MenuTerms = UnderHypothesis<SymbolicInt, SymbolicBool>;

/// What a kernel may ask for.
struct DemandMenu {
  std::vector<int> warps;
  std::vector<int> registers;  ///< per thread
  std::vector<int> shared;     ///< dynamic bytes
};

/// What of an SM may answer differently.
struct Factors {
  bool warps = true;  ///< and registers
  bool shared = true;
};

/// Menus with the numbers at which an SM of the device may answer differently under two
/// hypotheses: whole parts of what it has, the edges of granularities and of configurations.
std::vector<DemandMenu> demand_menus(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                     const Factors& factors);

/// A kernel of which a solver chooses what it asks for.
struct MenuKernel : Kernel {
  /// Named after its number.
  MenuKernel(Circuit& circuit, int number, const DemandMenu& menu);

  /// What was chosen, without a grid.
  Kernel chosen(const std::map<std::string, int>& model) const;
  /// That this is chosen.
  SymbolicBool is(const Kernel& kernel) const;
  /// That the device accepts what is chosen.
  SymbolicBool legal(const Device& device) const;

  Demand<MenuTerms> choice;
};

/// All kernels in this domain are MenuKernels.
template <>
inline Demand<MenuTerms> demand<MenuTerms>(const Kernel& k) {
  return static_cast<const MenuKernel&>(k).choice;
}

}  // namespace cuvier
