#pragma once

#include <vector>

#include "hypotheses/scheduler/choice_rules.h"
#include "hypotheses/scheduler/sms.h"

namespace cuvier {

/// Where a kernel's next cluster goes.
struct ClusterTurn {
  std::vector<int> sms;  ///< one for each of its blocks, in their order
  int gpc = 0;
  bool begins_pass = false;  ///< ClusterPasses
  bool operator==(const ClusterTurn&) const = default;
};

/// Whether a block of a cluster may go there, or could if so many more of them were there.
template <class R>
typename R::Bool fits_in_cluster(R& reading, Sms<R>& sms, int sm, PlacingKernel k, int more = 0) {
  const typename R::Bool fits = sms.fits(sm, k, more);
  const int blocks = sms.clustered_on(sm) + more;
  if (blocks < ClusterLimit::most) return fits;
  return reading.apply(Both{}, reading.apply(AdmitsToCluster{blocks}), fits);
}

}  // namespace cuvier
