#pragma once

#include "reports/document/page.h"
#include "solver/check/validation.h"

namespace cuvier {

/// How a model's predictions held on random sequences: the bound, the counts, the contradictions,
/// the smallest one.
Page validation_page(const Validation& validation);

/// All of it: the counts and their bound, every contradiction, the smallest one's probe.
nlohmann::ordered_json validation_json(const Validation& validation);

}  // namespace cuvier
