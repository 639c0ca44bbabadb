#pragma once

#include <string>

#include "hypotheses/axis.h"
#include "hypotheses/formulas/formula.h"

namespace cuvier {

/// What a formula of the axis comes to, as functions of its names in SMT-LIB 2 that are called
/// `AXIS: FORMULA`; of a tuple one for each part. A number is brought to what the axis takes.
std::string formula_smt2(const AxisInfo& axis, const Formula& formula);

}  // namespace cuvier
