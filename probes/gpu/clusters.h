#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <vector>

#include "probes/probe.h"

namespace cuvier::gpu {

/// The kernel that says where its blocks are: (std::uint32_t* sm_of_block, std::uint64_t stay_ns).
const void* cluster_kernel();

/// Whether the device's architecture has clusters at all.
bool launches_clusters(const Device& device);

/// How the blocks of a kernel are launched in its clusters. Points into itself.
struct ClusterLaunch {
  ClusterLaunch(const Kernel& kernel, cudaStream_t stream,
                cudaClusterSchedulingPolicy policy = cudaClusterSchedulingPolicyDefault);
  ClusterLaunch(const ClusterLaunch&) = delete;
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;

  std::array<cudaLaunchAttribute, 2> attributes{};
  cudaLaunchConfig_t config{};
};

/// Launches clusters of blocks and reads where they went. On sm_90 and later the blocks of a
/// cluster share a GPC. Lives until the process ends, as CudaDevice does.
class Clusters {
 public:
  explicit Clusters(const Device& device);

  /// How many clusters of this size run at once; 0: the device has none of it.
  int most_active(int size);

  /// The SMs of each of `count` clusters, each block on an SM of its own.
  std::vector<std::vector<int>> launch(int size, int count);

 private:
  int capacity() const { return device_.sms * 4; }
  ClusterLaunch launch_of(int size, int count) const;

  const Device& device_;
  std::uint32_t* sms_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace cuvier::gpu
