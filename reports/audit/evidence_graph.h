#pragma once

#include <string>

#include "solver/audit/audit.h"

namespace cuvier {

/// What speaks against what, in Graphviz's language: each recording (a box) has facts (plain),
/// and facts refute values of axes (octagons); a dashed arrow does so only as long as the rest of
/// the model stays. Values that nothing refutes are green.
std::string evidence_graph(const Audit& audit);

}  // namespace cuvier
