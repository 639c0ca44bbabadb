#include "uses/simulate/simulation.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "hypotheses/prediction.h"

namespace cuvier {
namespace {

/// A block that runs on an SM, whose clock shows work done, not time.
struct Running {
  double ends_at = 0;  ///< on the SM's clock
  int kernel = 0;
  int block = 0;

  bool operator>(const Running& other) const {
    return std::tie(ends_at, kernel, block) > std::tie(other.ends_at, other.kernel, other.block);
  }
};

/// The blocks of an SM go equally fast, so one clock serves all of them.
struct SmClock {
  double work = 0;
  double at_ms = 0;
  double rate = 1;
  int warps = 0;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;

  void advance(double now) {
    work += (now - at_ms) * rate;
    at_ms = now;
  }
  double next_end() const { return at_ms + (running.top().ends_at - work) / rate; }
};

class Simulation {
 public:
  Simulation(const Device& device, const Hypothesis& hypothesis, const Workload& workload,
             double horizon_ms)
      : device_(device),
        workload_(workload),
        horizon_(horizon_ms),
        prediction_(device_, hypothesis),
        scheduler_(prediction_, device_),
        clocks_(device.sms),
        left_(workload.jobs.size()) {
    outcome_.jobs.resize(workload.jobs.size());
    outcome_.script.name = "workload";
    for (const Job& job : workload.jobs) outcome_.script.kernels.push_back(job.kernel);
    for (int k = 0; k < count(); ++k) {
      left_[k] = workload.jobs[k].kernel.blocks;
      outcome_.script.script.push_back({k, {}});  // streams are ordered by it
    }
  }

  Outcome run() {
    const Probe launches = outcome_.script;
    outcome_.script.script.clear();
    scheduler_.begin(launches);
    while (next_arrival_ < count() || !ends_.empty()) {
      const double arrival = next_arrival_ < count() ? job(next_arrival_).arrival_ms : kNever;
      const double end = ends_.empty() ? kNever : ends_.begin()->first;
      if (arrival < end) {
        pass_time(arrival);
        outcome_.script.script.push_back({next_arrival_, {}});
        scheduler_.launch(next_arrival_++);
      } else {
        pass_time(end);
        const std::vector<Release> releases = ended();
        outcome_.script.script.push_back({std::nullopt, releases});
        scheduler_.release(releases);
      }
      begin_placed();
    }
    outcome_.until_ms = std::min(horizon_, now_);
    return std::move(outcome_);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kSameTime = 1e-9;

  int count() const { return static_cast<int>(workload_.jobs.size()); }
  const Job& job(int k) const { return workload_.jobs[k]; }

  void pass_time(double now) {
    outcome_.busy_warp_ms += warps_ * std::max(0.0, std::min(now, horizon_) - now_);
    now_ = now;
  }

  /// Takes off all blocks that end now.
  std::vector<Release> ended() {
    std::map<int, std::vector<int>> by_kernel;
    while (!ends_.empty() && ends_.begin()->first <= now_ + kSameTime) {
      const int sm = ends_.begin()->second;
      ends_.erase(ends_.begin());
      SmClock& clock = clocks_[sm];
      clock.advance(now_);
      while (!clock.running.empty() && clock.next_end() <= now_ + kSameTime) {
        const Running block = clock.running.top();
        clock.running.pop();
        by_kernel[block.kernel].push_back(block.block);
        change_warps(clock, -job(block.kernel).kernel.warps());
        --blocks_;
        if (--left_[block.kernel] == 0) outcome_.jobs[block.kernel].ended_ms = now_;
      }
      reschedule(sm);
    }
    outcome_.makespan_ms = now_;
    std::vector<Release> releases;
    for (auto& [kernel, blocks] : by_kernel) {
      std::ranges::sort(blocks);
      releases.push_back({kernel, std::move(blocks)});
    }
    return releases;
  }

  void begin_placed() {
    outcome_.placements.push_back(prediction_.take_step());
    std::set<int> changed;
    for (const Started& started : outcome_.placements.back().started) {
      JobOutcome& outcome = outcome_.jobs[started.kernel];
      if (!outcome.started_ms) outcome.started_ms = now_;
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        const int sm = started.sm[i];
        SmClock& clock = clocks_[sm];
        if (changed.insert(sm).second) {
          if (!clock.running.empty()) ends_.erase({scheduled_.at(sm), sm});
          clock.advance(now_);
        }
        clock.running.push(
            {clock.work + job(started.kernel).block_ms, started.kernel, started.block[i]});
        change_warps(clock, job(started.kernel).kernel.warps());
        outcome_.most_blocks = std::max(outcome_.most_blocks, ++blocks_);
      }
    }
    for (const int sm : changed) reschedule(sm);
  }

