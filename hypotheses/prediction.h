#pragma once

#include <map>
#include <vector>

#include "hypotheses/concrete_reading.h"
#include "hypotheses/moments.h"
#include "hypotheses/scheduler.h"
#include "probes/fact.h"
#include "probes/observation.h"
#include "probes/opening.h"

namespace cuvier {

/// The concrete reading that notes what is placed, with the moments that nobody controls.
class Prediction : public ConcreteReading {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Prediction(const Device& device, const Hypothesis& hypothesis)
      : ConcreteReading(SingleReading(device, hypothesis)) {}

  /// In this step, these decide what nobody controls.
  void begin_step(int step, Moments& moments) {
    step_ = step;
    moments_ = &moments;
  }
  bool another_joins(int kernel, int sm, int in_flight) {
    return moments_ && moments_->another_joins(moment_at(kernel, sm, 0, in_flight));
  }
  bool counts_late(int kernel, int sm, int before, int in_flight) {
    return moments_ && moments_->counts_late(moment_at(kernel, sm, before, in_flight));
  }

  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

 private:
  Moment moment_at(int kernel, int sm, int before, int in_flight) const;

  std::map<int, Started> started_;
  int step_ = 0;
  Moments* moments_ = nullptr;  ///< none: nothing that nobody controls happens
};

/// A device that follows one hypothesis: predicts, probe after probe, with the
/// state that survives between them. Copies are independent of each other.
class Simulator {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Simulator(const Device& device, const Hypothesis& hypothesis);
  Simulator(const Simulator& other);
  Simulator& operator=(const Simulator&) = delete;

  /// Forgets all that survives between probes; then it is as the opening left it, if there is one.
  void begin_session(const Opening* opening = nullptr);

  /// Runs a recording's probe, where it ran: in a session that it begins if it is fresh. Of the
  /// outcomes that the hypothesis has, it shows the one that comes nearest to the recording.
  Observation replay(const Recording& recording);

  /// Runs a probe that is legal on the device. `warp_slot` holds the subpartition of
  /// each warp, `shared_config` each launched kernel's preferred configuration. Of the outcomes
  /// that the hypothesis has, it shows the one that these moments bring about.
  Observation run(const Probe& probe, Moments& moments);
  /// Where nothing that nobody controls happens.
  Observation run(const Probe& probe);

  /// What run() would show, without running it.
  Observation preview(const Probe& probe, Moments& moments);
  Observation preview(const Probe& probe);

  /// Of what run() might show, what comes nearest to these facts, without running it.
  Observation nearest(const Probe& probe, const std::vector<Fact>& facts);

  const Device& device() const { return device_; }
  const Hypothesis& hypothesis() const { return hypothesis_; }

 private:
  /// Runs a probe, and leaves its blocks where they are then.
  Observation begin(const Probe& probe, Moments& moments);

  /// The moments that bring that about.
  SeenMoments moments_nearest(const Probe& probe, const std::vector<Fact>& facts);

  /// Where there are many, forgets the states that no SM is in. For an idle device.
  void drop_states();

  Device device_;
  Hypothesis hypothesis_;
  Prediction prediction_;
  Scheduler<Prediction> scheduler_;
};

/// The outcome of one probe in a fresh session.
Observation predict(const Device& device, const Hypothesis& hypothesis, const Probe& probe);

/// Brings a simulator into the state in which the latest session of these recordings ended.
void replay_session(const std::vector<Recording>& recordings, Simulator& simulator);

}  // namespace cuvier
