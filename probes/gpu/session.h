#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
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

}  // namespace cuvier::gpu
