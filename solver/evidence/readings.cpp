#include "solver/evidence/readings.h"

#include <algorithm>

#include "probes/opening.h"

namespace cuvier {
namespace {

/// The step that tells it; a configuration is told by the launch.
int step_of(const Fact& fact, const Probe& probe) {
  if (fact.kind != Fact::Kind::shared_config) return fact.step;
  const auto launch = std::ranges::find_if(
      probe.script, [&](const Action& action) { return action.launch == fact.kernel; });
  return static_cast<int>(launch - probe.script.begin());
}

}  // namespace

Readings::Readings(Recording first) : all_{std::move(first)} {}

void Readings::add(Recording reading) {
  const auto known = std::ranges::find_if(all_, [&](const Recording& other) {
    return reading.opening && other.opening && *other.opening == *reading.opening;
  });
  if (known != all_.end()) reading.opening = known->opening;
  all_.push_back(std::move(reading));
}

std::vector<const Recording*> Readings::compared() const {
  const auto alike = [&](const Recording& reading) {
    return std::ranges::count(all_, reading.opening, &Recording::opening);
  };
  const Recording& first = *std::ranges::max_element(all_, {}, alike);
  std::vector<const Recording*> compared;
  for (const Recording& reading : all_) {
    if (reading.opening == first.opening) compared.push_back(&reading);
  }
  return compared;
}

std::map<Readings::Part, std::vector<Fact>> Readings::parts_of(const Recording& reading) {
  std::map<Part, std::vector<Fact>> parts;
  for (const Fact& fact : reading.facts) {
    parts[{step_of(fact, reading.probe), fact.kernel}].push_back(fact);
  }
  return parts;
}

std::map<Readings::Part, Readings::Vote> Readings::votes() const {
  // What a reading does not mention is an outcome as well: no fact.
  std::map<Part, std::vector<std::pair<std::vector<Fact>, int>>> counts;
  std::vector<std::map<Part, std::vector<Fact>>> readings;
  for (const Recording* reading : compared()) {
    readings.push_back(parts_of(*reading));
    for (const auto& [part, facts] : readings.back()) counts[part];
  }
  for (const auto& reading : readings) {
    for (auto& [part, outcomes] : counts) {
      const auto told = reading.find(part);
      const std::vector<Fact> facts = told == reading.end() ? std::vector<Fact>{} : told->second;
      const auto same =
          std::ranges::find(outcomes, facts, &std::pair<std::vector<Fact>, int>::first);
      if (same == outcomes.end()) {
        outcomes.emplace_back(facts, 1);
      } else {
        ++same->second;
      }
    }
  }
  std::map<Part, Vote> votes;
  for (auto& [part, outcomes] : counts) {
    std::ranges::stable_sort(outcomes, std::greater{}, &std::pair<std::vector<Fact>, int>::second);
    const int next = outcomes.size() > 1 ? outcomes[1].second : 0;
    votes[part] = {outcomes[0].first, outcomes[0].second - next};
  }
  return votes;
}

int Readings::lead_before(int step, const std::map<Part, Vote>& votes) const {
  int least = comparable();
  for (const auto& [part, vote] : votes) {
    if (part.first < step) least = std::min(least, vote.lead);
  }
  return least;
}

int Readings::lead() const { return lead_before(static_cast<int>(probe().script.size()), votes()); }

int Readings::lead_of_outcome() const {
  const auto votes = this->votes();
  return lead_before(settled_steps(votes, probe()), votes);
}

int Readings::settled_steps(const std::map<Part, Vote>& votes, const Probe& probe) {
  for (const auto& [part, vote] : votes) {
    if (vote.lead < kLead) return part.first;
  }
  return static_cast<int>(probe.script.size());
}

Recording Readings::outcome() const {
  const auto votes = this->votes();
  const Recording& first = *compared().front();
  Recording outcome{first.probe, {}, true, first.where, first.opening};
  const int steps = settled_steps(votes, probe());
  outcome.probe.script.resize(steps);
  for (const auto& [part, vote] : votes) {
    if (part.first >= steps) break;
    outcome.facts.insert(outcome.facts.end(), vote.leading.begin(), vote.leading.end());
  }
  return outcome;
}

int Readings::differing() const {
  const auto votes = this->votes();
  const int steps = settled_steps(votes, probe());
  return static_cast<int>(std::ranges::count_if(compared(), [&](const Recording* reading) {
    const auto parts = parts_of(*reading);
    return std::ranges::any_of(votes, [&](const auto& each) {
      const auto& [part, vote] = each;
      if (part.first >= steps) return false;
      const auto told = parts.find(part);
      return vote.leading != (told == parts.end() ? std::vector<Fact>{} : told->second);
    });
  }));
}

}  // namespace cuvier
