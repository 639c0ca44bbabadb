#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hypotheses/devices.h"
#include "solver/proof/equivalence.h"

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

}  // namespace cuvier
