#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/fact.h"

namespace cuvier {

/// A claim of a device's file, and a probe that shows whether the device keeps to it.
struct DeviceClaim {
  /// How many blocks started, or on how many SMs or TPCs.
  using Measure = std::function<int(const Device& device, const std::vector<Fact>& facts)>;

  Probe probe;        ///< named after what it is about
  std::string field;  ///< of the device file
  std::string unit;   ///< of what is measured: "block"
  int documented = 0;
  Measure measure;
};

/// What a device says of itself, as far as placements show it. How shared memory is rounded and
/// reserved is no claim: the probes are made for a device that does that as `hypothesis` has it.
std::vector<DeviceClaim> device_claims(const Device& device, const Hypothesis& hypothesis);

/// Axes that no device file speaks of, and probes of which a few tell their values apart.
struct DeviceGranularity {
  std::string what;  ///< "allocation unit of registers"
  std::vector<int> axes;
  std::vector<Hypothesis> candidates;  ///< Algorithm 1 with each combination of their values
  std::vector<Probe> probes;           ///< those worth asking, in this order
};

std::vector<DeviceGranularity> device_granularities(const Device& device);

/// Blocks that start.
int blocks_started(const Device& device, const std::vector<Fact>& facts);

/// The same, where a device with these facts is as the hypothesis has it.
int predicted(const Device& device, const Hypothesis& hypothesis, const Probe& probe,
              const DeviceClaim::Measure& measure);

}  // namespace cuvier
