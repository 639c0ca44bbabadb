#include "solver/justification/evidence_left.h"

#include <algorithm>
#include <span>

#include "probes/error.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/doubt.h"
#include "solver/evidence/runs.h"

namespace cuvier {
namespace {

void take_in_turn(const RecordingSet& journal, EvidenceLeft& left, const Task& task) {
  const Recording* last = nullptr;
  for (const Recording& recording : journal.recordings) {
    task.doing("pruning by " + recording.name());
    // Runs of one probe have its name; a question may be asked again as another probe.
    const bool is_new = !last || last->probe != recording.probe;
    if (is_new && !recording.name().ends_with(kAlone)) ++left.probes;
    last = &recording;
    try {
      left.space.observe(recording, task);
    } catch (const GaveUp&) {
      if (left.space.empty()) throw;
      left.also.push_back(recording);
    }
  }
}

void take_votes(const RecordingSet& journal, EvidenceLeft& left, const Task& task) {
  std::vector<Runs> probes;
  for (const Recording& recording : journal.recordings) {
    if (!recording.fresh) {
      throw Error(recording.where +
                  ": ran after others in its session: such runs cannot be put to the vote");
    }
    const auto known = std::ranges::find_if(
        probes, [&](const Runs& runs) { return runs.are_of_probe_in(recording); });
    if (known == probes.end()) {
      probes.emplace_back(recording);
    } else {
      known->add(recording);
    }
  }
  left.probes = static_cast<int>(probes.size());
  bool corrected = true;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::span<const Runs> asked(probes.data(), i + 1);
    task.doing("pruning by " + probes[i].probe().name);
    left.space.observe(probes[i].outcome(), task);
    while (corrected && left.space.empty()) {
      corrected = left.space.correct_further(
          [&](const Subset& doubted) { return may_be_doubted(asked, doubted); });
    }
  }
  left.doubted_too_soon = doubted_too_soon(probes, left.space.corrections());
}

}  // namespace

EvidenceLeft evidence_left(const RecordingSet& journal, const Assumptions& assumptions, bool voted,
                           const Task& task) {
  EvidenceLeft left{
      {journal.source, journal.device, {}}, {}, {}, CorrectedSpace(journal.device, assumptions), 0};
  voted ? take_votes(journal, left, task) : take_in_turn(journal, left, task);
  left.counted.recordings = left.space.counted();
  return left;
}

}  // namespace cuvier
