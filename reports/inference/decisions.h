#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/infer/inference.h"

namespace cuvier {

/// A probe of an inference.
struct Decision : AskedProbe {
  std::string probe;                              ///< its name
  double left = 0;                                ///< distinct hypotheses
  std::map<int, std::vector<int>> now_surviving;  ///< axes whose surviving values changed
};

/// How an inference came to its end. Reports tell of it; what is concluded rests on none of it.
struct Decisions {
  SurvivingValues considered;  ///< before the first
  std::vector<Decision> steps;
  std::vector<std::string> nearest;  ///< where nothing explains everything: how far that is off

  explicit Decisions(const Assumptions& assumptions = {});

  void add(const InferenceStep& step);

  /// What survived all of them.
  SurvivingValues surviving() const;

  /// Of probes that are in the journal of an inference that goes on, an earlier process knew why
  /// they were asked.
  void know_from(const Decisions& earlier);
};

/// decisions.json.
nlohmann::ordered_json to_json(const Decisions& decisions);

/// Formulas that it names become values of their axes. Throws Error with file and field.
Decisions read_decisions(const std::string& path);
nlohmann::ordered_json decisions_schema();

}  // namespace cuvier
