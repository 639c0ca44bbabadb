#pragma once

#include <span>
#include <string>
#include <vector>

#include "hypotheses/axis.h"
#include "solver/invention/columns.h"

namespace cuvier {

/// A key that a choice among SMs may compare: a formula of `selection` of one part.
struct CandidateKey {
  std::string text;
  int size = 0;  ///< the larger, the later it is taken
};

enum class KeysOf { names, formulas };

/// Keys that are tried, each once: names, and what is made of one or two of them. `columns`: by
/// name, what it was; `names_of_blocks`: what is the same for all SMs that a block finds.
std::vector<CandidateKey> candidate_keys(std::span<const Numbers> columns,
                                         std::span<const FormulaName> names_of_blocks, KeysOf of);

}  // namespace cuvier
