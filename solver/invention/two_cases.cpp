#include "solver/invention/two_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "hypotheses/formulas/formula.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostPredicted = 64;  ///< times that one session is
constexpr std::size_t kFirstSessions = 8;   ///< that are looked at before a condition is learned
constexpr std::size_t kMostWays = 8;        ///< of a session, where none is the only one
constexpr int kMostRefined = 60;
constexpr int kMostFollowed = 3;  ///< ways on top of each other
constexpr std::size_t kMostNearest = 4;

using Says = std::map<Kind, bool>;  ///< whether the other rule is for the kind

KindTrials::IsOther as_said(const Says& says) {
  return [&](const Kind& kind) {
    const auto said = says.find(kind);
    return said != says.end() && said->second;
  };
}

/// What was learned of kinds.
struct Known {
  Kinds other;
  Kinds usual;

  bool contradicts_itself() const {
    return std::ranges::any_of(other, [&](const Kind& kind) { return usual.contains(kind); });
  }
  void add(const Kind& kind, bool is_other) { (is_other ? other : usual).insert(kind); }
  bool contradicts(const Says& says) const {
    return std::ranges::any_of(
        says, [&](const auto& said) { return (said.second ? usual : other).contains(said.first); });
  }
  std::size_t size() const { return other.size() + usual.size(); }
};

/// What can be said of the kinds of a session so that it is explained.
struct Ways {
  int session = 0;
  std::vector<Says> explaining;  ///< those in which fewest kinds have the other rule first
  bool all = true;               ///< no others
};

class Learner {
 public:
  Learner(KindTrials& trials, double most_blocks, const Task& task)
      : trials_(trials), most_blocks_(most_blocks), task_(task) {}

  std::vector<std::string> conditions(const std::vector<int>& wrong) {
    std::vector<Ways> looked_at;
    for (std::size_t i = 0; i < std::min(wrong.size(), kFirstSessions); ++i) {
      task_.still();
      Ways ways = ways_of(wrong[i]);
      if (ways.explaining.empty() && ways.all) return {};
      if (!ways.explaining.empty()) looked_at.push_back(std::move(ways));
    }
    const auto known = learned_from({}, looked_at);
    if (!known) return {};
    std::vector<std::string> single = comparisons(wrong);
    if (!single.empty()) return single;
    if (!known->other.empty()) return refine(*known, looked_at);
    const auto fewest = std::ranges::min_element(
        looked_at, {}, [](const Ways& ways) { return ways.explaining.size(); });
    std::vector<std::string> found;
    for (std::size_t i = 0;
         fewest != looked_at.end() && i < std::min(fewest->explaining.size(), kMostWays); ++i) {
      Known so = *known;
      for (const auto& [kind, is_other] : fewest->explaining[i]) so.add(kind, is_other);
      if (so.contradicts_itself()) continue;
      std::ranges::move(refine(so, looked_at), std::back_inserter(found));
    }
    return found;
  }

 private:
  /// One kind after the other gets the other rule, as they come up: each way is gone once.
  Ways ways_of(int session) {
    Ways ways;
    ways.session = session;
    std::vector<Says> open(1);
    for (std::size_t at = 0; at < open.size(); ++at) {
      if (at == kMostPredicted) {
        ways.all = false;
        break;
      }
      Says says = open[at];
      const KindTrials::Outcome outcome = trials_.outcome(session, as_said(open[at]));
      for (const Kind& kind : outcome.kinds) {
        if (says.contains(kind)) continue;
        Says otherwise = says;
        otherwise[kind] = true;
        open.push_back(std::move(otherwise));
        says[kind] = false;
      }
      if (outcome.explained) ways.explaining.push_back(std::move(says));
    }
    return ways;
  }

  /// Single comparisons, with what kinds of these sessions have: tried at once, also where a
  /// session has too many kinds to try each.
  std::vector<std::string> comparisons(const std::vector<int>& sessions) {
    Kinds seen;
    for (const int session : sessions) {
      for (Kind& kind : trials_.outcome(session, as_said({})).kinds) seen.insert(std::move(kind));
    }
    std::vector<std::string> found;
    for (std::size_t name = 0; name < trials_.names().size(); ++name) {
      std::set<int> values;
      for (const Kind& kind : seen) values.insert(kind[name]);
      for (const int value : values) {
        for (const std::string_view sign : {">=", "<", "=="}) {
          task_.still();
          if (trials_.blocks() > most_blocks_) return found;
          std::string text = fmt::format("{} {} {}", trials_.names()[name].name, sign, value);
          if (!trials_.refuting(condition_on(trials_.names(), text), {})) {
            found.push_back(std::move(text));
          }
        }
      }
    }
    return found;
  }

  /// With what all ways of a session say that what is known leaves, until nothing more follows;
  /// none where that is contradictory.
  std::optional<Known> learned_from(Known known, const std::vector<Ways>& sessions) {
    for (std::size_t before = known.size() + 1; before != known.size();) {
      before = known.size();
      for (const Ways& ways : sessions) {
        std::vector<Says> left = ways.explaining;
        std::erase_if(left, [&](const Says& way) { return known.contradicts(way); });
        if (!left.empty()) {
          add_what_all_say(ways, left, known);
        } else if (ways.all) {
          return std::nullopt;
        }
      }
      if (known.contradicts_itself()) return std::nullopt;
    }
    return known;
  }