  void change_warps(SmClock& clock, int change) {
    clock.warps += change;
    warps_ += change;
    const double share = static_cast<double>(clock.warps) / device_.max_warps_per_sm;
    clock.rate = 1 / (1 + workload_.contention.added(share));
  }

  void reschedule(int sm) {
    if (clocks_[sm].running.empty()) return;
    scheduled_[sm] = clocks_[sm].next_end();
    ends_.insert({scheduled_[sm], sm});
  }

  const Device device_;
  const Workload& workload_;
  const double horizon_;
  Prediction prediction_;
  Scheduler<Prediction> scheduler_;
  std::vector<SmClock> clocks_;
  std::set<std::pair<double, int>> ends_;  ///< when the next block of an SM ends
  std::map<int, double> scheduled_;        ///< by SM: what `ends_` has
  std::vector<int> left_;                  ///< by kernel: blocks that did not end
  int next_arrival_ = 0;
  int warps_ = 0;
  int blocks_ = 0;
  double now_ = 0;
  Outcome outcome_;
};

/// How long each job takes alone; jobs that differ in nothing but name and arrival are alike.
void measure_alone(const Device& device, const Hypothesis& hypothesis, const Workload& workload,
                   Outcome& outcome) {
  std::map<std::tuple<int, int, int, int, int, double>, double> known;
  for (std::size_t k = 0; k < workload.jobs.size(); ++k) {
    Job job = workload.jobs[k];
    const Kernel& kernel = job.kernel;
    const auto [found, added] =
        known.try_emplace({kernel.blocks, kernel.threads, kernel.registers, kernel.shared,
                           kernel.cluster.value_or(0), job.block_ms});
    if (added) {
      job.arrival_ms = 0;
      found->second =
          simulate_together(device, hypothesis, {{job}, workload.contention}).makespan_ms;
    }
    outcome.jobs[k].alone_ms = found->second;
  }
}

}  // namespace

int Outcome::unfinished() const {
  return static_cast<int>(
      std::ranges::count_if(jobs, [](const JobOutcome& job) { return !job.ended_ms; }));
}

double Outcome::antt() const {
  double sum = 0;
  int finished = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!jobs[k].ended_ms) continue;
    sum += jobs[k].turnaround_ms / jobs[k].alone_ms;
    ++finished;
  }
  return finished == 0 ? 0 : sum / finished;
}

double Outcome::utilisation(const Device& device) const {
  const double capacity = static_cast<double>(device.sms) * device.max_warps_per_sm * until_ms;
  return capacity > 0 ? busy_warp_ms / capacity : 0;
}

Outcome simulate(const Device& device, const Hypothesis& hypothesis, const Workload& workload,
                 double horizon_ms) {
  Outcome outcome = simulate_together(device, hypothesis, workload, horizon_ms);
  for (std::size_t k = 0; k < workload.jobs.size(); ++k) {
    JobOutcome& job = outcome.jobs[k];
    if (job.ended_ms) job.turnaround_ms = *job.ended_ms - workload.jobs[k].arrival_ms;
  }
  measure_alone(device, hypothesis, workload, outcome);
  return outcome;
}

Outcome simulate_together(const Device& device, const Hypothesis& hypothesis,
                          const Workload& workload, double horizon_ms) {
  return Simulation(device, hypothesis, workload, horizon_ms).run();
}

}  // namespace cuvier
