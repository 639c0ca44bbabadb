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
  const cudaLaunchConfig_t config = config_of(size, 1);
  const Watchdog::Watch watch("ask how many clusters run at once");
  if (cudaOccupancyMaxActiveClusters(&count, cluster_kernel(), &config) != cudaSuccess) {
    cudaGetLastError();  // so that the next call does not report it
    return 0;
  }
  return count;
}

std::vector<std::vector<int>> Clusters::launch(int size, int count) {
  count = std::min(count, capacity() / size);
  const cudaLaunchConfig_t config = config_of(size, count);
  std::uint32_t* target = nullptr;
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&target), sms_, 0), "map memory");
  std::uint64_t stay = stay_ns;
  void* arguments[] = {&target, &stay};
  watched("launch clusters",
          [&] { return cudaLaunchKernelExC(&config, cluster_kernel(), arguments); });
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

cudaLaunchConfig_t Clusters::config_of(int size, int count) {
  attribute_ = {};
  attribute_.id = cudaLaunchAttributeClusterDimension;
  attribute_.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(size * count);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = device_.max_shared_per_block;
  config.stream = stream_;
  config.attrs = &attribute_;
  config.numAttrs = 1;
  return config;
}

}  // namespace cuvier::gpu
