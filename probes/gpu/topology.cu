#include "probes/gpu/topology.h"

#include <algorithm>
#include <set>

#include "probes/gpu/cuda_check.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/sm_groups.h"

namespace cuvier::gpu {
namespace {

constexpr int first_with_clusters = 90;
constexpr int stable_rounds = 100;  // without a new connection: the partition is found
constexpr std::chrono::seconds longest_search{3};

/// Says on which SM each block is, and stays a little, so that clusters spread.
__global__ void report_sm(std::uint32_t* sm_of_block, std::uint64_t stay_ns) {
  if (threadIdx.x != 0) return;
  std::uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  sm_of_block[blockIdx.x] = sm;
  std::uint64_t start;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  for (std::uint64_t now = start; now - start < stay_ns;) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  }
}

/// Launches clusters and reads where their blocks went.
class Clusters {
 public:
  explicit Clusters(const Device& device) : device_(device) {
    const void* kernel = reinterpret_cast<const void*>(&report_sm);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "allow clusters of any size");
    // With more than half of an SM's shared memory, each block has an SM of its own.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               device.max_shared_per_block),
          "use all shared memory");
    check(cudaHostAlloc(reinterpret_cast<void**>(&sms_), capacity() * sizeof(*sms_),
                        cudaHostAllocMapped),
          "allocate memory for a cluster's SMs");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
  }
  ~Clusters() {
    cudaFreeHost(sms_);
    cudaStreamDestroy(stream_);
  }
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;

  /// How many clusters of this size run at once; 0: the device has none of it.
  int most_active(int size) {
    int count = 0;
    cudaLaunchConfig_t config = config_of(size, 1);
    if (cudaOccupancyMaxActiveClusters(&count, report_sm, &config) != cudaSuccess) {
      cudaGetLastError();
      return 0;
    }
    return count;
  }

  /// The SMs of each of `count` clusters.
  std::vector<std::vector<int>> launch(int size, int count) {
    count = std::min(count, capacity() / size);
    const cudaLaunchConfig_t config = config_of(size, count);
    std::uint32_t* target = nullptr;
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&target), sms_, 0), "map memory");
    check(cudaLaunchKernelEx(&config, report_sm, target, std::uint64_t{stay_ns}),
          "launch clusters");
    check(cudaStreamSynchronize(stream_), "run clusters");
    std::vector<std::vector<int>> clusters;
    for (int c = 0; c < count; ++c) {
      clusters.emplace_back(sms_ + c * size, sms_ + (c + 1) * size);
    }
    return clusters;
  }

 private:
  static constexpr std::uint64_t stay_ns = 20'000;

  int capacity() const { return device_.sms * 4; }

  cudaLaunchConfig_t config_of(int size, int count) {
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

  const Device& device_;
  std::uint32_t* sms_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaLaunchAttribute attribute_{};
};

/// Clusters of every size, over and over, until nothing new connects; clusters of two also
/// show who is whose mate.
void ask_clusters(const Device& device, Topology& topology) {
  Clusters clusters(device);
  std::vector<int> sizes;
  for (int size = 2; size <= 16; ++size) {
    if (clusters.most_active(size) > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return;
  SmGroups gpcs(device.sms);
  std::vector<std::set<int>> mates(device.sms);
  const Clock::time_point deadline = Clock::now() + longest_search;
  int rounds = 0;
  int quiet_rounds = 0;
  for (; quiet_rounds < stable_rounds && Clock::now() < deadline; ++rounds) {
    const int before = gpcs.count();
    for (const int size : sizes) {
      // A different number of clusters each time, so that they do not always fall alike.
      const int count = 1 + rounds * 7 % (2 * clusters.most_active(size));
      for (const std::vector<int>& cluster : clusters.launch(size, count)) {
        for (const int sm : cluster) gpcs.join(cluster[0], sm);
        if (size != 2 || cluster[0] == cluster[1]) continue;
        mates[cluster[0]].insert(cluster[1]);
        mates[cluster[1]].insert(cluster[0]);
      }
    }
    quiet_rounds = gpcs.count() == before ? quiet_rounds + 1 : 0;
  }
  const std::string asked = std::to_string(rounds) + " rounds of clusters of " +
                            std::to_string(sizes.front()) + " to " + std::to_string(sizes.back());
  if (quiet_rounds < stable_rounds) {
    topology.gpc_evidence = "none: still changing after " + asked;
  } else if (gpcs.count() == device.sms) {
    topology.gpc_evidence = "none: no cluster spanned two SMs in " + asked;
  } else {
    topology.gpc_of_sm = gpcs.group_of_sm();
    topology.gpc_evidence = std::to_string(gpcs.count()) + " groups, stable over the last " +
                            std::to_string(stable_rounds) + " of " + asked;
  }
  if (std::ranges::all_of(mates, [](const std::set<int>& of) { return of.size() == 1; })) {
    SmGroups tpcs(device.sms);
    for (int sm = 0; sm < device.sms; ++sm) tpcs.join(sm, *mates[sm].begin());
    topology.tpc_of_sm = tpcs.group_of_sm();
    topology.tpc_evidence = "a cluster of two always has the same two SMs, in " + asked;
  } else {
    topology.tpc_evidence = "clusters of two do not always have the same two SMs";
  }
}

}  // namespace

Topology find_topology(CudaDevice& device, std::chrono::microseconds quiet) {
  Topology topology;
  const Device& facts = device.facts();
  if (std::stoi(facts.architecture.substr(3)) >= first_with_clusters) {
    try {
      ask_clusters(facts, topology);
    } catch (const Failure& failure) {
      if (failure.code() == FailureCode::device_lost) throw;
      topology.gpc_evidence = std::string("none: ") + failure.what();
    }
  } else {
    topology.gpc_evidence = "none: no clusters before sm_90";
  }
  if (topology.tpc_of_sm.empty()) {
    const std::string before = topology.tpc_evidence.empty() ? "" : topology.tpc_evidence + "; ";
    topology.tpc_of_sm = tpcs_by_carve_out(device, quiet);
    topology.tpc_evidence =
        before + (topology.tpc_of_sm.empty()
                      ? "carve-out conflicts show no pairs"
                      : "carve-out conflicts: the SMs that one small block bars");
  }
  return topology;
}

}  // namespace cuvier::gpu
