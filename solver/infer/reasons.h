#pragma once

#include <optional>
#include <string>

#include "hypotheses/assumptions.h"
#include "solver/proof/equivalence.h"

namespace cuvier {

/// Why an inference ended, in words: what is left is one of those within so many axes; `behaviour`:
/// of so many hypotheses, which were proved equivalent `in_such_sessions`.
std::string one_is_left(const Assumptions& assumptions);
std::string one_behaviour_is_left(const Assumptions& assumptions, std::size_t hypotheses,
                                  bool in_such_sessions);

/// Why several hypotheses are left though nothing splits them: what was tried, and what of it did
/// not prove them alike. `in_vain`: the last answers that might have told by chance. `too_many`: to
/// be compared. `classes`: into which they were sorted, if they were.
std::string why_unsplit(bool could_be_asked, int in_vain, bool too_many,
                        const std::optional<Classes>& classes);

}  // namespace cuvier
