#pragma once

#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/probe.h"

namespace cuvier {

/// How many clusters of a kernel, of so many blocks each, are on the idle device at once.
struct ClusterFit {
  int blocks = 1;             ///< of a cluster
  int least = 0;              ///< wherever they go, until none more fits
  int most = 0;               ///< packed as well as can be
  std::vector<int> in_gpc;    ///< under the hypothesis, by GPC
  std::vector<int> idle_sms;  ///< likewise: on which none is, ascending

  int under_model() const;
};

/// For each size of clusters that the device launches.
struct ClusterFits {
  std::string kernel;
  int blocks_per_sm = 0;               ///< of the kernel alone, in any clusters
  std::vector<std::vector<int>> gpcs;  ///< the SMs of each
  std::vector<ClusterFit> sizes;
};

/// `kernel`: its blocks and its cluster are of no account. Throws Error where the device launches
/// no clusters, or its facts do not suffice for the hypothesis.
ClusterFits cluster_fits(const Device& device, const Hypothesis& hypothesis, Kernel kernel);

/// How many clusters of so many blocks there are under the hypothesis, on the die that has fewest
/// and on the one that has most.
struct OnDies {
  int blocks = 1;
  int least = 0;
  int most = 0;
};

/// What the same kernel has on several dies of one product; of sizes that all of them launch.
std::vector<OnDies> on_dies(const std::vector<ClusterFits>& dies);

/// Throws Error, of `where`, unless the devices differ in their names and in which SMs are together
/// alone.
void expect_die_of(const Device& product, const Device& die, const std::string& where);

/// A kernel of which each block fills an SM.
Kernel filling_kernel(const Device& device);

/// Where each block of a cluster needs a place of its own: how many clusters there are at most on
/// places of so many blocks each, and how few may leave no room for another.
int most_clusters(const std::vector<int>& places, int blocks);
int least_clusters(std::vector<int> places, int blocks);

}  // namespace cuvier
