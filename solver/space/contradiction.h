#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// Some of the sessions that nothing explains together: in their order, those that told something
/// new. None if something explains them all. Where too much is open of the first one to follow it,
/// it goes last. Throws GaveUp (solver/cancellation/task.h) where there are too many ways then,
/// too.
std::optional<std::set<std::size_t>> contradiction(const Device& device,
                                                   const Assumptions& assumptions,
                                                   const std::vector<const Session*>& sessions,
                                                   const Task& task = {});

}  // namespace cuvier
