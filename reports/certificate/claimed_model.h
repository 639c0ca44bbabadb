#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// What a model.json claims, and what it takes for granted.
struct ClaimedModel {
  Verdict verdict = Verdict::undecided;
  Device device;
  Assumptions assumed;
  std::vector<std::string> channels;
  bool voted = false;
  nlohmann::ordered_json json;  ///< all of it
};

/// Throws Error with file and field, also where what it tells of how it came about is not told as
/// infer does.
ClaimedModel read_claimed_model(const std::string& path);

/// The hypotheses that it leaves, and those besides that have none but values that some survivor
/// has. `path` is where it was read. Throws Error with file and field, also where it leaves none.
Assumptions surviving_values(const ClaimedModel& model, const std::string& path);

/// The order of SMs that was learned; empty: none was.
std::vector<int> learned_order(const ClaimedModel& model, const std::string& path);

/// What is wrong with it, a line each: fields that are not as they are in a model of this finding,
/// which has what follows from the recordings alone.
std::vector<std::string> differing_fields(const ClaimedModel& model, const Finding& finding,
                                          const std::string& path);

}  // namespace cuvier
