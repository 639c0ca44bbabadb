#include "verify/votes.h"

#include <algorithm>

#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

constexpr int lead_to_count = 3;

/// What a run shows of a kernel in a step. A configuration belongs to the launch.
struct Shown {
  Known known;
  std::optional<int> config;
  bool operator==(const Shown&) const = default;
};

Shown shown_of(const Recording& run, std::size_t step, std::size_t k) {
  const bool launches = run.probe.script[step].launch == static_cast<int>(k);
  return {run.known[step][k], launches ? run.configs[k] : std::nullopt};
}

int facts_in(const Shown& part) {
  const Known& known = part.known;
  return known.sms.has_value() + known.sm_set.has_value() + known.started.has_value() +
         known.starts.has_value() + known.complete.has_value() + known.slots.has_value() +
         part.config.has_value();
}

Voted voted(const std::vector<const Recording*>& runs) {
  const auto opened_as = [&](const Recording* run) {
    return [run](const Recording* other) {
      return run->opening && other->opening ? *run->opening == *other->opening
                                            : run->opening == other->opening;
    };
  };
  const Recording* first = *std::ranges::max_element(
      runs, {}, [&](const Recording* run) { return std::ranges::count_if(runs, opened_as(run)); });
  std::vector<const Recording*> compared;
  std::ranges::copy_if(runs, std::back_inserter(compared), opened_as(first));
  Voted voted{*first, static_cast<int>(runs.size())};
  std::size_t steps = first->probe.script.size();
  for (const Recording* run : compared) steps = std::min(steps, run->probe.script.size());
  std::vector<bool> differs(compared.size());
  Recording& outcome = voted.outcome;
  outcome.facts = 0;
  outcome.configs.assign(outcome.configs.size(), {});
  std::size_t settled = 0;
  for (; settled < steps && voted.is_settled; ++settled) {
    std::vector<bool> differs_here = differs;
    std::vector<Shown> parts(first->probe.kernels.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      std::vector<std::pair<Shown, int>> votes;
      for (const Recording* run : compared) {
        const Shown part = shown_of(*run, settled, k);
        const auto same = std::ranges::find(votes, part, &std::pair<Shown, int>::first);
        same == votes.end() ? votes.push_back({part, 1}) : void(++same->second);
      }
      std::ranges::stable_sort(votes, std::greater{}, &std::pair<Shown, int>::second);
      const auto& [leading, ayes] = votes.front();
      if (votes.size() == 1 && leading == Shown{}) continue;  // nobody looked
      if (ayes - (votes.size() > 1 ? votes[1].second : 0) < lead_to_count) voted.is_settled = false;
      parts[k] = leading;
      for (std::size_t run = 0; run < compared.size(); ++run) {
        if (!(shown_of(*compared[run], settled, k) == leading)) differs_here[run] = true;
      }
    }
    if (!voted.is_settled) break;
    differs = differs_here;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      outcome.known[settled][k] = parts[k].known;
      if (parts[k].config) outcome.configs[k] = parts[k].config;
      outcome.facts += facts_in(parts[k]);
    }
  }
  voted.is_settled = voted.is_settled && settled == runs.front()->probe.script.size();
  outcome.probe.script.resize(settled);
  outcome.known.resize(settled);
  voted.differing = static_cast<int>(std::ranges::count(differs, true));
  return voted;
}

}  // namespace

std::vector<Voted> put_to_vote(const std::vector<Recording>& recordings) {
  std::vector<std::vector<const Recording*>> by_probe;
  for (const Recording& recording : recordings) {
    if (!recording.fresh) throw Unreadable(recording.where + ": ran after others in its session");
    const auto known = std::ranges::find_if(by_probe, [&](const auto& runs) {
      return runs.front()->probe.name == recording.probe.name;
    });
    if (known == by_probe.end()) {
      by_probe.push_back({&recording});
      continue;
    }
    const Probe& probe = known->front()->probe;
    const std::size_t steps = std::min(probe.script.size(), recording.probe.script.size());
    if (probe.kernels != recording.probe.kernels ||
        !std::equal(probe.script.begin(), probe.script.begin() + steps,
                    recording.probe.script.begin())) {
      throw Unreadable(recording.where + ": is another probe than the first of its name");
    }
    known->push_back(&recording);
  }
  std::vector<Voted> all;
  for (const auto& runs : by_probe) all.push_back(voted(runs));
  return all;
}

}  // namespace cuvier::verify
