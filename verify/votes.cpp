#include <algorithm>
#include <map>

#include "verify/recording.h"

namespace cuvier::verify {
namespace {

constexpr int lead_to_count = 3;

using Runs = std::vector<const Recording*>;

/// Those that opened as most did.
Runs opened_alike(const Runs& runs) {
  const auto opening = [](const Recording* run) {
    return run->opening ? run->opening->written : "";
  };
  const auto alike = [&](const Recording* run) {
    return std::ranges::count(runs, opening(run), opening);
  };
  Runs those = runs;
  const std::string most = opening(*std::ranges::max_element(runs, {}, alike));
  std::erase_if(those, [&](const Recording* run) { return opening(run) != most; });
  return those;
}

/// What leads every other enough, of a kernel in a step.
std::optional<Known> leading(const Runs& runs, std::size_t step, std::size_t k) {
  std::map<Known, int> votes;
  for (const Recording* run : runs) ++votes[run->known[step][k]];
  const auto most =
      std::ranges::max_element(votes, {}, [](const auto& each) { return each.second; });
  if (votes.size() == 1 && most->first == Known()) return Known();  // nobody looked
  for (const auto& [known, ayes] : votes) {
    const int others = known == most->first ? 0 : ayes;
    if (most->second - others < lead_to_count) return {};
  }
  return most->first;
}

Voted voted(const Runs& runs) {
  const Runs compared = opened_alike(runs);
  Voted voted{*compared.front(), static_cast<int>(runs.size())};
  const std::size_t written = runs.front()->probe.script.size();
  std::size_t steps = written;
  for (const Recording* run : compared) steps = std::min(steps, run->probe.script.size());
  std::vector<std::vector<Known>>& outcome = voted.outcome.known;
  outcome.clear();
  std::set<const Recording*> differing;
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<Known> led;
    for (std::size_t k = 0; k < voted.outcome.probe.kernels.size(); ++k) {
      if (const std::optional<Known> leads = leading(compared, step, k)) led.push_back(*leads);
    }
    if (led.size() < voted.outcome.probe.kernels.size()) break;
    for (const Recording* run : compared) {
      if (run->known[step] != led) differing.insert(run);
    }
    outcome.push_back(std::move(led));
  }
  voted.is_settled = outcome.size() == written;
  voted.outcome.probe.script.resize(outcome.size());
  voted.differing = static_cast<int>(differing.size());
  return voted;
}

}  // namespace

bool are_of_one_probe(const Recording& a, const Recording& b) {
  const auto& script = a.probe.script;
  const auto steps = static_cast<long>(std::min(script.size(), b.probe.script.size()));
  return a.probe.name == b.probe.name && a.probe.kernels == b.probe.kernels &&
         std::equal(script.begin(), script.begin() + steps, b.probe.script.begin());
}

std::vector<Voted> put_to_vote(const std::vector<Recording>& recordings) {
  std::vector<Runs> by_probe;
  for (const Recording& recording : recordings) {
    if (!recording.fresh) throw Unreadable(recording.where + ": ran after others in its session");
    const auto known = std::ranges::find_if(by_probe, [&](const Runs& runs) {
      return runs.front()->probe.name == recording.probe.name;
    });
    if (known == by_probe.end()) {
      by_probe.push_back({&recording});
      continue;
    }
    if (!are_of_one_probe(*known->front(), recording)) {
      throw Unreadable(recording.where + ": is another probe than the first of its name");
    }
    known->push_back(&recording);
  }
  std::vector<Voted> all;
  for (const Runs& runs : by_probe) all.push_back(voted(runs));
  return all;
}

}  // namespace cuvier::verify
