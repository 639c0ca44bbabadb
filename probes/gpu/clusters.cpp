#include "probes/gpu/clusters.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/gpu/cuda_check.h"
#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

constexpr std::uint64_t stay_ns = 20'000;
constexpr int first_capability = 90;

}  // namespace

bool launches_clusters(const Device& device) {
  return std::stoi(device.architecture.substr(3)) >= first_capability;
}

ClusterLaunch::ClusterLaunch(const Kernel& kernel, cudaStream_t stream,
                             cudaClusterSchedulingPolicy policy) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {static_cast<unsigned>(*kernel.cluster), 1, 1};
  attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attributes[1].val.clusterSchedulingPolicyPreference = policy;
  config.gridDim = dim3(kernel.blocks);
  config.blockDim = dim3(kernel.threads);
  config.dynamicSmemBytes = kernel.shared;
  config.stream = stream;
  config.attrs = attributes.data();
  config.numAttrs = policy == cudaClusterSchedulingPolicyDefault ? 1 : attributes.size();
}

Clusters::Clusters(const Device& device) : device_(device) {
  const void* kernel = cluster_kernel();
  watched("allow clusters of any size", [&] {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  });
  // With all of an SM's shared memory, each block has an SM of its own.
  watched("use all shared memory", [&] {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                device.max_shared_per_block);
  });
  watched("allocate memory for a cluster's SMs", [&] {
    return cudaHostAlloc(reinterpret_cast<void**>(&sms_), capacity() * sizeof(*sms_),
                         cudaHostAllocMapped);
  });
  watched("create a stream",
          [&] { return cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); });
}

int Clusters::most_active(int size) {
  int count = 0;
  const ClusterLaunch launch = launch_of(size, 1);
  const Watch watch("ask how many clusters run at once");
  if (cudaOccupancyMaxActiveClusters(&count, cluster_kernel(), &launch.config) != cudaSuccess) {
    cudaGetLastError();  // so that the next call does not report it
    return 0;
  }
  return count;
}

std::vector<std::vector<int>> Clusters::launch(int size, int count) {
  count = std::min(count, capacity() / size);
  const ClusterLaunch launch = launch_of(size, count);
  std::uint32_t* target = nullptr;
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&target), sms_, 0), "map memory");
  std::uint64_t stay = stay_ns;
  void* arguments[] = {&target, &stay};
  watched("launch clusters",
          [&] { return cudaLaunchKernelExC(&launch.config, cluster_kernel(), arguments); });
  watched("run clusters", [&] { return cudaStreamSynchronize(stream_); });
  for (int block = 0; block < size * count; ++block) {
    if (sms_[block] < static_cast<std::uint32_t>(device_.sms)) continue;
    throw Failure(FailureCode::internal,
                  fmt::format("a cluster's block says that it is on SM {}, of a device with {}",
                              sms_[block], device_.sms));
  }
  std::vector<std::vector<int>> clusters;
  for (int c = 0; c < count; ++c) clusters.emplace_back(sms_ + c * size, sms_ + (c + 1) * size);
  return clusters;
}

ClusterLaunch Clusters::launch_of(int size, int count) const {
  return {{.blocks = size * count,
           .threads = 32,
           .shared = device_.max_shared_per_block,
           .cluster = size},
          stream_};
}

}  // namespace cuvier::gpu
