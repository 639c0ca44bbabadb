#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/fact.h"

namespace cuvier {

/// A fact of the device's description, and a probe that shows whether the device keeps to it.
struct LimitCheck {
  /// How many blocks started, or on how many SMs or TPCs.
  using Measure = std::function<int(const Device& device, const std::vector<Fact>& facts)>;

  Probe probe;               ///< named after what it is about: "block slots of an SM"
  std::string field;         ///< of the device file, where it says so
  std::string unit;          ///< of the two numbers: "block"
  int documented = 0;        ///< that should start, or be reached
  Measure measure = {};      ///< none where no hypothesis predicts it
  int seen = 0;              ///< that did, or were
  std::string refused = {};  ///< what the oracle said instead, if it did
  /// Each of these alone, and not as in Algorithm 1, would show what was seen on a device that is
  /// as documented: the field may be right then.
  std::vector<std::string> unless = {};

  const std::string& what() const { return probe.name; }
  bool holds() const { return refused.empty() && seen == documented; }
};

/// What a device says of itself, as far as placements show it, before anything is seen. How shared
/// memory is rounded and reserved is no claim: the probes are made for a device that does that as
/// `hypothesis` has it.
std::vector<LimitCheck> device_claims(const Device& device, const Hypothesis& hypothesis);

/// What no device file says: axes, and probes of which a few tell their values apart.
struct GranularityCheck {
  std::string what;  ///< "allocation unit of registers"
  std::vector<int> axes;
  std::vector<Hypothesis> candidates;  ///< Algorithm 1 with each combination of their values
  std::vector<Probe> probes = {};      ///< those worth asking, in this order; then those answered
  std::vector<int> seen = {};          ///< how many blocks of each started
  std::vector<Hypothesis> left = {};   ///< candidates that explain all of it
  std::string refused = {};  ///< what the oracle said to a probe instead of an answer, if it did
};

std::vector<GranularityCheck> device_granularities(const Device& device);

/// Blocks that start.
int blocks_started(const Device& device, const std::vector<Fact>& facts);

/// Whether a device with these facts that is as the hypothesis has it would show what was seen, if
/// anything was.
bool shows(const Device& device, const Hypothesis& hypothesis, const LimitCheck& check);
bool shows(const Device& device, const Hypothesis& hypothesis, const GranularityCheck& check);

}  // namespace cuvier
