#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/fields.h"
#include "verify/journal.h"
#include "verify/space.h"

namespace cuvier::verify {

/// What model.json claims.
struct Model {
  std::string status;
  Device device;
  std::vector<std::string> assumed;
  std::vector<std::string> channels;
  bool voted = false;
  bool has_mechanism = false;
  std::map<std::string, std::string> mechanism;
  std::vector<int> order;  ///< of the SMs, if it was learned
  std::map<std::string, std::vector<std::string>> surviving;
  std::vector<std::string> open;
  std::map<std::string, std::string> classes;
  double combinations = 0;
  int probes = 0;
  int runs = 0;
  Json discarded;
  std::vector<std::string> clash;
  /// What else it says, which nothing here looks at: by field.
  std::vector<std::string> told;
};

/// Throws Unreadable: also where it has a field that no model has.
Model read_model(const std::string& path);

}  // namespace cuvier::verify
