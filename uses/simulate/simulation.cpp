#include "uses/simulate/simulation.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/scheduler.h"
#include "uses/simulate/sm_clock.h"
#include "uses/simulate/workload.h"

namespace cuvier {
namespace {

/// By kernel: how many of its blocks an SM may hold; none where it never has a cap. Empty if nobody
/// ever has one.
using Caps = std::vector<std::optional<int>>;
constexpr int kNoCapYet = std::numeric_limits<int>::max();

/// Tells of each block where it starts, instead of keeping all.
class Placing : public Prediction {
 public:
  struct Placed {
    int kernel;
    int block;
    int sm;
  };

  Placing(const Device& device, const Hypothesis& hypothesis, const Caps& caps, bool traced)
      : Prediction(device, hypothesis), caps_(&caps), traced_(traced) {}

  std::optional<int> cap_on_sm(int kernel) const {
    return caps_->empty() ? std::nullopt : (*caps_)[kernel];
  }

  void placed(int kernel, int block, int sm, const Warps& warps) {
    if (traced_) Prediction::placed(kernel, block, sm, warps);
    latest.push_back({kernel, block, sm});
  }

  std::vector<Placed> latest;

 private:
  const Caps* caps_;
  bool traced_;
};

/// A device and its scheduler, for one simulation after another.
struct Dispatcher {
  const Device device;
  const Hypothesis hypothesis;
  const bool traced = false;
  Caps caps{};
  Placing placing{device, hypothesis, caps, traced};
  Scheduler<Placing> scheduler{placing, device};

  /// The device is idle, as if nothing had ever run on it.
  void begin(const Probe& launches) {
    scheduler.set_idle({}, {std::vector(device.sms, placing.idle_warps())});
    scheduler.begin(launches);
  }

  /// Where there are many states, forgets those that no SM is in.
  void drop_states() {
    constexpr int many = 1 << 15;
    if (placing.states() <= many) return;
    const Placing before = std::exchange(placing, Placing(device, hypothesis, caps, traced));
    scheduler.renumber([&](auto state) { return placing.taken_over(before, state); });
  }
};

class Simulation {
 public:
  Simulation(Dispatcher& dispatcher, const Workload& workload, double horizon_ms, Trace* trace)
      : device_(dispatcher.device),
        workload_(workload),
        horizon_(horizon_ms),
        trace_(trace),
        dispatcher_(dispatcher),
        caps_(dispatcher.caps),
        placing_(dispatcher.placing),
        scheduler_(dispatcher.scheduler),
        clocks_(device_.sms),
        ends_(device_.sms),
        left_(workload.jobs.size()),
        placed_(workload.jobs.size()) {
    caps_ = caps_of(workload);
    outcome_.sms = device_.sms;
    outcome_.jobs.resize(workload.jobs.size());
    launches_.name = "workload";
    for (int k = 0; k < count(); ++k) {
      launches_.kernels.push_back(job(k).kernel);
      left_[k] = job(k).kernel.blocks;
      launches_.script.push_back({k, {}});  // streams are ordered by it
    }
    for (int warps = 0; warps <= device_.max_warps_per_sm; ++warps) {
      added_.push_back(
          workload.contention.added(static_cast<double>(warps) / device_.max_warps_per_sm));
    }
    for (const Job& job : workload.jobs) {
      throughputs_.push_back(throughput_of(job, device_.max_blocks_per_sm));
    }
    if (trace_) *trace_ = {{launches_.name, launches_.kernels, {}}, {}, {}};
  }

