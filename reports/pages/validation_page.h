#pragma once

#include "reports/pages/page.h"
#include "solver/check/validation.h"

namespace cuvier {

/// How a model's predictions held on random sequences, and where they did not.
Page validation_page(const Validation& validation);

}  // namespace cuvier
