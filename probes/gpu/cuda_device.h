#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "probes/gpu/gate_memory.h"
#include "probes/gpu/kernel_shelf.h"
#include "probes/gpu/launch_queue.h"
#include "probes/gpu/round_trips.h"
#include "probes/gpu/stream_pool.h"
#include "probes/observation.h"

namespace cuvier::gpu {

struct CudaOptions {
  int ordinal = 0;
  /// Whether the driver's local memory is made as large as any probe needs, beforehand. If
  /// not, the first probe that needs more shows what growing does.
  bool grow_local = true;
  /// Whether blocks that wait keep all their warps busy, as kernels at work do, or sleep.
  bool spin = false;
  /// Which share of an SM's memory is to be shared memory, in percent; else the driver chooses by
  /// what a kernel asks for.
  std::optional<int> carve_out;
  /// How the blocks of a cluster are to be put on SMs.
  cudaClusterSchedulingPolicy cluster_policy = cudaClusterSchedulingPolicyDefault;
  /// Whether CUPTI tells which shared-memory configuration the driver chose for each kernel.
  /// It instruments kernels, so where blocks go then is nobody's business.
  bool activity = false;
};

/// How long launch calls took on streams that had never been used, and on the same once more; how
/// many connections to the device were found, and of how many of them.
struct StreamLaunches {
  int streams = 0;
  int connections = 0;
  int connected = 0;
  Quantiles first;
  Quantiles second;
};

/// A GPU behind the runner's interface. Warm once it is constructed. There is one in a process,
/// which gives back streams and memory by ending: to free them is to wait for the device, and
/// that may be lost.
class CudaDevice : public RunnerDevice {
 public:
  explicit CudaDevice(const CudaOptions& options);

  const Device& facts() const override { return facts_; }
  std::vector<std::string> channels() const override { return channels_; }
  void begin(const Probe& probe) override;
  void launch(int kernel) override;
  std::optional<Clock::time_point> submitted_at() override { return launches_.returned_at(); }
  Clock::duration held_for() override { return launches_.held_for(); }
  void release(const std::vector<Release>& releases) override;
  Events poll() override { return gates_.poll(); }
  void open_all() override { gates_.open_all(); }
  bool idle() override;
  std::map<int, int> shared_configs() override;
  Kernel smallest_block() const override { return smallest_; }
  Clock::time_point now() override { return Clock::now(); }
  void pause() override;

  const KernelShelf& shelf() const { return *shelf_; }
  const StreamLaunches& stream_launches() const { return stream_launches_; }
  const CudaOptions& options() const { return options_; }

  /// GPCs and TPCs of this one become part of the facts.
  void set_groups(const Device& device);

 private:
  struct Planned {
    const void* function = nullptr;
    GateArguments arguments{};
    cudaStream_t stream = nullptr;
  };

  void warm_streams();
  void find_connections();
  void warm_kernels();
  void local_grows_to(int local);
  void grow_local();
  void find_channels();
  Observation trial(const Kernel& kernel);
  cudaStream_t stream_for(const Kernel& kernel, std::map<std::string, cudaStream_t>& named);

  CudaOptions options_;
  Device facts_;
  std::vector<std::string> channels_;
  std::unique_ptr<KernelShelf> shelf_;
  GateMemory gates_;
  std::unique_ptr<StreamPool> streams_;
  Probe probe_;
  std::vector<Planned> planned_;  ///< by kernel
  std::vector<int> launched_;     ///< kernels, in launch order
  LaunchQueue launches_;
  StreamLaunches stream_launches_;
  Kernel smallest_;
  int highest_priority_ = 0;
};

}  // namespace cuvier::gpu
