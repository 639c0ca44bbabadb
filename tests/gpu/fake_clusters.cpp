#include <cstdio>
#include <set>
#include <vector>

#include "probes/gpu/clusters.h"  // with the declarations that are defined here
#include "tests/gpu/fake_device.h"
#include "tests/gpu/fake_launch.h"
#include "tests/gpu/mishaps.h"

namespace cuvier::gpu {
namespace {

constexpr int largest_cluster = 16;
constexpr int refused_cluster = 13;  // promised, but not launched

int cluster_size(const cudaLaunchConfig_t& config) {
  return static_cast<int>(config.attrs[0].val.clusterDim.x);
}

/// The SMs of a GPC, mates beside each other.
std::vector<int> sms_of(int gpc) {
  std::vector<int> sms;
  for (int sm = 0; sm < fake().device().sms; ++sm) {
    if (gpc_of(sm) == gpc) sms.push_back(sm);
  }
  return sms;
}

int most_active(int size) {
  int count = 0;
  for (int gpc = 0; gpc < gpcs; ++gpc) count += static_cast<int>(sms_of(gpc).size()) / size;
  return count;
}

/// The SM of each block: each cluster in the next GPC, from another SM of it each time. What
/// does not fit at once may have to take SMs that happen to become free.
std::vector<int> place_clusters(int size, int count) {
  static int turn = 0;
  std::vector<int> placed;
  for (int cluster = 0; cluster < count; ++cluster, ++turn) {
    const std::vector<int> sms = sms_of(turn % gpcs);
    if (cluster >= most_active(size) && manners().has(Unkindness::cluster_waves)) {
      const std::vector<int> free = manners().free_sms(sms, size);
      placed.insert(placed.end(), free.begin(), free.end());
      continue;
    }
    for (int i = 0; i < size; ++i) placed.push_back(sms[(2 * (turn / gpcs) + i) % sms.size()]);
  }
  return placed;
}

}  // namespace
}  // namespace cuvier::gpu

using namespace cuvier::gpu;

extern "C" {

cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void*,
                                           const cudaLaunchConfig_t* config) {
  const int size = cluster_size(*config);
  if (capability() < first_with_clusters || size > largest_cluster) {
    return report(cudaErrorInvalidClusterSize);
  }
  static std::set<int> asked;
  if (!manners().tells_clusters(!asked.insert(size).second)) return report(cudaErrorUnknown);
  *count = most_active(size);
  return report(cudaSuccess);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  hang_here("clusters");
  const int size = cluster_size(*config);
  static std::set<int> said;
  for (unsigned i = 1; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != cudaLaunchAttributeClusterSchedulingPolicyPreference) continue;
    const int policy = config->attrs[i].val.clusterSchedulingPolicyPreference;
    if (said.insert(policy).second) {
      std::fprintf(stderr, "fake CUDA: clusters are scheduled by policy %d\n", policy);
    }
  }
  if (function != cluster_kernel()) {
    return launch_gated_blocks(function, config->gridDim, config->blockDim, arguments,
                               config->dynamicSmemBytes, config->stream, size);
  }
  if (size == refused_cluster) return report(cudaErrorInvalidClusterSize);
  auto* const sm_of_block = *static_cast<std::uint32_t**>(arguments[0]);
  const int count = static_cast<int>(config->gridDim.x) / size;
  fake().run(config->stream, [sm_of_block, placed = place_clusters(size, count)] {
    std::copy(placed.begin(), placed.end(), sm_of_block);
  });
  return report(cudaSuccess);
}

}  // extern "C"
