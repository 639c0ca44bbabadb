#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/rng.h"
#include "solver/cancellation/task.h"
#include "solver/finding/special_case.h"

namespace cuvier {

/// The special cases of one hypothesis (mutants of it): each deviation, for each class of kernels,
/// and on SMs of each configuration where its rules know that.
/// Which of them would have shown in what was asked, and probes that show the others. A mechanism
/// that passes for the hypothesis is none of those that would have shown.
class SpecialCaseProbes {
 public:
  /// `channels`: what is seen beside the SM of each block. The device must outlive it.
  SpecialCaseProbes(const Device& device, const std::vector<std::string>& channels,
                    const Hypothesis& left, Rng& rng);

  /// Takes into account what was asked since, of all that was.
  void observe(const std::vector<Recording>& asked, const Task& task);

  /// A probe that shows some which would not have shown so far. Each is looked for once. None where
  /// none is found.
  std::optional<Probe> next(const Task& task);

  int all() const { return all_; }
  int shown() const;

 private:
  /// Which blocks deviate: those of a class of kernels, or those on SMs of a configuration.
  struct Case {
    KernelClass kernels;
    std::optional<int> config = {};  ///< bytes
    bool operator==(const Case&) const = default;
  };

  struct OfDeviation {
    Deviation deviation;
    std::deque<Case> ahead;             ///< of the cases not shown, not yet looked for
    std::vector<Case> looked_for = {};  ///< those that were, once
    std::vector<Probe> showing = {};    ///< the deviation of all kernels
    std::optional<SpecialCase> mechanism = {};

    /// Whether there may be more to see in the probe, or in any.
    bool may_show_more(const Probe& probe) const;
    int not_shown() const { return static_cast<int>(ahead.size() + looked_for.size()); }
    /// The next case to look for, if any is left.
    std::optional<Case> next_case();
  };

  /// A special case, and a probe that shows it.
  struct Found {
    OfDeviation* of;
    Case which;
    std::optional<Probe> probe;
  };

  void draw(const Task& task);
  void observe(OfDeviation& each, const Probe& probe, const Observation& seen);
  void look_for_more();
  std::optional<Probe> showing(OfDeviation& each, const Case& which, Rng rng) const;
  /// Whether it matters for the probe, which was just predicted, if kernels of the class deviate.
  static bool matters(const OfDeviation& each, const KernelClass& kernels, const Probe& probe,
                      const Simulator& simulator);
  /// Whether it would have been seen if it were so, where `seen` is otherwise.
  bool shows(OfDeviation& each, const Case& which, const Probe& probe,
             const Observation& seen) const;
  /// What a probe shows at the start of a session.
  Observation preview(Simulator& simulator, const Probe& probe) const {
    return seen_through(channels_, simulator.preview(probe));
  }

  const Device& device_;
  std::vector<std::string> channels_;
  Rng& rng_;
  Simulator simulator_;   ///< at the start of a session
  Simulator in_session_;  ///< where the device is now
  std::vector<OfDeviation> deviations_;
  int all_ = 0;
  std::size_t observed_ = 0;
  bool has_drawn_ = false;
  std::size_t turn_ = 0;  ///< whose deviation it is
  std::deque<Found> found_;
};

}  // namespace cuvier
