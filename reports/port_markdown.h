#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/check/oracle_check.h"
#include "solver/check/validation.h"
#include "solver/choose/comparison.h"
#include "solver/finding/finding.h"

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
  std::optional<OracleCheck> check;
  std::optional<Finding> finding;
  std::optional<Validation> validation;
  std::vector<Baseline> baselines;
};

/// The page of a port: what this GPU does, in what it differs from each baseline, what it rests
/// on, and what to do with it; where nothing explains it, a lead for who looks further.
std::string port_markdown(const Port& port);

/// What an oracle's check found, for people.
std::string oracle_check_text(const OracleCheck& check);

}  // namespace cuvier
