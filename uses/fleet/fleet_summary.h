#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/query_selection/comparison.h"
#include "uses/clusters.h"
#include "uses/fleet/fleet_folder.h"
#include "uses/fleet/gpu_result.h"

namespace cuvier {

/// GPUs of one product that one mechanism explains.
struct MechanismClass {
  std::string product;
  Hypothesis mechanism;
  std::vector<std::string> gpus;  ///< ascending
  Device device;                  ///< one of theirs
};

/// What tells two classes of mechanisms apart.
struct ClassDifference {
  std::size_t a = 0;  ///< indices of the classes
  std::size_t b = 0;
  Comparison comparison;
};

/// GPUs of one product whose SMs are together alike, whatever GPCs and TPCs are called.
struct MapClass {
  std::string product;
  Device device;  ///< with this map
  std::vector<std::string> gpus;
  std::vector<ClusterFit>
      clusters;  ///< under the mechanism of most of them; empty: of none, or not known
};

/// How many clusters of one size are on the GPUs of a product at once, each under its mechanism.
struct FleetClusters {
  std::string product;
  int blocks = 1;
  std::map<int, int> gpus;  ///< how many GPUs hold so many
  std::string worst;        ///< one that holds the fewest

  int least() const { return gpus.begin()->first; }
  int median() const;
  int most() const { return gpus.rbegin()->first; }
};

/// Something that is so of some GPUs.
struct Remark {
  std::string what;
  std::vector<std::string> gpus;
};

struct UnreachedNode {
  FleetNode node;
  int reached = 0;
  std::vector<std::string> reasons;  ///< why GPUs of it could not be opened
};

/// What a fleet is, of all that its tasks found.
struct FleetSummary {
  int gpus = 0;                            ///< whose task is done
  std::vector<std::string> unfinished;     ///< reached, and not done
  std::vector<MechanismClass> mechanisms;  ///< the largest first, by product
  std::vector<Remark> unexplained;         ///< of those without one: how their inference ended
  std::vector<ClassDifference> differences;
  std::vector<MapClass> maps;            ///< the commonest first, by product
  std::vector<std::string> without_map;  ///< whose GPCs nothing told
  std::vector<FleetClusters> clusters;
  std::vector<Remark> facts;  ///< in which they differ from their device file
  std::vector<Remark> odd;
  std::vector<UnreachedNode> unreached;
};

/// Goes through the folder once; what it remembers of a GPU is its name. The differences are for
/// who wants them. Throws Error. Throws Stopped where the task is to end.
FleetSummary summary_of(const FleetFolder& folder, const Task& task);

/// Looks for the smallest probe that tells each two of the largest classes of a product apart.
/// If the task is to end, those that were found by then.
void find_differences(FleetSummary& summary, const Task& task);

}  // namespace cuvier
