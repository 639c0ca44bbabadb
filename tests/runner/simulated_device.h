#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string>

#include "hypotheses/simulator.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/runner_device.h"

namespace cuvier::gpu {

using std::chrono::microseconds;

/// How a simulated device behaves beside where it puts blocks.
struct Manners {
  microseconds poll{10};             ///< between two polls
  microseconds launch_call{5};       ///< how long the driver takes to take a launch
  microseconds starved{0};           ///< of that the launching thread had no processor
  microseconds launch_to_start{40};  ///< from then on
  microseconds start_to_start{2};
  microseconds release_to_exit{30};

  enum class Fault {
    none,
    refuses_launch,     ///< the driver will not have it
    lost_at_launch,     ///< the device is gone
    blocks_stay,        ///< released blocks do not leave until every gate is open
    fail_safe,          ///< a block leaves by itself
    never_idle,         ///< not even then
    sits_on_launch,     ///< the driver takes the launch only once the device is idle
    no_such_registers,  ///< no kernel has what the probe asks for
    bad_sm,             ///< blocks name an SM that is none
    starts_late,        ///< a launch's blocks start 3 ms later than others
    seen_at_the_end     ///< a launch's blocks start, and are seen once every gate is open
  };
  Fault fault = Fault::none;
  int fault_at = 0;  ///< the how-manieth launch or release, of all probes
};

/// The runner's interface before a simulated scheduler, with a clock of its own.
class SimulatedDevice : public RunnerDevice {
 public:
  SimulatedDevice(const Device& device, const Hypothesis& hypothesis, Manners manners = {})
      : simulator_(device, hypothesis), manners_(manners) {}

  const Device& facts() const override { return simulator_.device(); }
  std::vector<std::string> channels() const override {
    return {"warp_slot", "start_ns", "shared_config"};
  }

  void begin(const Probe& probe) override {
    if (!idle()) throw Failure(FailureCode::internal, "begun on a busy device");
    if (manners_.fault == Manners::Fault::no_such_registers) {
      throw Failure(FailureCode::unsupported, "no kernel has 33 registers; nearest: 32");
    }
    probe_ = probe;
    probe_.script.clear();
    resident_.clear();
    configs_.clear();
    open_ = false;
    refused_ = false;
  }

  void launch(int kernel) override {
    using enum Manners::Fault;
    launched_at_ = now_;
    if (faulty(lost_at_launch)) throw Failure(FailureCode::device_lost, "gone");
    if (faulty(refuses_launch)) {
      refused_ = true;
    } else if (faulty(sits_on_launch)) {
      held_back_ = true;
    } else {
      Action action;
      action.launch = kernel;
      submitted_at_ = now_ + manners_.launch_call;
      const microseconds late{faulty(starts_late) ? 3000 : 0};
      act(action, manners_.launch_call + manners_.launch_to_start + late);
      if (faulty(seen_at_the_end)) std::swap(starts_, unseen_);
    }
    ++actions_;
  }

  std::optional<Clock::time_point> submitted_at() override {
    if (refused_) {
      refused_ = false;
      throw Failure(FailureCode::unsupported, "the driver refuses to launch k");
    }
    if (held_back_ || now_ < submitted_at_) return std::nullopt;
    return submitted_at_;
  }

  Clock::duration held_for() override {
    const bool is_held = held_back_ || now_ < submitted_at_;
    if (!is_held) return {};
    return std::max(Clock::duration{}, now_ - launched_at_ - Clock::duration(manners_.starved));
  }

  void release(const std::vector<Release>& releases) override {
    Action action;
    action.releases = releases;
    const bool stay = faulty(Manners::Fault::blocks_stay);
    for (const Release& release : releases) {
      for (const int block : release.blocks) {
        if (!is_resident(release.kernel, block)) {
          throw Failure(FailureCode::internal, "released a block that is not resident");
        }
        std::erase(resident_, std::pair(release.kernel, block));
        if (!stay) exits_.push_back({now_ + manners_.release_to_exit, {release.kernel, block}});
      }
    }
    act(action, manners_.release_to_exit + manners_.launch_to_start);
    ++actions_;
  }

