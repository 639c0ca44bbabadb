#pragma once

#include <string>
#include <vector>

#include "reports/invention/invention_questions.h"
#include "solver/invention/exceptions.h"

namespace cuvier {

/// Exceptions that explain everything, after probes told them apart and looked for where their
/// conditions end; none where what was asked contradicts each. `asked`: the probes that could have
/// contradicted what is left.
std::vector<Exception> challenged(std::vector<Exception> exceptions, const Oracle& oracle,
                                  InventionQuestions& questions, std::uint64_t seed,
                                  const Task& task, int& asked);

}  // namespace cuvier
