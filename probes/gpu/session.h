#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "probes/gpu/runner_device.h"

namespace cuvier::gpu {

/// Opens the device, ready and warm; Failure where it cannot be had.
using OpenDevice = std::function<std::unique_ptr<RunnerDevice>()>;

inline constexpr int exit_done = 0;
inline constexpr int exit_lost = 3;  ///< after device_lost

/// The oracle protocol, line by line, until `bye` or the input's end. The device is opened
/// by the first hello. Returns the exit code.
int serve(std::istream& in, std::ostream& out, const OpenDevice& open);

}  // namespace cuvier::gpu
