#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/fields.h"
#include "verify/recording.h"

namespace cuvier::verify {

using Texts = std::vector<std::string>;
template <class T>
using ByAxis = std::map<std::string, T>;

/// What model.json claims.
struct Model {
  std::string status;
  Device device;
  Texts assumed;
  Texts channels;
  bool voted = false;
  ByAxis<std::string> mechanism;  ///< empty: there is none
  std::vector<int> order;         ///< of the SMs, if it was learned
  ByAxis<Texts> surviving;
  Texts open;
  ByAxis<std::string> classes;
  double combinations = 0;
  int probes = 0;
  int runs = 0;
  Json discarded;
  Texts told;  ///< fields that nothing here looks at
};

/// Throws Unreadable: also where it has a field that no model has.
Model read_model(const std::string& path);

}  // namespace cuvier::verify
