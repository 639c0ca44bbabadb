#pragma once

#include <string>

#include "solver/minimise/minimise.h"
#include "solver/refuted/refutation.h"

namespace cuvier {

/// How small a probe became, and which of that is proved: a line for each measure.
std::string minimised_text(const Minimised& minimised, const Probe& before);

/// "kernels, actions: proved least; blocks, resources: 1-minimal"
std::string minimality_words(const Minimality& least);

/// A line for each measure, with the reason.
std::string minimality_text(const Minimality& least);

/// The smallest refutation, for people.
std::string refutation_text(const Refutation& refutation);

}  // namespace cuvier
