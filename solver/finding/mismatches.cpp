#include "solver/finding/mismatches.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

constexpr long longest_listed = 16;  // lists that differ later are shown from there
constexpr long shown_from_there = 6;

/// The fact of the same kind that holds of an observation.
Fact counterpart(const Fact& fact, const Observation& observation, const Probe& probe) {
  Fact result{fact.kind, fact.step, fact.kernel, {}, {}};
  if (fact.kind == Fact::Kind::shared_config) {
    for (const Step& step : observation.steps) {
      const auto found = step.shared_config.find(fact.kernel);
      if (found != step.shared_config.end()) result.values = {found->second};
    }
    return result;
  }
  const Started* const started = started_of(observation.steps[fact.step], fact.kernel);
  if (fact.kind == Fact::Kind::warp_slot) {
    if (started) result.slots = started->warp_slot;
  } else {
    result.values = values_of(fact.kind, started ? started->sm : std::vector<int>(),
                              probe.kernels[fact.kernel]);
  }
  return result;
}

/// A long list of SMs, from the first on that is not as in the other.
std::string from_difference(const Fact& fact, const Fact& other) {
  const auto difference = std::ranges::mismatch(fact.values, other.values).in1;
  const auto rest = fact.values.end() - difference;
  const auto shown_end = difference + std::min(rest, shown_from_there);
  std::string text = fmt::format("starts {} blocks", fact.values.size());
  if (rest == 0) return text;
  text += fmt::format(", after the first {} on SMs {}", difference - fact.values.begin(),
                      fmt::join(difference, shown_end, ", "));
  return rest > shown_from_there ? text + ", ..." : text;
}

/// What the fact says, without its step and kernel.
std::string in_words(const Fact& fact, const Fact& other, const Probe& probe) {
  const auto alike = std::ranges::mismatch(fact.values, other.values).in1 - fact.values.begin();
  if (fact.lists_sms() && alike + shown_from_there > longest_listed) {
    return from_difference(fact, other);
  }
  const std::string& kernel = probe.kernels[fact.kernel].name;
  const std::string place =
      fact.step < 0 ? kernel + ": " : fmt::format("step {}, {}: ", fact.step, kernel);
  return describe(fact, probe).substr(place.size());
}

}  // namespace

std::vector<Mismatch> mismatches(const Recording& recording, const Observation& predicted) {
  std::vector<Mismatch> wrong;
  const Probe& probe = recording.probe;
  for (const Fact& fact : recording.facts) {
    if (agrees(fact, predicted, probe)) continue;
    const Fact instead = counterpart(fact, predicted, probe);
    wrong.push_back({recording.name(), recording.where, fact, in_words(fact, instead, probe),
                     in_words(instead, fact, probe), probe.kernels[fact.kernel].name, instead});
  }
  return wrong;
}

std::vector<Mismatch> mismatches(const RecordingSet& set, const Hypothesis& hypothesis) {
  Simulator simulator(set.device, hypothesis);
  std::vector<Mismatch> all;
  for (const Recording& recording : set.recordings) {
    std::ranges::move(mismatches(recording, simulator.replay(recording)), std::back_inserter(all));
  }
  return all;
}

std::vector<Mismatch> mismatches(const std::vector<RecordingSet>& sets,
                                 const Hypothesis& hypothesis) {
  std::vector<Mismatch> wrong;
  for (const RecordingSet& set : sets) {
    std::ranges::move(mismatches(set, hypothesis), std::back_inserter(wrong));
  }
  return wrong;
}

}  // namespace cuvier
