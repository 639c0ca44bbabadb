#include "solver/diagnosis/refutation.h"

#include <algorithm>
#include <tuple>

#include "hypotheses/simulator.h"
#include "solver/cancellation/task.h"
#include "solver/finding/mismatches.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

std::optional<Refutation> smallest_refutation(const RecordingSet& set, const Hypothesis& hypothesis,
                                              const Task& task) {
  Refutation result;
  std::vector<Mismatch> wrong;
  try {
    Simulator simulator(set.device, hypothesis);
    for (const Recording& recording : set.recordings) {
      task.doing("predicting recording {} of {}", result.recordings_before + 1,
                 set.recordings.size());
      std::ranges::move(mismatches(recording, simulator.replay(recording)),
                        std::back_inserter(wrong));
      ++result.recordings_before;
      result.facts_before += static_cast<int>(recording.facts.size());
    }
  } catch (const Stopped& cut_short) {
    if (wrong.empty()) throw;
    result.cut_short = cut_short.why;
  }
  if (wrong.empty()) return std::nullopt;
  result.facts_wrong = static_cast<int>(wrong.size());

  const auto begin = set.recordings.begin();
  auto session = begin;  // its first recording
  auto best_session = begin;
  auto best = set.recordings.end();
  const auto cost = [](auto first, auto last) {
    return std::tuple(last - first, size_of(last->probe));
  };
  for (auto recording = begin; recording != set.recordings.end(); ++recording) {
    if (recording->fresh) session = recording;
    if (std::ranges::find(wrong, recording->where, &Mismatch::where) == wrong.end()) continue;
    if (best == set.recordings.end() || cost(session, recording) < cost(best_session, best)) {
      best = recording;
      best_session = session;
    }
  }
  result.mismatch = *std::ranges::find(wrong, best->where, &Mismatch::where);
  result.set = {set.source, set.device, {best_session, best + 1}};
  for (Recording& recording : result.set.recordings) recording.facts.clear();
  result.set.recordings.front().fresh = true;
  result.set.recordings.back().facts = {result.mismatch.fact};
  return result;
}

}  // namespace cuvier
