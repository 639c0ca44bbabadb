#include "probes/gpu/run_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

/// The device's clock goes in steps, of a microsecond on some.
constexpr std::chrono::microseconds clock_step{50};

/// One run of a probe: what has started, what was let go, when it has settled.
class ProbeRun {
 public:
  ProbeRun(RunnerDevice& device, const Probe& probe, const Patience& patience)
      : device_(device), probe_(probe), patience_(patience), kernels_(probe.kernels.size()) {
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      kernels_[k].blocks.assign(probe.kernels[k].blocks, Block::absent);
    }
  }

  Observation run() {
    device_.begin(probe_);
    deadline_ = device_.now() + patience_.probe;
    Observation observation;
    try {
      for (const Action& action : probe_.script) observation.steps.push_back(act(action));
      drain();
      expect_none_from_before();
    } catch (Failure& failure) {
      failure.say_that_it_ran();
      if (failure.code() != FailureCode::device_lost) drain();
      throw;
    }
    finish(observation);
    return observation;
  }

 private:
  enum class Block { absent, resident, released, gone };

  struct KernelRun {
    std::vector<Block> blocks;
    bool launched = false;
    int started = 0;
  };

  Step act(const Action& action) {
    acted_at_ = device_.now();
    if (action.launch) {
      kernels_[*action.launch].launched = true;
      device_.launch(*action.launch);
      return settle(action.launch);
    }
    const std::vector<Release> releases = resident_of(action.releases);
    if (!releases.empty()) device_.release(releases);
    return settle(std::nullopt);
  }

  /// The blocks among these that are resident now: the others stay gated.
  std::vector<Release> resident_of(const std::vector<Release>& releases) {
    std::vector<Release> resident;
    for (const Release& release : releases) {
      Release now{release.kernel, {}};
      std::vector<Block>& blocks = kernels_[release.kernel].blocks;
      const auto let_go = [&](int block) {
        if (blocks[block] != Block::resident) return;
        blocks[block] = Block::released;
        ++leaving_;
        now.blocks.push_back(block);
      };
      if (release.blocks.empty()) {
        for (int block = 0; block < std::ssize(blocks); ++block) let_go(block);
      } else {
        for (const int block : release.blocks) let_go(block);
      }
      if (!now.blocks.empty()) resident.push_back(std::move(now));
    }
    return resident;
  }

  bool all_started() const {
    return std::ranges::all_of(kernels_, [](const KernelRun& kernel) {
      return !kernel.launched || kernel.started == std::ssize(kernel.blocks);
    });
  }

  /// With nothing else on the device, what was launched starts.
  bool must_start() const { return inside_ == 0 && !all_started(); }

  /// A first block may be late, whatever the scheduler: it has a longer way than those after it.
  std::chrono::microseconds wait_after(std::optional<int> launched) const {
    if (must_start()) return patience_.must_start;
    const bool may_be_late = launched && kernels_[*launched].started == 0;
    return may_be_late ? std::max(patience_.late, patience_.quiet) : patience_.quiet;
  }

  /// Waits until every launched block has started or none has for a while. The while counts
  /// from the latest that happened: a start, an exit, or the driver's taking the launch, since
  /// that call may return long before or after the blocks start. A release (nothing `launched`)
  /// frees what blocks held a little after they say that they leave, so then `a while` it is.
  Step settle(std::optional<int> launched) {
    std::vector<BlockStart> started;
    Clock::time_point quiet_since = device_.now();
    bool was_quiet = false;
    for (;;) {
      // Before the poll: what it does not see had not happened by then. And whatever it sees
      // may have happened as late as its end.
      const Clock::time_point now = device_.now();
      const std::optional<Clock::time_point> submitted = device_.submitted_at();
      if (submitted) quiet_since = std::max(quiet_since, *submitted);
      if (note(device_.poll(), started)) {
        quiet_since = device_.now();
        was_quiet = false;
      }
      if (leaving_ == 0) {
        if (launched && all_started()) break;
        // To a host that was preempted all of that time may pass between two looks, so it takes
        // one more.
        const bool quiet = now - quiet_since >= wait_after(launched) &&
                           (submitted || (!must_start() && driver_sits()));
        if (quiet && was_quiet) {
          if (!must_start()) break;
          throw Failure(FailureCode::timeout,
                        fmt::format("nothing is on the device, and for {} ms nothing started",
                                    patience_.must_start.count() / 1000));
        }
        was_quiet = quiet;
      }
      if (now > deadline_) {
        throw Failure(
            FailureCode::timeout,
            fmt::format("the probe did not settle within {} ms: {}", patience_.probe.count() / 1000,
                        leaving_ > 0 ? "released blocks do not leave"
                                     : "blocks keep starting, or it has too many steps"));
      }
      device_.pause();
    }
    return step_of(std::move(started));
  }

  /// A driver that sits on a launch for long does so on purpose: it waits for an idle
  /// device (to grow local memory, say), and the kernel counts as pending.
  bool driver_sits() { return device_.held_for() >= patience_.submit; }

  /// Whether anything happened.
  bool note(const Events& events, std::vector<BlockStart>& started) {
    for (const BlockStart& start : events.started) {
      expect_possible(start);
      expect_in_time(start);
      kernels_[start.kernel].blocks[start.block] = Block::resident;
      ++kernels_[start.kernel].started;
      ++inside_;
      origin_ = std::min(origin_, start.start_ns);
      started.push_back(start);
    }
    for (const BlockExit& exit : events.left) {
      if (exit.by_fail_safe) {
        throw Failure(FailureCode::timeout,
                      fmt::format("block {} of {} left by its fail-safe: the host was too slow",
                                  exit.block, probe_.kernels[exit.kernel].name));
      }
      kernels_[exit.kernel].blocks[exit.block] = Block::gone;
      --leaving_;
      --inside_;
    }
    return !events.started.empty() || !events.left.empty();
  }

  /// No manual promises that %smid is below the number of SMs, or %warpid below that of an SM's
  /// warps. A run that says otherwise cannot be told.
  void expect_possible(const BlockStart& start) const {
    const Device& facts = device_.facts();
    const auto refuse = [&](const std::string& what, int number, int count) {
      throw Failure(
          FailureCode::unsupported,
          fmt::format("block {} of {} says that it is on {} {}, of {} that should be "
                      "numbered from 0",
                      start.block, probe_.kernels[start.kernel].name, what, number, count));
    };
    if (start.sm < 0 || start.sm >= facts.sms) refuse("SM", start.sm, facts.sms);
    if (std::ranges::find(channels_, "warp_slot") == channels_.end()) return;
    for (const int slot : start.warp_slot) {
      if (slot >= facts.max_warps_per_sm) refuse("warp slot", slot, facts.max_warps_per_sm);
    }
  }

  /// A block that had started before the host's latest action, and is seen only after it, would
  /// be told of the wrong step. No block is seen before it starts, which says how far the device's
  /// clock is ahead of ours at least.
  void expect_in_time(const BlockStart& start) {
    if (std::ranges::find(channels_, "start_ns") == channels_.end()) return;
    const auto ns = [](Clock::duration time) { return std::chrono::nanoseconds(time).count(); };
    ahead_ns_ = std::max(ahead_ns_, start.start_ns - ns(device_.now().time_since_epoch()));
    const std::int64_t latest_ns = start.start_ns - ahead_ns_;
    if (latest_ns + ns(clock_step) >= ns(acted_at_.time_since_epoch())) return;
    throw Failure(FailureCode::timeout,
                  fmt::format("block {} of {} started before the step in which it was seen",
                              start.block, probe_.kernels[start.kernel].name));
  }

  /// Nor may what is seen once all is over have started before the gates were opened.
  void expect_none_from_before() {
    for (const BlockStart& start : device_.poll().started) expect_in_time(start);
  }

  /// Sorted by kernel and block: they are not seen in the order in which they start.
  static Step step_of(std::vector<BlockStart> all) {
    std::ranges::sort(all, {},
                      [](const BlockStart& start) { return std::pair(start.kernel, start.block); });
    Step step;
    for (const BlockStart& start : all) {
      if (step.started.empty() || step.started.back().kernel != start.kernel) {
        step.started.emplace_back().kernel = start.kernel;
      }
      Started& entry = step.started.back();
      entry.block.push_back(start.block);
      entry.sm.push_back(start.sm);
      entry.warp_slot.push_back(start.warp_slot);
      entry.start_ns.push_back(start.start_ns);
    }
    return step;
  }

  void drain() {
    acted_at_ = device_.now();
    cuvier::gpu::drain(device_, patience_.drain,
                       fmt::format("the device is not idle {} s after every gate was opened",
                                   patience_.drain.count() / 1'000'000));
  }

  /// What is known only at the end: times from the first start on, configurations.
  void finish(Observation& observation) {
    const std::map<int, int> configs = device_.shared_configs();
    for (std::size_t i = 0; i < observation.steps.size(); ++i) {
      Step& step = observation.steps[i];
      for (Started& started : step.started) {
        for (std::int64_t& time : started.start_ns) time -= origin_;
      }
      const auto& launch = probe_.script[i].launch;
      if (!launch) continue;
      const auto config = configs.find(*launch);
      if (config != configs.end()) step.shared_config[*launch] = config->second;
    }
  }

  RunnerDevice& device_;
  const Probe& probe_;
  const Patience& patience_;
  const std::vector<std::string> channels_ = device_.channels();
  std::vector<KernelRun> kernels_;
  int inside_ = 0;              ///< blocks that started and have not said that they leave
  int leaving_ = 0;             ///< of these, the ones that were released
  Clock::time_point acted_at_;  ///< before the latest launch or release
  std::int64_t ahead_ns_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t origin_ = std::numeric_limits<std::int64_t>::max();
  Clock::time_point deadline_;
};

}  // namespace

void drain(RunnerDevice& device, Clock::duration patience, const std::string& otherwise) {
  device.open_all();
  const Clock::time_point deadline = device.now() + patience;
  while (!device.idle()) {
    if (device.now() > deadline) throw Failure(FailureCode::device_lost, otherwise);
    device.pause();
  }
}

Observation run_probe(RunnerDevice& device, const Probe& probe, const Patience& patience) {
  return ProbeRun(device, probe, patience).run();
}

}  // namespace cuvier::gpu
