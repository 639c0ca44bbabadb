#include "uses/explanation.h"

#include <algorithm>
#include <map>

#include "hypotheses/neighbours.h"
#include "hypotheses/simulator.h"
#include "probes/fact.h"
#include "probes/rng.h"

namespace cuvier {
namespace {

/// Without the action; a kernel that is not launched then is not released either.
Probe without(Probe probe, int action) {
  const std::optional<int> launched = probe.script[action].launch;
  probe.script[action] = {};  // a step in which nothing is done: all others keep their numbers
  if (!launched) return probe;
  for (Action& other : probe.script) {
    std::erase_if(other.releases, [&](const Release& r) { return r.kernel == *launched; });
  }
  return probe;
}

std::vector<Explanation::Neighbour> beside(const Observation& seen, const Probe& probe,
                                           const BlockStart& start, int kernel, int block) {
  std::map<int, std::vector<int>> resident;
  for (int s = 0; s <= start.step; ++s) {
    for (const Release& release : probe.script[s].releases) {
      auto& blocks = resident[release.kernel];
      std::erase_if(blocks, [&](int b) {
        return release.blocks.empty() || std::ranges::binary_search(release.blocks, b);
      });
    }
    for (const Started& started : seen.steps[s].started) {
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        const bool is_later =
            s == start.step && started.kernel == kernel && started.block[i] >= block;
        if (started.sm[i] == start.sm && !is_later)
          resident[started.kernel].push_back(started.block[i]);
      }
    }
  }
  std::vector<Explanation::Neighbour> beside;
  for (auto& [other, blocks] : resident) {
    if (!blocks.empty()) beside.push_back({other, std::move(blocks)});
  }
  return beside;
}

}  // namespace

std::optional<BlockStart> start_of(int kernel, int block, const Observation& observation) {
  for (int s = 0; s < std::ssize(observation.steps); ++s) {
    const Started* const started = started_of(observation.steps[s], kernel);
    if (started == nullptr) continue;
    const auto found = std::ranges::find(started->block, block);
    if (found != started->block.end()) {
      return BlockStart{s, started->sm[found - started->block.begin()]};
    }
  }
  return std::nullopt;
}

Explanation explain(const Device& device, const Hypothesis& model, const Probe& probe, int kernel,
                    int block) {
  const Observation seen = predict(device, model, probe);
  Explanation why{.kernel = kernel, .block = block, .start = start_of(kernel, block, seen)};
  if (why.start) {
    why.beside = beside(seen, probe, *why.start, kernel, block);
  } else {
    const std::vector<Wait> at_end = waits(device, model, probe).back();
    for (const Wait& wait : at_end) {
      if (wait.kernel == kernel) why.wait = wait;
    }
  }
  Rng rng(1);  // which would only draw an order of SMs, and is none of the answers
  for (const Hypothesis& changed : single_axis_changes(device, model, rng)) {
    const int axis = changed_axis(model, changed);
    if ((last_resorts(axis) >> changed.values[axis] & 1) != 0) continue;
    const auto start = start_of(kernel, block, predict(device, changed, probe));
    if (start != why.start) why.answers.push_back({axis, changed.values[axis], start});
  }
  std::ranges::stable_sort(why.answers, {}, &Explanation::OtherAnswer::axis);
  for (int a = 0; a < std::ssize(probe.script); ++a) {
    if (probe.script[a].launch == kernel || (why.start && a > why.start->step)) continue;
    const auto start = start_of(kernel, block, predict(device, model, without(probe, a)));
    if (start != why.start) why.actions.push_back({a, start});
  }
  return why;
}

}  // namespace cuvier