  /// Where these are not all ways, that a kind has the usual rule counts only where the session
  /// would not come out with the other one.
  void add_what_all_say(const Ways& ways, const std::vector<Says>& left, Known& known) {
    for (const auto& [kind, is_other] : left.front()) {
      if ((is_other ? known.other : known.usual).contains(kind)) continue;
      const bool all_say_so = std::ranges::all_of(left, [&](const Says& way) {
        const auto said = way.find(kind);
        return said != way.end() && said->second == is_other;
      });
      if (!all_say_so) continue;
      if (!is_other && !ways.all) {
        Says otherwise = left.front();
        otherwise[kind] = true;
        if (trials_.outcome(ways.session, as_said(otherwise)).explained) continue;
      }
      known.add(kind, is_other);
    }
  }

  /// Learns conditions; a session that refutes one says more of kinds, until none does. Where one
  /// can be explained in several ways, the nearest are followed, one after the other.
  std::vector<std::string> refine(Known known, std::vector<Ways> looked_at, int followed = 0) {
    std::vector<int> asked;  // sessions, ascending
    for (int round = 0; round < kMostRefined; ++round) {
      std::vector<std::string> found;
      std::optional<Known> more;
      for (const std::string& text : learned(known)) {
        task_.still();
        if (trials_.blocks() > most_blocks_) return found;
        const KindTrials::IsOther condition = condition_on(trials_.names(), text);
        if (!trials_.refuting(condition, {})) {
          found.push_back(text);
          continue;
        }
        for (auto refuting = trials_.refuting(condition, asked); refuting && !more;
             refuting = trials_.refuting(condition, asked)) {
          asked.insert(std::ranges::lower_bound(asked, *refuting), *refuting);
          Ways ways = ways_of(*refuting);
          if (ways.explaining.empty() && ways.all) return {};
          if (ways.explaining.empty()) continue;
          looked_at.push_back(std::move(ways));
          const auto learned = learned_from(known, looked_at);
          if (!learned) return {};
          if (learned->size() > known.size()) more = learned;
        }
        if (more) break;
      }
      if (!found.empty()) return found;
      if (!more) return followed < kMostFollowed ? follow(known, looked_at, followed) : found;
      known = *more;
    }
    return {};
  }

  std::vector<std::string> follow(const Known& known, const std::vector<Ways>& looked_at,
                                  int followed) {
    const std::vector<std::string> conditions = learned(known);
    if (conditions.empty()) return {};
    const KindTrials::IsOther condition = condition_on(trials_.names(), conditions.front());
    const auto differences = [&](const Says& way) {
      return std::ranges::count_if(
          way, [&](const auto& said) { return condition(said.first) != said.second; });
    };
    for (const Ways& ways : looked_at) {
      std::vector<Says> left = ways.explaining;
      std::erase_if(left, [&](const Says& way) { return known.contradicts(way); });
      if (left.empty() ||
          std::ranges::any_of(left, [&](const Says& way) { return differences(way) == 0; })) {
        continue;
      }
      std::ranges::stable_sort(left, {}, differences);
      if (left.size() > kMostNearest) left.resize(kMostNearest);
      for (const Says& way : left) {
        Known so = known;
        for (const auto& [kind, is_other] : way) {
          if (condition(kind) != is_other) so.add(kind, is_other);
        }
        const auto with_this = learned_from(std::move(so), looked_at);
        if (!with_this) continue;
        auto found = refine(*with_this, looked_at, followed + 1);
        if (!found.empty()) return found;
      }
      return {};
    }
    return {};
  }

  std::vector<std::string> learned(const Known& known) const {
    return conditions_that_part(trials_.names(), known.other, known.usual);
  }

  KindTrials& trials_;
  double most_blocks_;
  const Task& task_;
};

/// The number that a formula is which reads nothing: `512 * 2`, which is so written because 1024
/// would be the name of a value. Others stay.
std::string as_number(const FormulaInfo& info, const std::string& text) {
  const Formula formula = parse_formula(info, text);
  if (formula.names != 0) return text;
  return std::to_string(value_of(info, formula, RuleInputs(info.names.size())));
}

}  // namespace

std::vector<std::string> conditions_between(KindTrials& trials, const std::vector<int>& wrong,
                                            double most_blocks, const Task& task) {
  return Learner(trials, most_blocks, task).conditions(wrong);
}

std::string in_two_cases_of(const FormulaInfo& info, const std::string& condition,
                            const std::string& rule, const std::string& otherwise) {
  if (info.gives != FormulaInfo::Gives::condition) {
    return fmt::format("{} ? {} : {}", condition, as_number(info, rule),
                       as_number(info, otherwise));
  }
  if (rule == "0 == 0") return fmt::format("{} or ({})", otherwise, condition);
  if (rule == "0 == 1") return fmt::format("({}) and not ({})", otherwise, condition);
  if (otherwise == "0 == 0") return fmt::format("not ({}) or {}", condition, rule);
  if (otherwise == "0 == 1") return fmt::format("({}) and ({})", condition, rule);
  return fmt::format("({0}) and ({1}) or not ({0}) and ({2})", condition, rule, otherwise);
}

}  // namespace cuvier
