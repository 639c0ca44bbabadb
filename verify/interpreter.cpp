#include "verify/interpreter.h"

#include <algorithm>

namespace cuvier::verify {

Interpreter::Interpreter(const Device& device, const Mechanism& mechanism, std::vector<int> learned)
    : device_(device),
      mechanism_(mechanism),
      learned_(std::move(learned)),
      warp_rules_(device_, mechanism_),
      shared_rules_(device_, mechanism_),
      warps_(device.sms, WarpFile(device)) {}

void Interpreter::open(const Opening& opening) {
  outlasting_ =
      after(opening, mechanism_.is<"cursor_reset", "never">(), mechanism_, device_, learned_);
  for (const auto& [sm, kernel, last] : opening.latest) {
    if (last) warps_[sm].pointer = warp_rules_.pointer_after(opening.kernels[kernel], *last);
  }
}

/// What the SMs answer as they are.
class Interpreter::Answers : public Questions {
 public:
  Answers(Interpreter& of, const Probe& probe, const Scheduler& scheduler)
      : of_(of), probe_(probe), scheduler_(scheduler) {
    for (const Kernel& kernel : probe.kernels) {
      needs_.push_back(of.shared_rules_.needs(kernel, of.warp_rules_.warp_registers(kernel)));
    }
  }

  bool fits(int sm, int k) override {
    return of_.warp_rules_.fits(of_.warps_[sm], probe_.kernels[k]) &&
           of_.shared_rules_.fits(of_.shared_[sm], needs_[k], config(sm));
  }
  int room(int sm, int k, int most) override {
    return std::min({most, of_.warp_rules_.room(of_.warps_[sm], probe_.kernels[k]),
                     of_.shared_rules_.room(of_.shared_[sm], needs_[k], config(sm))});
  }
  int several(int sm, int k, int most) override {
    return std::min(of_.warp_rules_.several(of_.warps_[sm], probe_.kernels[k], most),
                    of_.shared_rules_.several(of_.shared_[sm], needs_[k], config(sm), most));
  }
  Usage usage(int sm, int k) override {
    const Kernel& kernel = probe_.kernels[k];
    return {of_.warp_rules_.held_registers(of_.warps_[sm]) +
                long{kernel.warps()} * of_.warp_rules_.warp_registers(kernel),
            of_.shared_[sm].space.amount + needs_[k].bytes};
  }
  int says(Rule, const std::function<int(const Mechanism&)>& read) override {
    return read(of_.mechanism_);
  }
  bool joins(int) override { return false; }
  bool counts_late() override { return false; }
  /// The block that the scheduler put there.
  void place(int sm, int k, long config) {
    of_.warp_rules_.place(of_.warps_[sm], probe_.kernels[k]);
    of_.shared_rules_.place(of_.shared_[sm], needs_[k], config);
  }
  long config(int sm) const {
    if (of_.mechanism_.is<"config_scope", "none">()) return of_.device_.largest_config();
    const int scope = of_.mechanism_[axis_of<"config_scope">()].named;
    const int by = scheduler_.configured_by(sm, scope);
    return by < 0 ? SharedRules::idle : needs_[by].preferred;
  }

 private:
  Interpreter& of_;
  const Probe& probe_;
  const Scheduler& scheduler_;
  std::vector<SharedNeeds> needs_;
};

std::vector<Step> Interpreter::run(const Probe& probe) {
  shared_.assign(device_.sms, {});
  Scheduler scheduler(device_, probe, mechanism_, outlasting_, learned_);
  Answers sms(*this, probe, scheduler);
  const auto release = [&](const Action& action) {
    const auto leaving = scheduler.release(action);
    for (int sm = 0; sm < device_.sms; ++sm) {
      if (leaving[sm].empty()) continue;
      warp_rules_.leave(warps_[sm], leaving[sm]);
      shared_rules_.leave(shared_[sm], leaving[sm]);
    }
    if (!scheduler.device_is_idle()) return;
    for (WarpFile& file : warps_) warp_rules_.device_idle(file);
  };
  std::vector<Step> steps;
  for (const Action& action : probe.script) {
    Step& step = steps.emplace_back(probe.kernels.size());
    if (action.launch >= 0) {
      scheduler.launch(action.launch);
    } else {
      release(action);
    }
    for (;;) {
      std::vector<Start> starts;
      const Placed placed = scheduler.advance(sms, starts);
      for (const int sm : placed.sms) sms.place(sm, placed.kernel, sms.config(sm));
      for (const Start& start : starts) {
        step[start.kernel].push_back(
            {start.block, start.sm, warps_[start.sm].held[start.place].subpartitions});
      }
      if (placed.kernel < 0) break;
    }
  }
  Action everything;
  for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
    everything.releases.push_back({k, true, {}});
  }
  release(everything);
  outlasting_ = scheduler.outlasting();
  return steps;
}

long Interpreter::preferred_config(const Kernel& kernel) const {
  return shared_rules_.needs(kernel, warp_rules_.warp_registers(kernel)).preferred;
}

}  // namespace cuvier::verify
