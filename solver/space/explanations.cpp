#include "solver/space/explanations.h"

#include <fmt/format.h>

#include <unordered_map>

#include "solver/space/diagram_values.h"
#include "solver/space/hypothesis_sets.h"
#include "solver/space/strands.h"

namespace cuvier {
namespace {

/// What tells so little that it takes more is looked at among fewer hypotheses.
constexpr int kMostPathsAlone = 20'000;

Precedences known(const Device& device, const std::vector<int>& order) {
  Precedences precedences(device.sms);
  for (std::size_t i = 1; i < order.size(); ++i) precedences.add(order[i - 1], order[i]);
  return precedences;
}

}  // namespace

Explanations::Explanations(const Device& device, const Assumptions& assumptions,
                           std::vector<int> order, std::vector<Session> sessions,
                           const std::function<void(const std::string&)>& doing)
    : device_(device), order_(known(device, order)), sessions_(std::move(sessions)) {
  Assumptions assumed = assumptions;
  if (order.empty()) assumed.allowed[index_of<TieBreak>()] &= ~(1u << TieBreak::learned);
  assumed_ = set_of(diagrams_, assumed);
  explaining_.assign(sessions_.size(), assumed_);
  std::vector<int> later;
  for (int s = 0; s < size(); ++s) {
    doing(fmt::format("{}: which hypotheses explain it alone ({} of {})",
                      sessions_[s].back().name(), s + 1, size()));
    try {
      explaining_[s] = explaining(sessions_[s], assumed_, kMostPathsAlone);
    } catch (const GaveUp&) {
      later.push_back(s);
    }
  }
  inexact_ = later;
  for (const int s : later) {
    doing(fmt::format("{}: which hypotheses that explain others explain it",
                      sessions_[s].back().name()));
    const Ref others = all_of(assumed_);
    explaining_[s] =
        diagrams_.either(diagrams_.without(assumed_, others), explaining(sessions_[s], others));
  }
}

Ref Explanations::all_of(Ref set) {
  for (const Ref each : explaining_) set = diagrams_.both(set, each);
  return set;
}

void Explanations::leave_out(const std::vector<int>& sessions) {
  for (const int session : sessions) {
    explaining_[session] = assumed_;
    std::erase(inexact_, session);
  }
}

Ref Explanations::explaining(const Session& session, Ref set, int most_paths) {
  return explaining(session, set, most_paths, kMostStrands + 1);
}

bool Explanations::any_explains(const Session& session, Ref set) {
  return explaining(session, set, kMostPaths, 1) != diagrams_.no();
}

/// `enough`: strands through the whole session.
Ref Explanations::explaining(const Session& session, Ref set, int most_paths, std::size_t enough) {
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
    strands = explain(recording, device_, values, strands, most_paths,
                      is_last ? enough : kMostStrands + 1);
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
