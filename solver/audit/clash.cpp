#include "solver/audit/clash.h"

#include <algorithm>
#include <map>
#include <utility>

#include "solver/cancellation/task.h"
#include "solver/conflicts/conflicts.h"
#include "solver/space/hypothesis_sets.h"

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

/// How many sessions one gets wrong that explains whatever it can in their order: a bound.
int wrong_in_order(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  int wrong = 0;
  for (int s = 0; s < explanations.size(); ++s) {
    const Ref left = diagrams.both(set, explanations.of(s));
    if (left == diagrams.no()) {
      ++wrong;
    } else {
      set = left;
    }
  }
  return wrong;
}

/// Those of the set that explain the most sessions, as far as that is known.
Ref best_of(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  // How many each hypothesis gets wrong; beyond the bound nobody asks.
  const int too_many = wrong_in_order(explanations, set) + 1;
  Ref wrong = diagrams.apply(
      std::array{set}, [&](const std::array<int, 1>& in) { return in[0] == 1 ? 0 : too_many; });
  const auto add = [&](const std::array<int, 2>& v) {
    return std::min(too_many, v[0] + (v[1] == 1 ? 0 : 1));
  };
  for (int s = 0; s < explanations.size(); ++s) {
    wrong = diagrams.apply(std::array{wrong, explanations.of(s)}, add);
  }
  Ref best = diagrams.no();
  for (int least = 0; best == diagrams.no() && least < too_many; ++least) {
    best = diagrams.apply(std::array{wrong},
                          [&](const std::array<int, 1>& v) { return v[0] == least ? 1 : 0; });
  }
  return best;
}

/// Makes known which sessions those of the set explain; whether anything of it was not.
bool make_known(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  bool news = false;
  for (const int s : explanations.inexact()) {
    if (diagrams.without(set, explanations.known(s)) == diagrams.no()) continue;
    explanations.look_closer(s, set);
    news = true;
  }
  return news;
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

std::vector<Session> needed_facts(Explanations& clashing, const Task& task) {
  Diagrams& diagrams = clashing.diagrams();
  std::vector<Session> kept = clashing.sessions();
  std::vector<Ref> left;
  for (int s = 0; s < clashing.size(); ++s) left.push_back(clashing.of(s));
  for (std::size_t s = 0; s < kept.size(); ++s) {
    Ref others = clashing.assumed();
    for (std::size_t o = 0; o < kept.size(); ++o) {
      if (o != s) others = diagrams.both(others, left[o]);
    }
    const Session& all = clashing.sessions()[s];
    const Subset needed = minimal_conflict(all_facts(all), [&](const Subset& facts) {
      task.doing("{}: which facts clash", all.front().name());
      try {
        return !clashing.any_explains(with_facts(all, facts), others);
      } catch (const GaveUp&) {
        return false;
      }
    });
    kept[s] = with_facts(all, needed);
    if (s + 1 == kept.size()) break;
    try {
      left[s] = clashing.explaining(kept[s], clashing.assumed(), kEffortAlone);
    } catch (const GaveUp&) {
      kept[s] = all;
    }
  }
  return kept;
}

NearestMiss nearest_miss(Explanations& explanations, Ref set, const Hypothesis& model) {
  Diagrams& diagrams = explanations.diagrams();
  // What is not known of a session counts as explained, so the best may turn out to be worse.
  Ref best = best_of(explanations, set);
  while (make_known(explanations, best)) best = best_of(explanations, set);
  NearestMiss miss{nearest(diagrams, best, model),
                   {},
                   diagrams.count(distinct(diagrams, FirstOrders(explanations.device()), best))};
  for (int s = 0; s < explanations.size(); ++s) {
    if (diagrams.value_at(explanations.of(s), miss.hypothesis) != 1) miss.left_out.push_back(s);
  }
  return miss;
}

}  // namespace cuvier
