#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace cuvier {

/// One way in which launches differ, and how many of those asked were of each class.
struct CoveredFeature {
  std::string_view name;  ///< "warps per block"
  std::vector<std::pair<std::string_view, int>> classes;
};

/// What was asked of a mechanism beside what told it.
struct Confirmed {
  int probes = 0;                        ///< since anything was told
  int sessions = 1;                      ///< that these and all others ran in
  int limits = 0;                        ///< probes that fill a documented limit
  std::vector<CoveredFeature> features;  ///< over all probes
  /// Pairs of a class and a change of the mechanism in one axis that would have shown in a probe
  /// with such a launch.
  int pairs_of_change = 0;
  int pairs = 0;                         ///< of classes, seen in one launch
};

}  // namespace cuvier
