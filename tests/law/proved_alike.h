#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "solver/proof/equivalence.h"
#include "tests/law/planted.h"
#include "tests/law/wide_probes.h"

namespace cuvier {

/// How these are classified, all of them.
inline Classes classes_of(const Device& device, const std::vector<std::string>& texts,
                          const std::vector<std::string>& channels = {},
                          const InitialObservation* opening = nullptr) {
  std::vector<Hypothesis> hypotheses;
  for (const std::string& text : texts) hypotheses.push_back(hypothesis_from_text(text));
  return classify(device, hypotheses, channels, {}, static_cast<int>(texts.size()), opening);
}

inline void expect_alike(const std::string& device, const std::vector<std::string>& texts) {
  const Classes result = classes_of(find_device(device), texts);
  EXPECT_EQ(result.classes.size(), 1u) << result.reason;
}

/// Of those that were proved alike, each shows the same as the first of its class on so many wide
/// probes. How many that were.
inline int expect_shown_alike(const Device& device, const Classes& classes, int probes, Rng& rng,
                              const InitialObservation* opening = nullptr) {
  int proved = 0;
  for (const auto& members : classes.classes) {
    if (members.size() == 1) continue;
    proved += static_cast<int>(members.size()) - 1;
    std::vector<Simulator> simulators;
    for (const Hypothesis& h : members) {
      simulators.emplace_back(device, h).begin_session(opening);
    }
    for (int i = 0; i < probes && !::testing::Test::HasFailure(); ++i) {
      const Probe probe = wide_probe(device, rng);
      const auto first = placements(simulators.front(), probe);
      for (std::size_t m = 1; m < simulators.size(); ++m) {
        EXPECT_TRUE(placements(simulators[m], probe) == first)
            << device.name << ": " << describe(members.front()) << " and " << describe(members[m])
            << ", " << to_json(probe).dump();
      }
    }
  }
  return proved;
}

}  // namespace cuvier
