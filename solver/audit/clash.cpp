#include "solver/audit/clash.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "solver/cancellation/gave_up.h"
#include "solver/conflicts/conflicts_by_size.h"
#include "solver/conflicts/minimal_conflict.h"

// Sessions that leave the same of the set are one for the search by size, and it is as if each
// were there once: a clash of them stands for as many as there are ways to choose one of each.

namespace cuvier {
namespace {

constexpr std::size_t most_intersections = 20'000;

/// Sessions that leave the same of the set.
struct Alike {
  Ref left;
  std::vector<int> sessions;
};

int ways(const Subset& conflict, const std::vector<Alike>& kinds) {
  int ways = 1;
  for (const std::size_t kind : conflict) ways *= static_cast<int>(kinds[kind].sessions.size());
  return ways;
}

/// The clash of sessions that each leave this of the set; whether that is exact.
Clash clash_among(Diagrams& diagrams, Ref set, const std::vector<Ref>& left_by, bool exact) {
  std::map<Ref, std::vector<int>> by_left;
  for (int s = 0; s < static_cast<int>(left_by.size()); ++s) {
    if (left_by[s] != set) by_left[left_by[s]].push_back(s);
  }
  std::vector<Alike> kinds;
  for (const auto& [left, sessions] : by_left) kinds.push_back({left, sessions});
  std::ranges::sort(kinds, {}, [](const Alike& kind) { return kind.sessions.front(); });
  std::vector<Ref> left_by_kind;
  for (const Alike& kind : kinds) left_by_kind.push_back(kind.left);

  const auto both = [&](Ref a, Ref b) { return diagrams.both(a, b); };
  const auto found = conflicts_by_size(set, left_by_kind, diagrams.no(), both, most_intersections);
  Clash clash;
  clash.most_counted = found.size;
  for (const Subset& conflict : found.minimal) clash.others += ways(conflict, kinds);
  Subset chosen;
  if (!found.minimal.empty()) {
    chosen = found.minimal.front();
    clash.smallest = exact || chosen.size() <= 1;
    --clash.others;
  } else {
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) chosen.insert(chosen.end(), kind);
    chosen = minimal_conflict(std::move(chosen), [&](const Subset& some) {
      Ref left = set;
      for (const std::size_t kind : some) left = diagrams.both(left, kinds[kind].left);
      return left == diagrams.no();
    });
  }
  for (const std::size_t kind : chosen) clash.sessions.push_back(kinds[kind].sessions.front());
  std::ranges::sort(clash.sessions);
  return clash;
}

/// The numbers of all facts of a session, the last recording's the lowest: of these more stay.
Subset all_facts(const Session& session) {
  Subset facts;
  for (const Recording& recording : session) {
    for (std::size_t f = 0; f < recording.facts.size(); ++f) facts.insert(facts.size());
  }
  return facts;
}

Session with_facts(const Session& session, const Subset& facts) {
  Session kept = session;
  std::size_t number = 0;
  for (auto recording = kept.rbegin(); recording != kept.rend(); ++recording) {
    std::vector<Fact> some;
    for (const Fact& fact : recording->facts) {
      if (facts.contains(number++)) some.push_back(fact);
    }
    recording->facts = std::move(some);
  }
  return kept;
}

}  // namespace

Clash find_clash(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  const std::vector<int>& inexact = explanations.inexact();
  std::vector<Ref> left_by;
  for (int s = 0; s < explanations.size(); ++s) {
    const bool exact = std::ranges::find(inexact, s) == inexact.end();
    left_by.push_back(exact ? diagrams.both(set, explanations.of(s)) : set);
  }
  Ref left = set;
  for (const Ref each : left_by) left = diagrams.both(left, each);
  if (left == diagrams.no()) return clash_among(diagrams, set, left_by, inexact.empty());

  // It takes the others, too: what could not be looked at alone perhaps can in this set.
  bool exact = true;
  for (const int s : inexact) {
    try {
      left_by[s] = explanations.explaining(explanations.sessions()[s], set, kEffortAlone);
    } catch (const GaveUp&) {
      left_by[s] = diagrams.both(set, explanations.of(s));
      exact = false;
    }
  }
  return clash_among(diagrams, set, left_by, exact);
}

std::vector<Session> needed_facts(Explanations& explanations, Ref set, const Clash& clash,
                                  const Task& task) {
  Diagrams& diagrams = explanations.diagrams();
  std::vector<Session> kept;
  std::vector<Ref> left;
  for (const int s : clash.sessions) {
    kept.push_back(explanations.sessions()[s]);
    left.push_back(diagrams.both(set, explanations.of(s)));
  }
  for (std::size_t s = 0; s < kept.size(); ++s) {
    Ref others = set;
    for (std::size_t o = 0; o < kept.size(); ++o) {
      if (o != s) others = diagrams.both(others, left[o]);
    }
    const Session& all = explanations.sessions()[clash.sessions[s]];
    const Subset needed = minimal_conflict(all_facts(all), [&](const Subset& facts) {
      task.doing(fmt::format("{}: which facts clash", all.front().name()));
      try {
        return !explanations.any_explains(with_facts(all, facts), others);
      } catch (const GaveUp&) {
        return false;
      }
    });
    kept[s] = with_facts(all, needed);
    if (s + 1 == kept.size()) break;
    try {
      left[s] = explanations.explaining(kept[s], set, kEffortAlone);
    } catch (const GaveUp&) {
      kept[s] = explanations.sessions()[clash.sessions[s]];
    }
  }
  return kept;
}

}  // namespace cuvier
