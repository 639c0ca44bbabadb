#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/document/page.h"
#include "solver/check/oracle_check.h"
#include "solver/check/validation.h"
#include "solver/finding/finding.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// A GPU that is known, and how the new one differs from it.
struct Baseline {
  std::string name;  ///< as it was asked for
  Hypothesis hypothesis;
  Comparison difference;   ///< the new mechanism is A
  std::string probe_file;  ///< relative to the page; empty where no probe tells
};

/// What is known of a new GPU, as far as its port has come.
struct Port {
  std::string oracle;
  Device device;
  std::string folder = "inference";  ///< beside the page
  std::optional<OracleCheck> check;
  std::optional<Finding> finding;
  std::optional<Validation> validation;
  std::vector<Baseline> baselines;
};

/// What this GPU does, in what it differs from each baseline, what that rests on, and what to do
/// with it; where nothing explains it, a lead for who looks further.
Page port_page(const Port& port);

/// What an oracle's check found.
Page oracle_check_page(const OracleCheck& check);

/// How a model's predictions held on random sequences: the bound, the counts, the contradictions,
/// the smallest one.
Page validation_page(const Validation& validation);

/// All of it: the counts and their bound, every contradiction, the smallest one's probe.
nlohmann::ordered_json validation_json(const Validation& validation);

}  // namespace cuvier
