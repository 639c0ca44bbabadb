#pragma once

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
  bool operator==(const Action&) const = default;
};

struct Probe {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<Action> script;
  bool operator==(const Probe&) const = default;
};

}  // namespace cuvier::verify
