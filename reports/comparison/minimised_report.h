#pragma once

#include "reports/document/page.h"
#include "solver/minimise/minimise.h"
#include "solver/refuted/refutation.h"

namespace cuvier {

/// "kernels, actions: proved least; blocks, resources: smallest found"
std::string minimality_words(const Minimality& least);

/// How small a probe is, and which of that is proved: a row for each measure.
Section smallness_section(const Minimality& least, const Probe& probe);

/// The same of one that was made small, beside what it was before.
Section smallness_section(const Minimised& minimised, const Probe& before);

/// The smallest refutation.
Page refutation_page(const Refutation& refutation);

/// `probe`, its `size`, the size `before`, and what is known of it.
nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before);

/// `proved_least`: which measures no other probe undercuts; and the `reasons`.
nlohmann::ordered_json minimality_json(const Minimality& least);

/// The fact that refutes, and the `recordings` as lines of a recording file have them.
nlohmann::ordered_json refutation_json(const Refutation& refutation);

/// A recording file of what refutes: it begins a session, and goes on in it.
std::string recording_lines(const RecordingSet& set);

}  // namespace cuvier
