#pragma once

#include <functional>
#include <string>

#include "probes/family.h"
#include "solver/minimise/minimise.h"
#include "solver/minimise/small_draws.h"

namespace cuvier {

/// What is known of the least sizes, given that of the smallest probe so far.
using Bounds = std::function<Minimality(const ProbeSize&)>;

/// Descends by single reductions, and escapes from where that ends. What it is given must outlive
/// it.
class Minimiser {
 public:
  Minimiser(const Device& device, const Judge& judge, const MinimiseOptions& options,
            Bounds bounds);

  /// From a probe that has the property; throws Error if it has not.
  Minimised run(const Probe& probe);

  /// From one that a search has found, of which it knows this.
  Minimised run_from(Probe found, const std::string& name, const Minimality& least);

 private:
  bool holds(const Probe& probe);
  Probe descend(Probe probe);
  Probe with_round_numbers(Probe probe);
  Probe escape(Probe best);
  Probe one_kernel(const Probe& probe);
  Probe merge(Probe probe);
  Probe jump(const Probe& from);
  void tell(const Probe& probe);

  const Device& device_;
  const Judge& judge_;
  const MinimiseOptions& options_;
  const Bounds bounds_;
  Rng rng_;
  SmallDraws draws_;
  int judged_ = 0;
};

}  // namespace cuvier
