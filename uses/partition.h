#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/scheduler/wait.h"
#include "probes/observation.h"

namespace cuvier {

/// SMs that take no blocks of the kernels: they are of another MPS partition or green context, or a
/// library leaves them to others.
struct ReservedSms {
  int count = 0;
  std::vector<int> sms{};  ///< which; empty: nobody knows

  /// Those, or the last ones of so many SMs.
  std::vector<int> some_of(int device_sms) const;
};

/// The other SMs, as a device of their own.
struct Partition {
  Device device;
  std::vector<int> sms;  ///< which they are on the whole device

  // What happens there, by the numbers that SMs have on the whole device.
  void name_as_on_whole(std::vector<Step>& steps) const;
  void name_as_on_whole(Wait& wait) const;
};
Partition without_sms(const Device& whole, const std::vector<int>& reserved);

/// The hypothesis there: the SMs come in the order in which they come on the whole device.
Hypothesis on_partition(const Device& whole, const Hypothesis& hypothesis, const Partition& part);

}  // namespace cuvier
