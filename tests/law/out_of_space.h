#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/scheduler.h"
#include "hypotheses/simulated_oracle.h"

/// Devices that behave as no hypothesis does.
namespace cuvier::out_of_space {

/// The scheduler's rules with one of them changed, behind the oracle's interface.
template <class Reading, class Change = int>
class ChangedRule : public Oracle {
 public:
  ChangedRule(const Device& device, Change change) : device_(device), change_(change) {
    ChangedRule::begin_session();
  }

  const Device& device() const override { return device_; }
  std::string description() const override { return "out of space"; }
  int session() const override { return session_; }

  bool begin_session() override {
    scheduler_.reset();
    reading_.emplace(device_, change_);
    scheduler_.emplace(*reading_, device_);
    ++session_;
    return true;
  }

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers;
    for (int i = 0; i < repeat; ++i) {
      Observation observation;
      scheduler_->begin(probe);
      for (const Action& action : probe.script) {
        if (action.launch) {
          scheduler_->launch(*action.launch);
        } else {
          scheduler_->release(action.releases);
        }
        observation.steps.push_back(reading_->take_step());
      }
      scheduler_->drain();
      reading_->take_step();
      observation = seen_through({}, std::move(observation));
      std::vector<Fact> facts = facts_of(observation, probe);
      answers.push_back({std::move(facts), std::move(observation)});
    }
    return answers;
  }

 private:
  Device device_;
  Change change_;
  std::optional<Reading> reading_;
  std::optional<Scheduler<Reading>> scheduler_;
  int session_ = -1;
};

/// Room counts no further than to a threshold: above it all SMs are alike.
class SaturatingRoom : public Prediction {
 public:
  SaturatingRoom(const Device& device, int most) : Prediction(device, {}), most_(most) {}

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    auto result = Prediction::apply(rule, states...);
    if constexpr (std::is_same_v<Rule, LeastRoomKey>) {
      return std::max(result, -most_);
    } else {
      return result;
    }
  }

 private:
  int most_;
};

/// The warp pointer skips after blocks of so many warps.
class SkipByThreshold : public Prediction {
 public:
  SkipByThreshold(const Device& device, int warps) : Prediction(device, {}), warps_(warps) {
    skips_.set<PointerSkip>(PointerSkip::always);
    stays_.set<PointerSkip>(PointerSkip::none);
  }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    if constexpr (std::is_same_v<Rule, PlaceWarps>) {
      const bool skips = rule.template demand<Concrete>().warps >= warps_;
      return apply_under(skips ? skips_ : stays_, rule, states...);
    } else {
      return Prediction::apply(rule, states...);
    }
  }

 private:
  int warps_;
  Hypothesis skips_;
  Hypothesis stays_;
};

/// A simulated device whose blocks are then seen elsewhere.
class Displaced : public Oracle {
 public:
  explicit Displaced(const Device& device) : rest_("out of space", device, {}) {}

  const Device& device() const override { return rest_.device(); }
  std::string description() const override { return rest_.description(); }
  int session() const override { return rest_.session(); }
  bool begin_session() override { return rest_.begin_session(); }

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = rest_.run(probe, repeat);
    for (Answer& answer : answers) {
      *answer.observation = seen_through({}, std::move(*answer.observation));
      for (Step& step : answer.observation->steps) {
        for (Started& started : step.started) {
          displace(probe.kernels[started.kernel], started.sm);
        }
      }
      answer.facts = facts_of(*answer.observation, probe);
    }
    return answers;
  }

 private:
  /// `sms`: of the blocks of the kernel that start in one step.
  virtual void displace(const Kernel& kernel, std::vector<int>& sms) const = 0;

  SimulatedOracle rest_;
};

/// Of grids of so many blocks, the last two of those that start at once change places.
class LastTwoSwapped : public Displaced {
 public:
  LastTwoSwapped(const Device& device, int least) : Displaced(device), least_(least) {}

 private:
  void displace(const Kernel& kernel, std::vector<int>& sms) const override {
    if (kernel.blocks >= least_ && sms.size() > 1) std::iter_swap(sms.end() - 1, sms.end() - 2);
  }

  int least_;
};

/// One SM never gets a block: a smaller device, whose SMs have the others' numbers.
class DeadSm : public Displaced {
 public:
  DeadSm(const Device& device, int dead)
      : Displaced(without(device, dead)), device_(device), dead_(dead) {}

  const Device& device() const override { return device_; }

 private:
  void displace(const Kernel&, std::vector<int>& sms) const override {
    for (int& sm : sms) sm += sm >= dead_ ? 1 : 0;
  }

  static Device without(Device device, int dead) {
    device.tpc_of_sm.clear();
    for (int sm = 0; sm < device.sms; ++sm) {
      if (sm != dead) device.tpc_of_sm.push_back(sm / device.sms_per_tpc);
    }
    if (!device.gpc_of_sm.empty()) device.gpc_of_sm.erase(device.gpc_of_sm.begin() + dead);
    --device.sms;
    return device;
  }

  Device device_;
  int dead_;
};

}  // namespace cuvier::out_of_space
