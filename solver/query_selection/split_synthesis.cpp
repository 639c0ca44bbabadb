#include "solver/query_selection/split_synthesis.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/query_selection/comparison.h"
#include "solver/synthesis/synthesis.h"

namespace cuvier {
namespace {

constexpr int kMostPairs = 3;
constexpr double kSecondsPerPair = 5;

}  // namespace

SplitSynthesis synthesise_split(const Device& device, const Classes& classes,
                                const std::function<void(Simulator&)>& bring_along,
                                const std::vector<std::string>& channels,
                                const std::vector<Probe>& excluded, const Task& task) {
  SplitSynthesis split;
  int pairs = 0;
  for (std::size_t i = 0; i < classes.classes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (pairs++ == kMostPairs || task.is_to_end()) return split;
      const Hypothesis& a = classes.classes[j].front();
      const Hypothesis& b = classes.classes[i].front();
      Simulator under_a(device, a);
      Simulator under_b(device, b);
      for (Simulator* simulator : {&under_a, &under_b}) bring_along(*simulator);
      const auto tells_apart = [&](const Probe& probe) {
        const bool asked = std::ranges::any_of(
            excluded, [&](const Probe& other) { return same_question(probe, other); });
        if (asked) return false;
        return first_parting(under_a, under_b, probe, channels).has_value();
      };
      SynthesisOptions options;
      options.channels = channels;
      options.seconds = kSecondsPerPair;
      options.limits.task = task;
      Synthesis synthesis = synthesise(device, a, b, options, tells_apart);
      if (synthesis.probe) {
        split.candidate = Candidate{std::move(*synthesis.probe), "synthesised", 1, 2, 2, {}};
        return split;
      }
      const bool gave_up = synthesis.kind == Synthesis::Kind::gave_up;
      if (split.gave_up && !gave_up) continue;
      split.gave_up = gave_up;
      split.reason = fmt::format("{} and {}: {}", describe(a), describe(b), synthesis.reason);
    }
  }
  return split;
}

}  // namespace cuvier
