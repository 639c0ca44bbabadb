#include "solver/query_selection/information.h"

#include <cmath>
#include <map>
#include <utility>

namespace cuvier {
namespace {

template <class Value>
double entropy_of(const std::vector<Value>& outcomes) {
  std::map<Value, int> counts;
  for (const Value& outcome : outcomes) ++counts[outcome];
  double bits = 0;
  for (const auto& [outcome, members] : counts) {
    const double share = static_cast<double>(members) / static_cast<double>(outcomes.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

std::size_t mix(std::size_t hash, int value) {
  hash = (hash ^ static_cast<unsigned>(value)) * 0x9E3779B97F4A7C15ull;
  return hash ^ hash >> 29;
}

std::size_t hash_of(const Observation& observation, const SeenChannels& channels) {
  std::size_t hash = 0;
  for (const Step& step : observation.steps) {
    hash = mix(hash, -1);
    for (const Started& started : step.started) {
      hash = mix(hash, -2 - started.kernel);
      for (const int sm : started.sm) hash = mix(hash, sm);
      if (!channels.warp_slots) continue;
      for (const int slot : started.warp_slot.row()) hash = mix(hash, slot);
    }
    if (!channels.configs) continue;
    for (const auto& [kernel, bytes] : step.shared_config) hash = mix(hash, bytes);
  }
  return hash;
}

}  // namespace

double entropy_bits(const std::vector<std::size_t>& outcomes) { return entropy_of(outcomes); }

double joint_bits(const std::vector<std::size_t>& first, const std::vector<std::size_t>& second) {
  std::vector<std::pair<std::size_t, std::size_t>> both;
  for (std::size_t i = 0; i < first.size(); ++i) both.emplace_back(first[i], second[i]);
  return entropy_of(both);
}

Outcome outcome_of(const Observation& observation, const SeenChannels& channels, bool all_too) {
  Outcome outcome{hash_of(observation, channels)};
  if (all_too) outcome.all = hash_of(observation, {true, true});
  return outcome;
}

std::vector<int> places(const Observation& observation, const Probe& probe, int sms) {
  std::vector<int> first;
  int blocks = 0;
  for (const Kernel& kernel : probe.kernels) {
    first.push_back(blocks);
    blocks += kernel.blocks;
  }
  std::vector<int> places(blocks, -1);
  for (std::size_t step = 0; step < observation.steps.size(); ++step) {
    for (const Started& started : observation.steps[step].started) {
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        places[first[started.kernel] + started.block[i]] =
            static_cast<int>(step) * sms + started.sm[i];
      }
    }
  }
  return places;
}

bool far_apart(const std::vector<int>& places, const std::vector<int>& others) {
  constexpr int far = 3;
  int different = 0;
  for (std::size_t i = 0; i < places.size() && different < far; ++i) {
    different += places[i] != others[i] ? 1 : 0;
  }
  return different == far;
}

}  // namespace cuvier
