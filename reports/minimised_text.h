#pragma once

#include <string>
#include <string_view>

#include "solver/minimise/minimise.h"
#include "solver/refuted/refutation.h"

namespace cuvier {

/// What is claimed of every probe that was made small.
inline constexpr std::string_view one_minimal_words =
    "1-minimal: nothing smaller by one step will do";

/// How small a probe became: a line for each measure.
std::string minimised_text(const Minimised& minimised, const Probe& before);

/// The smallest refutation, for people.
std::string refutation_text(const Refutation& refutation);

}  // namespace cuvier
