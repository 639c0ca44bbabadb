#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "probes/oracle.h"
#include "tests/law/planted.h"

namespace cuvier {

/// More local memory than any probe asks for.
inline constexpr int most_local = 8192;

/// A small block for each of the device's slots.
inline Probe full_grid(const Device& device, int local) {
  Kernel kernel = samples::kernel("k", device.sms * device.max_blocks_per_sm, 32);
  kernel.local = local;
  return {"opening", {kernel}, {{0, {}}}};
}

/// What the simulator shows of the probe; none where not all of its blocks start.
inline std::shared_ptr<const InitialObservation> opening_by(Simulator& simulator,
                                                            const Probe& probe) {
  const Observation seen = simulator.run(probe);
  std::size_t left = 0;
  for (const Kernel& kernel : probe.kernels) left += kernel.blocks;
  for (const Step& step : seen.steps) {
    for (const Started& started : step.started) left -= started.block.size();
  }
  if (left > 0) return nullptr;
  return std::make_shared<InitialObservation>(probe, facts_of(seen, probe), Place("opening"));
}

/// A device that others use as well: what survives between probes is somewhere when a session
/// begins. Shows warp slots.
class UsedDevice : public Oracle {
 public:
  /// `opens_with`: what it opens sessions with; nothing where that has no kernels.
  UsedDevice(const Device& device, const Hypothesis& hypothesis, Probe opens_with)
      : simulator_(device, hypothesis), opens_with_(std::move(opens_with)), rng_(7) {
    be_used();
  }
  UsedDevice(const Device& device, const Hypothesis& hypothesis)
      : UsedDevice(device, hypothesis, full_grid(device, most_local)) {}

  const Device& device() const override { return simulator_.device(); }
  std::string description() const override { return "used"; }
  std::vector<std::string> channels() const override { return {"warp_slot"}; }
  int session() const override { return session_; }
  std::shared_ptr<const InitialObservation> opening() const override { return opening_; }

  bool begin_session() override {
    be_used();
    ++session_;
    return true;
  }

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers;
    for (int i = 0; i < repeat; ++i) {
      Observation seen = seen_through(channels(), simulator_.run(probe));
      std::vector<Fact> facts = facts_of(seen, probe);
      answers.push_back({std::move(facts), std::move(seen)});
    }
    return answers;
  }

 private:
  void be_used() {
    for (int i = 0; i < 3; ++i) simulator_.run(random_probe(device(), rng_));
    // Whoever uses it needs most local memory as well, so that this is no question.
    simulator_.run(full_grid(device(), most_local));
    opening_ = opens_with_.kernels.empty() ? nullptr : opening_by(simulator_, opens_with_);
  }

  Simulator simulator_;
  Probe opens_with_;
  Rng rng_;
  std::shared_ptr<const InitialObservation> opening_;
  int session_ = 0;
};

}  // namespace cuvier
