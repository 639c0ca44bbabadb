#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/readings/choices.h"
#include "hypotheses/readings/other_rules.h"
#include "probes/fact.h"
#include "probes/initial_observation.h"
#include "probes/observation.h"

namespace cuvier {

/// A device that follows one hypothesis (but for `other_rules`, if there are any): predicts, probe
/// after probe, with the state that survives between them. Copies are independent of each other.
class Simulator {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Simulator(const Device& device, const Hypothesis& hypothesis,
            std::optional<OtherRules> other_rules = {});
  Simulator(const Simulator& other);
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  /// Forgets all that survives between probes; then it is as the opening left it, if there is one.
  void begin_session(const InitialObservation* opening = nullptr);

  /// Runs a recording's probe, where it ran: in a session that it begins if it is fresh. Of the
  /// outcomes that the hypothesis has, it shows the one that comes nearest to the recording.
  Observation replay(const Recording& recording);

  /// Runs a probe that is legal on the device. `warp_slot` holds the subpartition of
  /// each warp, `shared_config` each launched kernel's preferred configuration. Of the outcomes
  /// that the hypothesis has, it shows the one that these choices bring about; without any, the one
  /// in which nothing happens that nobody controls.
  Observation run(const Probe& probe, Choices* choices = nullptr);

  /// Asked after each step: whether what was shown so far is enough.
  using IsEnough = std::function<bool(const Observation&)>;

  /// What run() would show, without running it; no more of it than is enough.
  Observation preview(const Probe& probe, Choices* choices = nullptr,
                      const IsEnough& is_enough = {});

  /// Of what run() might show, what comes nearest to these facts, without running it.
  Observation nearest(const Probe& probe, const std::vector<Fact>& facts);

  /// Whether the other hypothesis, from the same state, is known to show the same of the latest
  /// probe without running it: that depended on no axis in which they differ but those of SMs, and
  /// by these all that SMs came to is the same. The probe must still be there.
  bool is_as_under(const Hypothesis& other) const;

  /// Of the latest probe's kernels, those whose blocks the other hypothesis (or, if it judged them,
  /// this one) judges otherwise in some state that an SM came to. Whichever judges the others, the
  /// probe shows the same (OtherRules).
  std::vector<bool> judged_otherwise(const Probe& latest, const Hypothesis& other) const;

  /// Whether both are in the same state between probes, whichever hypotheses they follow.
  bool is_where(const Simulator& other) const;

  const Device& device() const;
  const Hypothesis& hypothesis() const;

 private:
  /// Runs a probe, and leaves its blocks where they are then.
  Observation begin(const Probe& probe, Choices* choices, const IsEnough& is_enough);

  /// The choices that bring that about.
  SeenChoices choices_nearest(const Probe& probe, const std::vector<Fact>& facts);

  /// Where there are many, forgets the states that no SM is in. For an idle device.
  void drop_states();

  struct State;  ///< keeps the scheduler out of whatever only asks for predictions
  std::unique_ptr<State> state_;
};

/// The outcome of one probe in a fresh session.
Observation predict(const Device& device, const Hypothesis& hypothesis, const Probe& probe);

/// Brings a simulator into the state in which the latest session of these recordings ended.
void replay_session(const std::vector<Recording>& recordings, Simulator& simulator);

}  // namespace cuvier
