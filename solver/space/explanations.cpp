#include "solver/space/explanations.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <optional>

#include "solver/cancellation/task.h"
#include "solver/space/diagram_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {

// Compiled once, with version_space.cpp.
extern template std::vector<Strand<DiagramValues>> explain(
    const Recording&, const Device&, DiagramValues&, const std::vector<Strand<DiagramValues>>&,
    const Effort&, std::size_t, const Task&);

namespace {

Precedences as_precedences(const Device& device, const std::vector<int>& order) {
  Precedences precedences(device.sms);
  for (std::size_t i = 1; i < order.size(); ++i) precedences.add(order[i - 1], order[i]);
  return precedences;
}

}  // namespace

Explanations::Explanations(const Device& device, const Assumptions& assumptions,
                           std::vector<int> order, std::vector<Session> sessions, const Task& task,
                           const Effort& effort_alone)
    : device_(device), order_(as_precedences(device, order)), sessions_(std::move(sessions)) {
  Assumptions assumed = assumptions;
  if (order.empty()) assumed.allowed[index_of<TieBreak>()] &= ~(1u << TieBreak::learned);
  assumed_ = set_of(diagrams_, assumed);
  explaining_.assign(sessions_.size(), assumed_);
  known_.assign(sessions_.size(), assumed_);
  std::vector<std::optional<Explaining>> found(sessions_.size());
  std::atomic<int> looked_at = 0;
  const auto look_at = [&](int s) {
    const int number = ++looked_at;
    task.doing({fmt::format("{}: which hypotheses explain it alone ({} of {})",
                            sessions_[s].back().name(), number, size()),
                number - 1, size()});
    try {
      found[s] = alone(sessions_[s], assumed_, effort_alone, kMostStrands + 1, task);
    } catch (const GaveUp&) {
    }
  };
  tbb::parallel_for(0, size(), look_at, tbb::simple_partitioner());
  for (int s = 0; s < size(); ++s) {
    if (found[s]) {
      explaining_[s] = diagrams_.copy_from(found[s]->diagrams, found[s]->set);
    } else {
      inexact_.push_back(s);
      known_[s] = diagrams_.no();
    }
  }
  for (const int s : inexact_) {
    task.doing("{}: which hypotheses that explain others explain it", sessions_[s].back().name());
    look_closer(s, all_of(assumed_));
  }
}

Explanations::Explanations(const Explanations& all, const std::vector<int>& sessions, Ref set)
    : device_(all.device_), order_(all.order_) {
  const auto copy = [&](Ref of) { return diagrams_.copy_from(all.diagrams_, of); };
  assumed_ = copy(set);
  for (const int s : sessions) {
    sessions_.push_back(all.sessions_[s]);
    explaining_.push_back(diagrams_.both(assumed_, copy(all.explaining_[s])));
    known_.push_back(copy(all.known_[s]));
  }
}

void Explanations::look_closer(int session, Ref set) {
  const Ref unknown = diagrams_.without(set, known_[session]);
  const Ref explaining_it = explaining(sessions_[session], unknown);
  explaining_[session] =
      diagrams_.without(explaining_[session], diagrams_.without(unknown, explaining_it));
  known_[session] = diagrams_.either(known_[session], unknown);
}

Ref Explanations::all_of(Ref set) {
  for (const Ref each : explaining_) set = diagrams_.both(set, each);
  return set;
}

void Explanations::leave_out(const std::vector<int>& sessions) {
  for (const int session : sessions) {
    explaining_[session] = assumed_;
    known_[session] = assumed_;
    std::erase(inexact_, session);
  }
}

Ref Explanations::explaining(const Session& session, Ref set, const Effort& most) {
  const Explaining explaining = alone(session, set, most, kMostStrands + 1);
  return diagrams_.copy_from(explaining.diagrams, explaining.set);
}

bool Explanations::any_explains(const Session& session, Ref set) {
  const Explaining explaining = alone(session, set, Effort{}, 1);
  return explaining.set != explaining.diagrams.no();
}

Explanations::Explaining Explanations::alone(const Session& session, Ref set, const Effort& most,
                                             std::size_t enough, const Task& task) const {
  // A workspace of its own: what is computed on the way is given back.
  Workspace workspace;
  std::vector<Strand<DiagramValues>> strands{
      {{workspace.diagrams.copy_from(diagrams_, set)}, {}, {}, order_}};
  for (const Recording& recording : session) {
    if (strands.empty()) break;
    Ref alive = workspace.diagrams.no();
    for (const auto& strand : strands) alive = workspace.diagrams.either(alive, strand.set.ref);
    DiagramValues values(workspace, {alive});
    const bool is_last = &recording == &session.back();
    strands = explain(recording, device_, values, strands, most,
                      is_last ? enough : kMostStrands + 1, task);
  }
  Ref left = workspace.diagrams.no();
  for (const auto& strand : strands) left = workspace.diagrams.either(left, strand.set.ref);
  Explaining explaining{{}, 0};
  explaining.set = explaining.diagrams.copy_from(workspace.diagrams, left);
  return explaining;
}

}  // namespace cuvier
