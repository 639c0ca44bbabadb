#include "solver/audit/clash.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "solver/ending/gave_up.h"

// Sessions that leave the same of the set are one for the search by size, and it is as if each
// were there once: a clash of them stands for as many as there are ways to choose one of each.

namespace cuvier {
namespace {

constexpr int most_intersections = 20'000;

/// Sessions that leave the same of the set.
struct Alike {
  Ref left;
  std::vector<int> sessions;
};

/// Members of `kinds`, ascending, and what they leave.
struct Chosen {
  std::vector<int> kinds;
  Ref left;
};

class ClashSearch {
 public:
  /// What each session leaves of the set; whether that is exact.
  ClashSearch(Diagrams& diagrams, Ref set, const std::vector<Ref>& left_by, bool exact)
      : diagrams_(diagrams), set_(set), exact_(exact) {
    std::map<Ref, std::vector<int>> by_left;
    for (int s = 0; s < static_cast<int>(left_by.size()); ++s) {
      if (left_by[s] != set) by_left[left_by[s]].push_back(s);
    }
    for (const auto& [left, sessions] : by_left) kinds_.push_back({left, sessions});
    std::ranges::sort(kinds_, {}, [](const Alike& kind) { return kind.sessions.front(); });
  }

  Clash run() {
    Clash clash;
    if (set_ == diagrams_.no()) {
      clash.smallest = true;
      return clash;
    }
    std::vector<Chosen> level{{{}, set_}};
    int intersections = 0;
    while (!level.empty() && intersections + cost(level) <= most_intersections) {
      intersections += cost(level);
      level = next(level);
      ++clash.most_counted;
    }
    for (const std::vector<int>& kinds : found_) clash.others += ways(kinds);
    if (!found_.empty()) {
      clash.smallest = exact_ || found_.front().size() == 1;
      --clash.others;
      for (const int kind : found_.front()) {
        clash.sessions.push_back(kinds_[kind].sessions.front());
      }
    } else {
      clash.sessions = by_deletion();
    }
    std::ranges::sort(clash.sessions);
    return clash;
  }

 private:
  int cost(const std::vector<Chosen>& level) const {
    int cost = 0;
    for (const Chosen& chosen : level) cost += kind_count() - first_after(chosen);
    return cost;
  }

  int kind_count() const { return static_cast<int>(kinds_.size()); }

  static int first_after(const Chosen& chosen) {
    return chosen.kinds.empty() ? 0 : chosen.kinds.back() + 1;
  }

  /// Those of one session more that leave something; those that do not are noted.
  std::vector<Chosen> next(const std::vector<Chosen>& level) {
    std::vector<Chosen> larger;
    for (const Chosen& chosen : level) {
      for (int kind = first_after(chosen); kind < kind_count(); ++kind) {
        Chosen more = chosen;
        more.kinds.push_back(kind);
        more.left = diagrams_.both(chosen.left, kinds_[kind].left);
        if (more.left != diagrams_.no()) {
          larger.push_back(std::move(more));
        } else if (is_minimal(more.kinds)) {
          found_.push_back(more.kinds);
        }
      }
    }
    return larger;
  }

  bool is_minimal(const std::vector<int>& kinds) const {
    return std::ranges::none_of(
        found_, [&](const std::vector<int>& other) { return std::ranges::includes(kinds, other); });
  }

  int ways(const std::vector<int>& kinds) const {
    int ways = 1;
    for (const int kind : kinds) ways *= static_cast<int>(kinds_[kind].sessions.size());
    return ways;
  }

  std::vector<int> by_deletion() {
    std::vector<int> needed;
    for (int kind = kind_count() - 1; kind >= 0; --kind) {
      Ref left = set_;
      for (const int other : needed) left = diagrams_.both(left, kinds_[other].left);
      for (int other = 0; other < kind; ++other) left = diagrams_.both(left, kinds_[other].left);
      if (left != diagrams_.no()) needed.push_back(kind);
    }
    for (int& kind : needed) kind = kinds_[kind].sessions.front();
    return needed;
  }

  Diagrams& diagrams_;
  Ref set_;
  bool exact_;
  std::vector<Alike> kinds_;
  std::vector<std::vector<int>> found_;  ///< minimal clashes, the smallest first
};

}  // namespace

Clash smallest_clash(Explanations& explanations, Ref set) {
  Diagrams& diagrams = explanations.diagrams();
  const std::vector<int>& inexact = explanations.inexact();
  std::vector<Ref> left_by;
  for (int s = 0; s < explanations.size(); ++s) {
    const bool exact = std::ranges::find(inexact, s) == inexact.end();
    left_by.push_back(exact ? diagrams.both(set, explanations.of(s)) : set);
  }
  Ref left = set;
  for (const Ref each : left_by) left = diagrams.both(left, each);
  if (left == diagrams.no()) return ClashSearch(diagrams, set, left_by, inexact.empty()).run();

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
  return ClashSearch(diagrams, set, left_by, exact).run();
}

std::vector<Session> needed_facts(Explanations& explanations, Ref set, const Clash& clash,
                                  const std::function<void(const std::string&)>& doing) {
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
    for (Recording& recording : kept[s]) {
      for (std::size_t f = recording.facts.size(); f-- > 0;) {
        doing(fmt::format("{}: which of its facts clash", recording.name()));
        const Fact fact = recording.facts[f];
        recording.facts.erase(recording.facts.begin() + static_cast<long>(f));
        try {
          if (!explanations.any_explains(kept[s], others)) continue;
        } catch (const GaveUp&) {
        }
        recording.facts.insert(recording.facts.begin() + static_cast<long>(f), fact);
      }
    }
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
