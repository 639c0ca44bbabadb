#pragma once

#include <optional>
#include <vector>

#include "probes/probe.h"
#include "solver/infer/coverage.h"

namespace cuvier {

/// Probes that were drawn at once, to be asked one by one.
class ProbeStock {
 public:
  /// `pairs`: those of Coverage that it would show.
  struct Drawn {
    Probe probe;
    std::vector<std::size_t> pairs;
  };

  explicit ProbeStock(std::vector<Drawn> drawn);

  /// Takes the one that shows most of what was not seen: a pair that few of the stock show counts
  /// for more. None where all was seen.
  std::optional<Probe> take(const Coverage& coverage);

 private:
  std::vector<Drawn> drawn_;
  std::vector<int> shown_by_;  ///< how many were drawn that show the pair
};

}  // namespace cuvier