  WorkloadOutcome run(const Task& task) {
    dispatcher_.begin(launches_);
    while (next_arrival_ < count() || ends_.first() < EndTimes::kNever) {
      const double arrival =
          next_arrival_ < count() ? job(next_arrival_).arrival_ms : EndTimes::kNever;
      if (arrival < ends_.first()) {
        pass_time(arrival);
        if (trace_) trace_->script.script.push_back({next_arrival_, {}});
        scheduler_.launch(next_arrival_++);
      } else {
        pass_time(ends_.first());
        const std::vector<Release>& releases = ended();
        if (trace_) trace_->script.script.push_back({std::nullopt, releases});
        scheduler_.release(releases);
      }
      begin_placed();
      dispatcher_.drop_states();
      if (++times_ % kTimesUnseen == 0) tell(task);
    }
    outcome_.until_ms = std::min(horizon_, now_);
    for (int k = 0; k < std::ssize(caps_); ++k) {
      if (caps_[k] && *caps_[k] != kNoCapYet) outcome_.jobs[k].most_per_sm = caps_[k];
    }
    return std::move(outcome_);
  }

 private:
  static constexpr double kSameTime = 1e-9;
  static constexpr int kTimesUnseen = 1 << 12;

  void tell(const Task& task) const {
    double started = 0;
    double all = 0;
    for (int k = 0; k < count(); ++k) {
      started += placed_[k];
      all += job(k).kernel.blocks;
    }
    task.doing({"simulating: blocks that started", started, all});
  }

  static Caps caps_of(const Workload& workload) {
    Caps caps;
    for (const Job& job : workload.jobs) {
      const bool may_come = workload.lazy && job.issue;
      caps.push_back(job.most_per_sm || !may_come ? job.most_per_sm : kNoCapYet);
    }
    if (std::ranges::none_of(caps, &std::optional<int>::has_value)) caps.clear();
    return caps;
  }

  int count() const { return static_cast<int>(workload_.jobs.size()); }
  const Job& job(int k) const { return workload_.jobs[k]; }

  void pass_time(double now) {
    const double until = std::min(now, horizon_);
    if (until > now_) {
      outcome_.busy_warp_ms += warps_ * (until - now_);
      outcome_.over_time.add(now_, until, blocks_, warps_);
    }
    now_ = now;
  }

  /// Takes off all blocks that end now.
  const std::vector<Release>& ended() {
    ended_.clear();
    while (ends_.first() <= now_ + kSameTime) {
      const int sm = ends_.first_sm();
      SmClock& clock = clocks_[sm];
      clock.advance(now_);
      double next_end = 0;
      do {
        const Running block = clock.take_first();
        if (workload_.lazy) watch(block, clock);
        leave(block.kernel, block.block);
        change_load(clock, block.kernel, -1);
        if (--left_[block.kernel] == 0) {
          outcome_.jobs[block.kernel].ended_ms = now_;
          outcome_.jobs[block.kernel].turnaround_ms = now_ - job(block.kernel).arrival_ms;
        }
        next_end = clock.next_end_ms();
      } while (next_end <= now_ + kSameTime);
      ends_.set(sm, next_end);
    }
    outcome_.makespan_ms = now_;
    reschedule_all();
    std::ranges::sort(ended_);
    std::size_t count = 0;
    for (const auto& [kernel, block] : ended_) {
      if (count == 0 || releases_[count - 1].kernel != kernel) {
        if (++count > releases_.size()) releases_.emplace_back();
        releases_[count - 1].kernel = kernel;
        releases_[count - 1].blocks.clear();
      }
      releases_[count - 1].blocks.push_back(block);
    }
    releases_.resize(count);
    return releases_;
  }

  void begin_placed() {
    if (trace_) {
      trace_->placements.push_back(placing_.take_step());
      trace_->at_ms.push_back(now_);
    }
    for (const auto& [kernel, block, sm] : placing_.latest) {
      JobOutcome& outcome = outcome_.jobs[kernel];
      if (!outcome.started_ms) outcome.started_ms = now_;
      SmClock& clock = clocks_[sm];
      clock.advance(now_);
      clock.add(kernel, block, job(kernel).block_ms, !throughputs_[kernel].speed.empty());
      change_load(clock, kernel, 1);
      ++placed_[kernel];
    }
    outcome_.most_blocks = std::max(outcome_.most_blocks, blocks_);
    // Once an SM has all its blocks, it is known when the first of them ends.
    for (const auto& placed : placing_.latest)
      ends_.set(placed.sm, clocks_[placed.sm].next_end_ms());
    if (!placing_.latest.empty()) reschedule_all();
    placing_.latest.clear();
  }

