#pragma once

#include <nlohmann/json_fwd.hpp>

#include "solver/audit/audit.h"

namespace cuvier {

/// An audit for programs: `verdict`, `model`, `mechanism`, `wrong`, `refuted` and `axes`, each
/// with its `support`, the `contradiction` and its `others`: every other value with what refutes
/// it, or what explains everything with it, and the smallest probe that tells it apart.
nlohmann::ordered_json audit_json(const Audit& audit);

}  // namespace cuvier
