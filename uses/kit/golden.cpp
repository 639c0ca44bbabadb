#include "uses/kit/golden.h"

#include <fmt/format.h>

#include "hypotheses/neighbours.h"
#include "hypotheses/plausible_models.h"
#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

constexpr int kMostTried = 6'000;
/// Probes that tell each rival: a simulator may have one of them right by luck.
constexpr int kEnough = 2;

/// What is seen where nothing but the SM of each block is.
Observation placements(const Device& device, const Hypothesis& model, const Probe& probe) {
  return seen_through({}, predict(device, model, probe));
}

std::vector<Hypothesis> rivals_of(const Device& device, const Hypothesis& model, Rng& rng) {
  std::vector<Hypothesis> rivals = single_axis_changes(device, model, rng);
  for (const NamedHypothesis& named : named_hypotheses()) {
    const bool is_model = canonical(named.hypothesis) == canonical(model);
    if (!is_model && suffices_for(device, named.hypothesis)) rivals.push_back(named.hypothesis);
  }
  return rivals;
}

}  // namespace

Golden golden_probes(const Device& device, const Hypothesis& model, std::uint64_t seed) {
  Rng rng(seed);
  struct Rival {
    Hypothesis hypothesis;
    int told_by = 0;
  };
  std::vector<Rival> rivals;
  Golden golden{{"golden", device, {}}, rivals_of(device, model, rng), 0, 0};
  for (const Hypothesis& rival : golden.rivals) rivals.push_back({rival});
  const auto is_told = [](const Rival& rival) { return rival.told_by >= kEnough; };
  const std::vector<ProbeFamily> families = probe_families(device);
  for (int tried = 0; tried < kMostTried && !std::ranges::all_of(rivals, is_told); ++tried) {
    const ProbeFamily& family = families[tried % families.size()];
    Probe probe = family.draw(device, rng);
    if (steps_of_one_outcome(device, model, probe) < std::ssize(probe.script)) continue;
    const Observation expected = placements(device, model, probe);
    bool helps = false;
    for (Rival& rival : rivals) {
      if (is_told(rival) || placements(device, rival.hypothesis, probe) == expected) continue;
      ++rival.told_by;
      helps = true;
    }
    if (!helps) continue;
    probe.name = fmt::format("{}-{}", family.name, golden.set.recordings.size() + 1);
    golden.set.recordings.push_back({probe, facts_of(expected, probe), true, {}});
  }
  golden.told_apart = static_cast<int>(
      std::ranges::count_if(rivals, [](const Rival& rival) { return rival.told_by > 0; }));
  golden.told_once = golden.told_apart - static_cast<int>(std::ranges::count_if(rivals, is_told));
  return golden;
}

}  // namespace cuvier