  /// The block has ended; its SM gets back what it held, or will once the other of the pair ends.
  /// If it ends before the other one comes, it leaves alone, and so does that one.
  void leave(int kernel, int block) {
    const int mate = block ^ 1;
    if (workload_.refill == Refill::in_pairs && alone_.erase({kernel, block}) == 0) {
      if (mate >= placed_[kernel]) {
        alone_.insert({kernel, mate});
      } else if (holding_.erase({kernel, mate}) > 0) {
        ended_.emplace_back(kernel, mate);
      } else {
        holding_.insert({kernel, block});
        return;
      }
    }
    ended_.emplace_back(kernel, block);
  }

  void change_load(SmClock& clock, int kernel, int blocks) {
    const int warps = blocks * job(kernel).kernel.warps();
    clock.warps += warps;
    warps_ += warps;
    blocks_ += blocks;
    memory_ += blocks * job(kernel).block_memory;
    set_rates(clock);
  }

  /// When a kernel's first block ends: what its blocks on that SM issued until then says how many
  /// are enough.
  void watch(const Running& block, const SmClock& clock) {
    const Job& of = job(block.kernel);
    if (!of.issue || left_[block.kernel] < of.kernel.blocks) return;
    const auto lane = std::ranges::find(clock.own_lanes(), block.kernel, &Lane::kernel);
    const int blocks = 1 + lane->blocks();
    const int enough = lazy_blocks(issued_when_first_ends(*of.issue, blocks), *workload_.lazy);
    caps_[block.kernel] = std::min(*caps_[block.kernel], enough);
    scheduler_.caps_changed();
  }

  bool shares_memory() const { return !workload_.memory_contention.points.empty(); }

  void set_rates(SmClock& clock) const {
    const double by_memory = shares_memory() ? workload_.memory_contention.added(memory_) : 0;
    double issues = 0;
    for (const Lane& lane : clock.own_lanes()) {
      const std::vector<double>& by_blocks = throughputs_[lane.kernel].issues;
      if (!by_blocks.empty()) issues += by_blocks[lane.blocks()];
    }
    const double pace = (1 + added_[clock.warps] + by_memory) * std::max(1.0, issues);
    clock.common().pace = pace;
    for (Lane& lane : clock.own_lanes()) {
      lane.pace = pace / throughputs_[lane.kernel].speed[lane.blocks()];
    }
  }

  /// Memory is everybody's: what one block more or less adds, it adds on all SMs.
  void reschedule_all() {
    if (!shares_memory()) return;
    for (int sm = 0; sm < device_.sms; ++sm) {
      SmClock& clock = clocks_[sm];
      clock.advance(now_);
      set_rates(clock);
      ends_.set(sm, clock.next_end_ms());
    }
  }

