#pragma once

#include <string_view>

#include "reports/document/page.h"
#include "solver/diagnosis/refutation.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

/// What is claimed of every probe that was made small.
inline constexpr std::string_view one_minimal_words =
    "1-minimal: nothing smaller by one step will do";

/// How small a probe is that was made small.
Section smallness_section(const Probe& probe);

/// The same beside what it was before.
Section smallness_section(const Minimised& minimised, const Probe& before);

/// The smallest refutation.
Page refutation_page(const Refutation& refutation);

/// `probe`, its `size`, the size `before`, and whether it is 1-minimal.
nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before);

/// The fact that refutes, and the `recordings` as lines of a recording file have them.
nlohmann::ordered_json refutation_json(const Refutation& refutation);

/// A recording file of what refutes: it begins a session, and goes on in it.
std::string recording_lines(const RecordingSet& set);

}  // namespace cuvier
