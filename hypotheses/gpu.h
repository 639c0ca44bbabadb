#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/readings/concrete_reading.h"
#include "hypotheses/scheduler/scheduler.h"
#include "probes/kernel_fault.h"

namespace cuvier {

/// A GPU that follows one hypothesis, to which kernels come one by one: for simulators, which know
/// only as they go what is launched and when blocks end. Nothing that nobody controls happens on
/// it. What it keeps of kernels and blocks is forgotten once it is idle.
class Gpu {
 public:
  /// A block that starts.
  struct Start {
    int kernel = 0;  ///< as launch() called it
    int block = 0;
    int sm = 0;
    std::vector<int> subpartitions;  ///< of each warp

    bool operator==(const Start&) const = default;
  };

  /// `sm_ranks`: the place of each SM in the order of the tie-break.
  Gpu(Device device, const Hypothesis& hypothesis, const std::vector<int>& sm_ranks)
      : device_(std::move(device)),
        reading_(SingleReading(hypothesis, sm_ranks)),
        scheduler_(reading_, device_) {
    scheduler_.begin(probe_);
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const Device& device() const { return device_; }

  /// Launches a kernel. One whose block fits on no idle SM waits for ever. Kernels are numbered as
  /// they come, from 0. Throws std::invalid_argument where it is not legal on the device.
  int launch(Kernel kernel) {
    if (const auto fault = fault_of(kernel, device_)) {
      const std::string name = kernel.name.empty() ? "" : " " + kernel.name;
      const std::string field = fault->field.empty() ? "" : fault->field + ": ";
      throw std::invalid_argument("kernel" + name + ": " + field + fault->what);
    }
    if (scheduler_.idle()) forget();
    const int k = static_cast<int>(probe_.kernels.size());
    const Kernel* const first = probe_.kernels.data();
    probe_.kernels.push_back(std::move(kernel));
    probe_.script.push_back({k, {}});
    // Rules that were evaluated are known by where their kernel is.
    if (probe_.kernels.data() != first) reading_.begins();
    reading_.started.clear();
    scheduler_.grow();
    scheduler_.launch(k);
    return reading_.forgotten + k;
  }

  /// These blocks end, all at one moment: of each kernel those named, or all that are resident
  /// where none is. Blocks that are not resident, or not any more, do not count. Throws
  /// std::invalid_argument where a kernel was never launched.
  void release(std::vector<Release> releases) {
    const int launched = reading_.forgotten + static_cast<int>(probe_.kernels.size());
    for (const Release& each : releases) {
      if (each.kernel >= 0 && each.kernel < launched) continue;
      throw std::invalid_argument("kernel " + std::to_string(each.kernel) + " was never launched");
    }
    reading_.started.clear();
    std::erase_if(releases, [&](const Release& each) { return each.kernel < reading_.forgotten; });
    for (Release& release : releases) release.kernel -= reading_.forgotten;
    scheduler_.release(releases);
  }

  /// The blocks that the latest launch or release let start, in their order.
  const std::vector<Start>& started() const { return reading_.started; }

  /// Whether no block is on it, and none waits.
  bool idle() const { return scheduler_.idle(); }

 private:
  class Reading : public ConcreteReading {
   public:
    using ConcreteReading::ConcreteReading;
    void placed(int kernel, int block, int sm, const Warps& warps) {
      started.push_back({forgotten + kernel, block, sm, state(warps).last_route});
    }
    std::vector<Start> started;
    int forgotten = 0;  ///< kernels
  };

  void forget() {
    reading_.forgotten += static_cast<int>(probe_.kernels.size());
    probe_.kernels.clear();
    probe_.script.clear();
    auto rest = scheduler_.at_rest();
    rest.warp_files = reading_.renew(std::move(rest.warp_files));
    scheduler_.set_idle(scheduler_.carry(), rest);
    scheduler_.begin(probe_);
  }

  Device device_;
  Reading reading_;
  Probe probe_;
  Scheduler<Reading> scheduler_;
};

}  // namespace cuvier
