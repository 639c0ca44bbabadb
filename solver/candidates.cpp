#include "solver/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cuvier {
namespace {

// Sizes of the search. A probe asked costs more than a probe imagined, but the user waits
// for both.
constexpr int kCommittee = 48;
constexpr int kDrawsPerFamily = 6;
constexpr int kKept = 6;
constexpr int kVariationsOfAsked = 24;
constexpr int kMutationRounds = 3;
constexpr int kMutationsOfEach = 4;

// Each action of a script costs a settle time on a GPU: worth this many bits.
constexpr double kBitsPerAction = 0.02;

double entropy_bits(const std::map<std::size_t, int>& classes, int total) {
  double bits = 0;
  for (const auto& [outcome, members] : classes) {
    const double share = static_cast<double>(members) / total;
    bits -= share * std::log2(share);
  }
  return bits;
}

double worth(const Candidate& candidate) {
  return candidate.bits - kBitsPerAction * static_cast<double>(candidate.probe.script.size());
}

std::size_t mix(std::size_t hash, int value) {
  hash = (hash ^ static_cast<unsigned>(value)) * 0x9E3779B97F4A7C15ull;
  return hash ^ hash >> 29;
}

}  // namespace

Search::Search(const Device& device, Draw draw, const std::vector<Recording>& history,
               const std::vector<std::string>& channels, Rng& rng)
    : device_(device),
      draw_(std::move(draw)),
      history_(history),
      sees_warps_(std::ranges::find(channels, "warp_slot") != channels.end()),
      sees_configs_(std::ranges::find(channels, "shared_config") != channels.end()),
      rng_(rng) {}

void Search::draw_committee() {
  const auto session = std::ranges::find_if(history_.rbegin(), history_.rend(), &Recording::fresh);
  const auto begin = session == history_.rend() ? history_.begin() : session.base() - 1;
  for (const Hypothesis& hypothesis : draw_(kCommittee)) {
    Simulator& member = committee_.emplace_back(device_, hypothesis);
    for (auto recording = begin; recording != history_.end(); ++recording) {
      member.run(recording->probe);
    }
  }
}

std::size_t Search::outcome(Simulator& member, const Probe& probe) const {
  const Observation observation = member.preview(probe);
  std::size_t hash = 0;
  for (const Step& step : observation.steps) {
    hash = mix(hash, -1);
    for (const Started& started : step.started) {
      hash = mix(hash, -2 - started.kernel);
      for (const int sm : started.sm) hash = mix(hash, sm);
      if (!sees_warps_) continue;
      for (const auto& slots : started.warp_slot) {
        for (const int slot : slots) hash = mix(hash, slot);
      }
    }
    if (!sees_configs_) continue;
    for (const auto& [kernel, bytes] : step.shared_config) hash = mix(hash, bytes);
  }
  return hash;
}

void Search::consider(Probe probe, const std::string& why) {
  for (const Probe& other : *excluded_) {
    if (probe.kernels == other.kernels && probe.script == other.script) return;
  }
  Candidate candidate{std::move(probe), why, 0, 0, static_cast<int>(committee_.size())};
  std::map<std::size_t, int> classes;
  for (Simulator& member : committee_) ++classes[outcome(member, candidate.probe)];
  candidate.outcomes = static_cast<int>(classes.size());
  if (candidate.outcomes < 2) return;
  candidate.bits = entropy_bits(classes, candidate.committee);
  const auto place = std::ranges::upper_bound(best_, worth(candidate), std::greater<>{}, worth);
  best_.insert(place, std::move(candidate));
  if (best_.size() > kKept) best_.pop_back();
}

void Search::vary_asked() {
  // What told hypotheses apart before is a good place to look for what tells the rest apart.
  for (int i = 0; i < kVariationsOfAsked && !history_.empty(); ++i) {
    if (give_up_if()) return;
    const auto& asked = history_[uniform(rng_, 0, static_cast<int>(history_.size()) - 1)];
    Probe probe = mutate(asked.probe, device_, rng_);
    for (int more = uniform(rng_, 0, 3); more > 0; --more) probe = mutate(probe, device_, rng_);
    consider(std::move(probe), "mutated " + asked.name());
  }
}

std::optional<Candidate> Search::best(const std::vector<Probe>& excluded, int rounds) {
  excluded_ = &excluded;
  draw_committee();
  for (int round = 0; round < rounds && !splits(); ++round) {
    // What nothing told apart so far, others may: ask other members of the space, too.
    if (round > 0 && round % 10 == 0) {
      committee_.clear();
      draw_committee();
    }
    on_progress(fmt::format("searching, round {}: {} hypotheses are asked", round + 1,
                            committee_.size()));
    for (const ProbeFamily& family : probe_families()) {
      for (int i = 0; i < kDrawsPerFamily; ++i) {
        if (give_up_if()) return std::nullopt;
        consider(family.draw(device_, rng_), std::string(family.name));
      }
    }
    if (!splits()) vary_asked();
  }
  for (int round = 0; round < kMutationRounds && splits() && !give_up_if(); ++round) {
    const std::vector<Candidate> parents = best_;
    for (const Candidate& parent : parents) {
      for (int i = 0; i < kMutationsOfEach; ++i) {
        const bool again = parent.why.starts_with("mutated ");
        consider(mutate(parent.probe, device_, rng_),
                 again ? parent.why : "mutated " + parent.why);
      }
    }
  }
  if (!splits()) return std::nullopt;
  return best_.front();
}

}  // namespace cuvier
