#include "solver/evidence/runs.h"

#include <algorithm>

#include "probes/initial_observation.h"

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

Runs::Runs(Recording first) : all_{std::move(first)} {}

bool Runs::are_of_probe_in(const Recording& run) const {
  const auto& [name, kernels, script] = probe();
  const auto steps = static_cast<std::ptrdiff_t>(std::min(script.size(), run.probe.script.size()));
  return run.name() == name && run.probe.kernels == kernels &&
         std::equal(script.begin(), script.begin() + steps, run.probe.script.begin());
}

void Runs::add(Recording run) {
  const auto known = std::ranges::find_if(all_, [&](const Recording& other) {
    return run.opening && other.opening && *other.opening == *run.opening;
  });
  if (known != all_.end()) run.opening = known->opening;
  all_.push_back(std::move(run));
}

std::vector<const Recording*> Runs::compared() const {
  const auto alike = [&](const Recording& run) {
    return std::ranges::count(all_, run.opening, &Recording::opening);
  };
  const Recording& first = *std::ranges::max_element(all_, {}, alike);
  std::vector<const Recording*> compared;
  for (const Recording& run : all_) {
    if (run.opening == first.opening) compared.push_back(&run);
  }
  return compared;
}

std::map<Runs::Part, std::vector<Fact>> Runs::parts_of(const Recording& run) {
  std::map<Part, std::vector<Fact>> parts;
  for (const Fact& fact : run.facts) {
    parts[{step_of(fact, run.probe), fact.kernel}].push_back(fact);
  }
  return parts;
}

std::map<Runs::Part, Runs::Vote> Runs::votes() const {
  // What a run does not mention is an outcome as well: no fact.
  std::map<Part, std::vector<std::pair<std::vector<Fact>, int>>> counts;
  std::vector<std::map<Part, std::vector<Fact>>> runs;
  for (const Recording* run : compared()) {
    runs.push_back(parts_of(*run));
    for (const auto& [part, facts] : runs.back()) counts[part];
  }
  for (const auto& run : runs) {
    for (auto& [part, outcomes] : counts) {
      const auto told = run.find(part);
      const std::vector<Fact> facts = told == run.end() ? std::vector<Fact>{} : told->second;
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

int Runs::lead_before(int step, const std::map<Part, Vote>& votes) const {
  int least = comparable();
  for (const auto& [part, vote] : votes) {
    if (part.first < step) least = std::min(least, vote.lead);
  }
  return least;
}

int Runs::lead() const { return lead_before(steps(), votes()); }

int Runs::lead_of_outcome() const {
  const auto votes = this->votes();
  return lead_before(settled_steps(votes), votes);
}

int Runs::steps() const {
  std::size_t least = probe().script.size();
  for (const Recording* run : compared()) least = std::min(least, run->probe.script.size());
  return static_cast<int>(least);
}

int Runs::settled_steps(const std::map<Part, Vote>& votes) const {
  for (const auto& [part, vote] : votes) {
    if (vote.lead < kLead) return std::min(part.first, steps());
  }
  return steps();
}

Recording Runs::outcome() const {
  const auto votes = this->votes();
  const Recording& first = *compared().front();
  Recording outcome{first.probe, {}, true, first.where, first.opening};
  const int steps = settled_steps(votes);
  outcome.probe.script.resize(steps);
  for (const auto& [part, vote] : votes) {
    if (part.first >= steps) break;
    outcome.facts.insert(outcome.facts.end(), vote.leading.begin(), vote.leading.end());
  }
  return outcome;
}

int Runs::differing() const {
  const auto votes = this->votes();
  const int steps = settled_steps(votes);
  return static_cast<int>(std::ranges::count_if(compared(), [&](const Recording* run) {
    const auto parts = parts_of(*run);
    return std::ranges::any_of(votes, [&](const auto& each) {
      const auto& [part, vote] = each;
      if (part.first >= steps) return false;
      const auto told = parts.find(part);
      return vote.leading != (told == parts.end() ? std::vector<Fact>{} : told->second);
    });
  }));
}

}  // namespace cuvier
