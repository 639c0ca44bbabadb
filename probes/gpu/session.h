#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "probes/gpu/round_trips.h"

namespace cuvier::gpu {

/// A device, ready and warm, and how quick it was found to be.
struct ReadyDevice {
  std::unique_ptr<RunnerDevice> device;
  RoundTrips trips;
};

/// Opens the device; Failure where it cannot be had.
using OpenDevice = std::function<ReadyDevice()>;

/// The oracle protocol, line by line, until `bye` or the input's end. The device is opened
/// by the first hello. Returns the exit code.
int serve(std::istream& in, std::ostream& out, const OpenDevice& open);

}  // namespace cuvier::gpu
