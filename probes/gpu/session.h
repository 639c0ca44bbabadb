#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "probes/gpu/round_trips.h"
#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// A device, ready and warm, how quick it was found to be, and which it is.
struct ReadyDevice {
  std::unique_ptr<RunnerDevice> device;
  RoundTrips trips;
  std::string uuid = {};  ///< "": not known
  std::string driver = {};
};

/// Opens the device; Failure where it cannot be had.
using OpenDevice = std::function<ReadyDevice()>;

/// The oracle protocol, line by line, until `bye` or the input's end. The device is opened
/// by the first hello. Returns the exit code.
int serve(std::istream& in, std::ostream& out, const OpenDevice& open);

/// As many of the smallest blocks as the device holds, which puts some on every SM whatever the
/// scheduler's policy; with the frame that the device was set up for, if it was.
Probe opening_probe(const RunnerDevice& device);

/// What a session begins with (docs/design/openings.md): pointers and cursors have come
/// from wherever earlier kernels left them to where this run is seen to leave them.
struct SeenOpening {
  Probe probe;
  Observation observation;
};

/// Nothing where part of the grid does not start however often it is tried, nor so much of it as
/// starts when it is launched alone, on every SM: something else holds part of the device. Says so
/// on standard error.
std::optional<SeenOpening> observe_opening(RunnerDevice& device, const Patience& patience);

}  // namespace cuvier::gpu
