#pragma once

#include <string>
#include <string_view>

#include "reports/document/page.h"
#include "solver/audit/audit.h"

namespace cuvier {

/// The whole audit: every axis, each of its other values, and what speaks against it.
Page audit_page(const Audit& audit);

/// Where a recording tells too little to go on.
Page undecided_audit_page(const Device& device, const Hypothesis& model,
                          const std::string& verdict);

/// An audit for programs: `verdict`, `model`, `mechanism`, `wrong`, `refuted` and `axes`, each
/// with its `support`, the `contradiction` and its `others`: every other value with what refutes
/// it, or what explains everything with it, and the smallest probe that tells it apart.
nlohmann::ordered_json audit_json(const Audit& audit);

// What these have in common.

/// How the audit ends, in a sentence.
std::string audit_verdict(const Audit& audit);

/// "supported", "supported, given the rest", ...
std::string_view words_of(Support support);

}  // namespace cuvier
