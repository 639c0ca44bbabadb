#include "solver/finding/single_changes.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "hypotheses/neighbours.h"
#include "hypotheses/simulator.h"
#include "solver/finding/mismatches.h"

namespace cuvier {

std::vector<SingleChange> single_changes(const RecordingSet& set, const Hypothesis& mechanism,
                                         const Task& task) {
  Rng rng(1);
  const std::vector<Hypothesis> changed = single_axis_changes(set.device, mechanism, rng);
  std::vector<SingleChange> changes(changed.size());
  tbb::parallel_for(std::size_t{0}, changed.size(), [&](std::size_t i) {
    SingleChange& change = changes[i];
    change.axis = changed_axis(mechanism, changed[i]);
    change.value = changed[i].values[change.axis];
    const std::string what = fmt::format("what contradicts {}={}", axis_info(change.axis).name,
                                         axis_value(change.axis, change.value).name);
    Simulator simulator(set.device, changed[i]);
    for (int index = 0; index < std::ssize(set.recordings); ++index) {
      task.doing(what);
      const Recording& recording = set.recordings[index];
      const auto wrong = mismatches(recording, simulator.replay(recording));
      const auto first =
          std::ranges::min_element(wrong, {}, [](const Mismatch& each) { return each.fact.step; });
      if (first != wrong.end()) change.contradicted_by.push_back({index, first->fact.step});
    }
  });
  return changes;
}

}  // namespace cuvier
