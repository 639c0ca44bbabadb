#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/simulator.h"
#include "solver/finding/quantities.h"

namespace cuvier {

/// What is otherwise than a hypothesis says: a value of an axis, what a kernel is taken for, or a
/// documented limit of the device.
struct Deviation {
  std::optional<int> axis;          ///< in which it is
  std::optional<Hypothesis> other;  ///< another in that axis
  void (*taken_for)(Kernel&) = nullptr;
  std::optional<Device> device;  ///< otherwise limited
  std::string words;             ///< "room_warps=pooled_blocks", "takes 8 registers more"

  /// Whether it is about blocks on one SM, so that blocks of different kernels can go by different
  /// rules. Otherwise the probe goes by one of them as a whole.
  bool of_blocks() const;

  /// Whether a probe goes by another rule as a whole, whichever of its kernels deviates.
  bool of_probes() const { return !taken_for && !of_blocks(); }

  /// Of a probe that was just predicted, the kernels of which it matters whether they deviate.
  std::vector<bool> matter(const Simulator& simulator, const Probe& latest) const;

  /// What the kernel is taken for: itself, where that would be no legal kernel.
  Kernel as_taken(const Kernel& kernel, const Device& device) const;

  /// Whether it is about blocks, by a rule that knows the SM's configuration: blocks can then go by
  /// different rules as that is.
  bool knows_config() const;

  /// Whether kernels of such a class may deviate while others do not: not where it is a limit, nor,
  /// where it is about blocks, by what rules of an SM do not know.
  bool concerns(const KernelClass& kernels) const;
};

/// Each limit a little lower or higher, every change of one axis, and whatever kernels may be taken
/// for: what is preferred comes first.
std::vector<Deviation> deviations(const Device& device, const Hypothesis& base, Rng& rng);

/// A mechanism that no hypothesis describes: one, but for kernels of a class. (A mutant, as in
/// mutation testing: what does not show it would have let it pass.)
class SpecialCase {
 public:
  using Kernels = std::function<bool(const Kernel&)>;

  /// These kernels deviate: a KernelClass, say; by default all. Where the deviation is about
  /// blocks, it is asked for kernels of which only warps, registers and shared memory are known.
  /// Where it is no matter of single kernels, that is how a probe goes that has such a one. The
  /// deviation must outlive it.
  SpecialCase(const Device& device, const Hypothesis& base, const Deviation& deviation,
              Kernels of = KernelClass());

  /// From the next probe on, others do; only on SMs that have the configuration, if there is one.
  /// Deviation::knows_config() then.
  void single_out(Kernels of, std::optional<int> config = {}) {
    *singled_out_ = {std::move(of), config};
  }

  void begin_session(const InitialObservation* opening = nullptr);
  Observation preview(const Probe& probe);

  /// Whether preview() would show something else than was seen through the channels. It goes no
  /// further than that.
  bool shows_otherwise(const Probe& probe, const Observation& seen,
                       const std::vector<std::string>& channels);

  /// Of the latest probe's kernels, those of which it matters whether they were singled out: had
  /// others been, it would have shown the same.
  std::vector<bool> matter(const Probe& latest) const;

  Observation replay(const Recording& recording);

 private:
  struct Blocks {
    Kernels of;
    std::optional<int> config = {};  ///< bytes
  };
  static std::optional<OtherRules> rules_for(const Deviation& deviation,
                                             std::shared_ptr<const Blocks> blocks);
  Observation preview(const Probe& probe, const Simulator::IsEnough& is_enough);
  bool goes_otherwise(const Probe& probe) const;
  Probe as_taken(Probe probe) const;

  const Deviation* deviation_;
  std::shared_ptr<Blocks> singled_out_;  ///< the simulator looks at it, too
  Simulator simulator_;                  ///< of the base, or with other rules for some blocks
  std::optional<Simulator> other_;       ///< for whole probes
};

}  // namespace cuvier
