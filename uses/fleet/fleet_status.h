#pragma once

#include <string>
#include <vector>

#include "uses/fleet/fleet_folder.h"

namespace cuvier {

/// How far a fleet has come.
struct FleetStatus {
  int gpus = 0;  ///< that are to be asked
  int done = 0;
  std::vector<std::string> at_work;  ///< GPUs
  struct Stopped {
    std::string gpu;  ///< or where it is, if it could not be opened
    std::string why;  ///< as far as it is known
  };
  std::vector<Stopped> stopped;  ///< begun, not done, and no task is at them
  double seconds = 0;            ///< that each that is done took, on average

  int not_begun() const;
  /// Until all is done, if as many tasks stay at work; 0 where nothing is known.
  double seconds_left() const;
};

/// Throws Error where there is no fleet.
FleetStatus status_of(const FleetFolder& folder);

}  // namespace cuvier
