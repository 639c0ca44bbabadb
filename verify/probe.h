#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/device.h"

namespace cuvier::verify {

/// What a probe does next: it launches a kernel, or releases blocks.
struct Action {
  struct Release {
    int kernel = 0;
    bool all = false;         ///< that are resident
    std::vector<int> blocks;  ///< or these, if resident
    bool operator==(const Release&) const = default;
  };
  int launch = -1;  ///< the kernel; -1: a release
  std::vector<Release> releases;
  bool releases_several() const {
    return releases.size() > 1 ||
           (!releases.empty() && (releases.front().all || releases.front().blocks.size() > 1));
  }
  bool operator==(const Action&) const = default;
};

/// What ran on the idle device as a session began, and where it was seen to go
/// (docs/design/openings.md).
struct Opening {
  /// The last block that came to an SM.
  struct Latest {
    int sm = 0;
    int kernel = 0;
    std::optional<int> subpartition;  ///< of its last warp, where that was seen
  };
  std::vector<Kernel> kernels;  ///< in the order of their launches
  std::vector<Latest> latest;   ///< in the order in which they came
  std::string written;          ///< as the file has it

  bool operator==(const Opening& other) const { return written == other.written; }
};

struct Probe {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<Action> script;
  bool operator==(const Probe&) const = default;
};

}  // namespace cuvier::verify
