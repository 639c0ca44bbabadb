#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "probes/gpu/gate_memory.h"
#include "probes/gpu/kernel_activity.h"
#include "probes/gpu/kernel_shelf.h"
#include "probes/gpu/launch_queue.h"
#include "probes/observation.h"

namespace cuvier::gpu {

struct CudaOptions {
  int ordinal = 0;
  /// Whether the driver's local memory is made as large as any probe needs, beforehand. If
  /// not, the first probe that needs more shows what growing does.
  bool grow_local = true;
  bool activity = false;  ///< shared_config by CUPTI, which may disturb what it watches
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
  bool submitted() override { return launches_.empty(); }
  void release(const std::vector<Release>& releases) override;
  Events poll() override { return gates_.poll(); }
  void open_all() override { gates_.open_all(); }
  bool idle() override;
  std::map<int, int> shared_configs() override;
  Clock::time_point now() override { return Clock::now(); }
  void pause() override;

  const KernelShelf& shelf() const { return *shelf_; }

  /// What topology found; becomes part of the facts.
  void set_groups(std::vector<int> gpc_of_sm, std::vector<int> tpc_of_sm);

 private:
  struct Planned {
    const void* function = nullptr;
    GateArguments arguments{};
    cudaStream_t stream = nullptr;
  };

  void warm_up();
  void find_channels();
  Observation trial(const Kernel& kernel);
  cudaStream_t stream_for(const Kernel& kernel, std::map<std::string, cudaStream_t>& named);

  CudaOptions options_;
  Device facts_;
  std::vector<std::string> channels_;
  std::unique_ptr<KernelActivity> activity_;
  std::unique_ptr<KernelShelf> shelf_;
  GateMemory gates_;
  std::map<int, std::vector<cudaStream_t>> streams_;  ///< by priority; kept for later probes
  std::map<int, int> streams_taken_;                  ///< by priority, in this probe
  Probe probe_;
  std::vector<Planned> planned_;  ///< by kernel
  std::vector<int> launched_;     ///< kernels, in launch order
  LaunchQueue launches_;
};

}  // namespace cuvier::gpu
