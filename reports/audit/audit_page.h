#pragma once

#include "reports/document/page.h"
#include "solver/audit/audit.h"

namespace cuvier {

/// The whole audit: every axis, each of its other values, and what speaks against it.
Page audit_page(const Audit& audit);

/// Where a recording tells too little to go on.
Page undecided_audit_page(const Device& device, const Hypothesis& model,
                          const std::string& verdict);

}  // namespace cuvier
