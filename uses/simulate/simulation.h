#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/observation.h"
#include "solver/cancellation/task.h"
#include "uses/simulate/series.h"
#include "uses/simulate/workload.h"

namespace cuvier {

/// What became of a job.
struct JobOutcome {
  std::optional<double> started_ms;  ///< its first block
  std::optional<double> ended_ms;    ///< its last block
  double turnaround_ms = 0;          ///< from its arrival, if it ended
  std::optional<int> most_per_sm{};  ///< of its blocks, in the end, if that was limited
};

/// What became of a workload under one hypothesis.
struct WorkloadOutcome {
  int sms = 0;  ///< that are not reserved
  std::vector<JobOutcome> jobs;
  double makespan_ms = 0;   ///< when the last block ended
  double busy_warp_ms = 0;  ///< warp slots in use, over time, as far as `until_ms`
  double until_ms = 0;      ///< the end of the simulation, or its horizon
  int most_blocks = 0;      ///< resident at once
  Series over_time;         ///< what is resident, as far as `until_ms`

  int unfinished() const;
  /// Turnaround over the time alone (times_alone), queueing included, on average over jobs that
  /// finished and have such a time.
  double antt(const std::vector<double>& alone_ms) const;
  /// Of the warp slots of these SMs, until `until_ms`.
  double utilisation(const Device& device) const;
};

/// What a simulation did, as a probe and what it shows: it grows with every block.
struct Trace {
  Probe script;                  ///< launches and releases as they happened
  std::vector<Step> placements;  ///< by action of the script
  std::vector<double> at_ms{};   ///< likewise
};

constexpr double kNoHorizon = std::numeric_limits<double>::infinity();

/// Runs the jobs under the hypothesis until all is done or stuck, beside what is resident; what
/// happens behind the horizon counts for no utilisation. The workload is legal on the device.
/// Throws Error where the device's facts do not suffice for the hypothesis, and Stopped where the
/// task is to end.
WorkloadOutcome simulate(const Device& device, const Hypothesis& hypothesis,
                         const Workload& workload, double horizon_ms = kNoHorizon,
                         Trace* trace = nullptr, const Task& task = {});

/// How long each job takes alone on the idle device; 0: it never runs there. A policy that packs
/// blocks slows a kernel alone, too, so those that are compared go by the times under one of them.
/// Throws Stopped where the task is to end.
std::vector<double> times_alone(const Device& device, const Hypothesis& hypothesis,
                                const Workload& workload, const Task& task = {});

}  // namespace cuvier
