#pragma once

#include <algorithm>
#include <string>

#include "hypotheses/assumptions.h"
#include "hypotheses/axes/warp_placement.h"

namespace cuvier {

/// A device of so many SMs with so many warp slots each, a multiple of four, in which nothing else
/// is ever short: what simtbs, a published simulator, calls a resource of an SM.
inline Device plain_device(const std::string& name, int sms, int warps_per_sm) {
  Device device;
  device.name = name;
  device.architecture = "sm_70";
  device.sms = sms;
  device.max_blocks_per_sm = warps_per_sm;
  device.max_warps_per_sm = warps_per_sm;
  device.registers_per_sm = std::max(65536, 512 * warps_per_sm);  // at 16 for each thread
  device.shared_configs = {0, 98304};
  device.max_shared_per_block = 98304;
  device.max_resident_kernels = 1'000'000;
  return device;
}

/// The hypothesis of a scheduler that knows nothing but these slots, with the values of `text`
/// (hypothesis_from_text).
inline Hypothesis plain_hypothesis(const std::string& text) {
  Hypothesis hypothesis = hypothesis_from_text(text);
  hypothesis.set<WarpPlacement>(WarpPlacement::skip_full);
  hypothesis.set<ConfigScope>(ConfigScope::none);
  hypothesis.set<RuntimeShared>(RuntimeShared::b0);
  hypothesis.set<TieBreak>(TieBreak::linear);
  hypothesis.set<CursorReset>(CursorReset::never);
  return hypothesis;
}

}  // namespace cuvier
