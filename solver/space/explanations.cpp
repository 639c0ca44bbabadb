#include "solver/space/explanations.h"

#include <fmt/format.h>

#include <unordered_map>

#include "solver/space/diagram_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {
namespace {

Precedences as_precedences(const Device& device, const std::vector<int>& order) {
  Precedences precedences(device.sms);
  for (std::size_t i = 1; i < order.size(); ++i) precedences.add(order[i - 1], order[i]);
  return precedences;
}

}  // namespace

Explanations::Explanations(const Device& device, const Assumptions& assumptions,
                           std::vector<int> order, std::vector<Session> sessions,
                           const std::function<void(const std::string&)>& doing,
                           const Effort& alone)
    : device_(device), order_(as_precedences(device, order)), sessions_(std::move(sessions)) {
  Assumptions assumed = assumptions;
  if (order.empty()) assumed.allowed[index_of<TieBreak>()] &= ~(1u << TieBreak::learned);
  assumed_ = set_of(diagrams_, assumed);
  explaining_.assign(sessions_.size(), assumed_);
  known_.assign(sessions_.size(), assumed_);
  for (int s = 0; s < size(); ++s) {
    doing(fmt::format("{}: which hypotheses explain it alone ({} of {})",
                      sessions_[s].back().name(), s + 1, size()));
    try {
      explaining_[s] = explaining(sessions_[s], assumed_, alone);
    } catch (const GaveUp&) {
      inexact_.push_back(s);
      known_[s] = diagrams_.no();
    }
  }
  for (const int s : inexact_) {
    doing(fmt::format("{}: which hypotheses that explain others explain it",
                      sessions_[s].back().name()));
    look_closer(s, all_of(assumed_));
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
  return explaining(session, set, most, kMostStrands + 1);
}

bool Explanations::any_explains(const Session& session, Ref set) {
  return explaining(session, set, Effort{}, 1) != diagrams_.no();
}

/// `enough`: strands through the whole session.
Ref Explanations::explaining(const Session& session, Ref set, const Effort& most,
                             std::size_t enough) {
  // A workspace of its own: what is computed on the way is given back.
  Workspace workspace;
  const auto same = [](int leaf) { return leaf; };
  std::unordered_map<Ref, Ref> to;
  std::vector<Strand<DiagramValues>> strands{
      {{workspace.diagrams.copy_from(diagrams_, set, same, to)}, {}, {}, order_}};
  for (const Recording& recording : session) {
    if (strands.empty()) break;
    Ref alive = workspace.diagrams.no();
    for (const auto& strand : strands) alive = workspace.diagrams.either(alive, strand.set.ref);
    DiagramValues values(workspace, {alive});
    const bool is_last = &recording == &session.back();
    strands =
        explain(recording, device_, values, strands, most, is_last ? enough : kMostStrands + 1);
  }
  std::unordered_map<Ref, Ref> back;
  Ref left = diagrams_.no();
  for (const auto& strand : strands) {
    left =
        diagrams_.either(left, diagrams_.copy_from(workspace.diagrams, strand.set.ref, same, back));
  }
  return left;
}

}  // namespace cuvier