  const Device& device_;
  const Workload& workload_;
  const double horizon_;
  Trace* const trace_;  ///< what happens goes there, if anywhere
  Probe launches_;
  Dispatcher& dispatcher_;
  Caps& caps_;
  Placing& placing_;
  Scheduler<Placing>& scheduler_;
  std::vector<SmClock> clocks_;
  std::vector<Throughput> throughputs_;  ///< by kernel
  std::vector<double> added_;            ///< to a block's time, by warps on its SM
  EndTimes ends_;
  std::vector<int> left_;                   ///< by kernel: blocks that did not end
  std::vector<std::pair<int, int>> ended_;  ///< (kernel, block); kept for its memory
  std::vector<Release> releases_;           ///< likewise
  std::vector<int> placed_;                 ///< by kernel
  int next_arrival_ = 0;
  unsigned times_ = 0;                     ///< at which something happened
  std::set<std::pair<int, int>> holding_;  ///< (kernel, block): ended, the other of its pair not
  std::set<std::pair<int, int>> alone_;    ///< likewise: to come, the other of its pair has left
  int warps_ = 0;
  int blocks_ = 0;
  double memory_ = 0;
  double now_ = 0;
  WorkloadOutcome outcome_;
};

/// With those that are resident as jobs that come first and never end.
Workload with_residents(Workload workload) {
  std::vector<Job> jobs;
  for (const Kernel& kernel : workload.resident) {
    jobs.push_back({kernel, 0, std::numeric_limits<double>::infinity()});
  }
  workload.jobs.insert(workload.jobs.begin(), jobs.begin(), jobs.end());
  return workload;
}

}  // namespace

int WorkloadOutcome::unfinished() const {
  return static_cast<int>(
      std::ranges::count_if(jobs, [](const JobOutcome& job) { return !job.ended_ms; }));
}

double WorkloadOutcome::antt(const std::vector<double>& alone_ms) const {
  double sum = 0;
  int finished = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!jobs[k].ended_ms || alone_ms[k] == 0) continue;
    sum += jobs[k].turnaround_ms / alone_ms[k];
    ++finished;
  }
  return finished == 0 ? 0 : sum / finished;
}

double WorkloadOutcome::utilisation(const Device& device) const {
  const double capacity = static_cast<double>(sms) * device.max_warps_per_sm * until_ms;
  return capacity > 0 ? busy_warp_ms / capacity : 0;
}

WorkloadOutcome simulate(const Device& device, const Hypothesis& hypothesis,
                         const Workload& workload, double horizon_ms, Trace* trace,
                         const Task& task) {
  const Partition part = without_sms(device, workload.reserved.some_of(device.sms));
  std::optional<Workload> with_them;
  if (!workload.resident.empty()) with_them = with_residents(workload);
  Dispatcher dispatcher{part.device, on_partition(device, hypothesis, part), trace != nullptr};
  WorkloadOutcome outcome =
      Simulation(dispatcher, with_them ? *with_them : workload, horizon_ms, trace).run(task);
  outcome.jobs.erase(outcome.jobs.begin(), outcome.jobs.begin() + std::ssize(workload.resident));
  if (trace) part.name_as_on_whole(trace->placements);
  return outcome;
}

std::vector<double> times_alone(const Device& device, const Hypothesis& hypothesis,
                                const Workload& workload, const Task& task) {
  const Partition part = without_sms(device, workload.reserved.some_of(device.sms));
  Dispatcher dispatcher{part.device, on_partition(device, hypothesis, part)};
  Workload alone = workload;
  using Issue = std::pair<int, int>;
  // As many times as long as blocks run longer: jobs that differ in nothing else are alike.
  std::map<std::tuple<int, int, int, int, int, double, int, Issue, std::vector<double>>, double>
      times_a_block;
  std::vector<double> times;
  for (Job job : workload.jobs) {
    const double block_ms = std::exchange(job.block_ms, 1);
    const Kernel& kernel = job.kernel;
    const auto [found, added] = times_a_block.try_emplace(
        {kernel.blocks, kernel.threads, kernel.registers, kernel.shared, kernel.cluster.value_or(0),
         job.block_memory, job.most_per_sm.value_or(0),
         job.issue ? Issue(job.issue->instructions, job.issue->stall_cycles) : Issue(),
         job.throughput});
    if (added) {
      job.arrival_ms = 0;
      alone.jobs = {job};
      found->second = Simulation(dispatcher, alone, kNoHorizon, nullptr).run(task).makespan_ms;
    }
    times.push_back(found->second * block_ms);
  }
  return times;
}

}  // namespace cuvier
