#pragma once

#include <cstddef>
#include <vector>

#include "probes/observation.h"

namespace cuvier {

/// What the answer to a probe tells where each member of a committee predicts one of these
/// outcomes, and one of the members is right: bits.
double entropy_bits(const std::vector<std::size_t>& outcomes);

/// The same of two probes, asked one after the other, if the first leaves nothing behind that
/// changes the second.
double joint_bits(const std::vector<std::size_t>& first, const std::vector<std::size_t>& second);

/// What an observation shows, and all there is, in short: equal for equal observations.
struct Outcome {
  std::size_t seen = 0;
  std::size_t all = 0;  ///< through every channel, if that was asked for
};

/// Through which channels an oracle shows more than the SMs of blocks.
struct SeenChannels {
  bool warp_slots = false;
  bool configs = false;
};

Outcome outcome_of(const Observation& observation, const SeenChannels& channels, bool all_too);

/// Where each block of a probe went, and when: -1 where it did not.
std::vector<int> places(const Observation& observation, const Probe& probe, int sms);

/// Whether no wrong placement of a block or two makes one of the other.
bool far_apart(const std::vector<int>& places, const std::vector<int>& others);

}  // namespace cuvier