  Events poll() override {
    Events events;
    // The host does not see blocks in the order in which they start.
    for (auto start = starts_.begin(); start != starts_.end() && start->due <= now_; ++start) {
      events.started.insert(events.started.begin(), start->what);
      if (faulty(Manners::Fault::bad_sm)) events.started.front().sm = facts().sms;
      resident_.push_back({start->what.kernel, start->what.block});
    }
    std::erase_if(starts_, [&](const auto& start) { return start.due <= now_; });
    while (!exits_.empty() && exits_.front().due <= now_) {
      events.left.push_back({exits_.front().what.first, exits_.front().what.second});
      exits_.pop_front();
    }
    if (faulty(Manners::Fault::fail_safe) && !resident_.empty()) {
      events.left.push_back({resident_[0].first, resident_[0].second, true});
    }
    return events;
  }

  void open_all() override {
    open_ = true;
    opened_at_ = now_;
    starts_.clear();
    exits_.clear();
    resident_.clear();
    std::swap(starts_, unseen_);
    held_back_ = false;
    if (!probe_.script.empty()) simulator_.run(probe_);
    probe_.script.clear();
  }

  bool idle() override {
    if (faulty(Manners::Fault::never_idle)) return false;
    return open_ && now_ - opened_at_ >= manners_.release_to_exit;
  }

  std::map<int, int> shared_configs() override { return configs_; }
  Kernel smallest_block() const override {
    Kernel kernel;
    kernel.name = "k";
    kernel.blocks = 1;
    kernel.threads = 32;
    kernel.registers = 16;
    return kernel;
  }
  Clock::time_point now() override { return now_; }
  void pause() override { now_ += manners_.poll; }

  void set_fault(Manners::Fault fault) { manners_.fault = fault; }

 private:
  template <class What>
  struct Due {
    Clock::time_point due;
    What what;
  };

  bool faulty(Manners::Fault fault) const {
    return manners_.fault == fault && actions_ >= manners_.fault_at;
  }

  bool is_resident(int kernel, int block) const {
    return std::ranges::find(resident_, std::pair(kernel, block)) != resident_.end();
  }

  /// What the simulator adds for this action starts one block after the other from then on.
  void act(const Action& action, microseconds delay) {
    probe_.script.push_back(action);
    const Step step = simulator_.preview(probe_).steps.back();
    for (const auto& [kernel, bytes] : step.shared_config) configs_[kernel] = bytes;
    Clock::time_point due = now_ + delay;
    for (const Started& started : step.started) {
      for (int i = 0; i < std::ssize(started.block); ++i) {
        const auto time = std::chrono::nanoseconds(due.time_since_epoch()).count();
        const auto slots = started.warp_slot[i];
        starts_.push_back({due,
                           {started.kernel,
                            started.block[i],
                            started.sm[i],
                            {slots.begin(), slots.end()},
                            time}});
        due += manners_.start_to_start;
      }
    }
  }

  Simulator simulator_;
  Manners manners_;
  Probe probe_;  ///< its script: the actions so far
  Clock::time_point now_{std::chrono::hours{1}};
  Clock::time_point opened_at_{};
  Clock::time_point launched_at_{};
  Clock::time_point submitted_at_{};
  std::deque<Due<BlockStart>> starts_;
  std::deque<Due<BlockStart>> unseen_;
  std::deque<Due<std::pair<int, int>>> exits_;
  std::vector<std::pair<int, int>> resident_;  ///< seen by the host, not released
  std::map<int, int> configs_;
  int actions_ = 0;
  bool open_ = true;
  bool refused_ = false;
  bool held_back_ = false;
};

}  // namespace cuvier::gpu
