#pragma once

#include <string>

#include "solver/audit/audit.h"

namespace cuvier {

/// The whole audit as a page: every axis, each of its other values, and what speaks against it.
std::string audit_markdown(const Audit& audit);

}  // namespace cuvier
