#include "solver/invention/two_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostPredicted = 64;  ///< times that one session is
constexpr std::size_t kFirstSessions = 8;   ///< that are looked at before a condition is learned
constexpr std::size_t kMostWays = 8;        ///< of a session, where none is the only one
constexpr int kMostAtoms = 3;
constexpr std::size_t kMostConditions = 16;  ///< of one size
constexpr int kMostRefined = 40;

}  // namespace

TwoCases::TwoCases(RuleTrials& trials, const FormulaInfo& info) : trials_(trials), info_(info) {
  const auto reads = [&](const FormulaName& name) {
    return std::ranges::find(info.names, name.name, &FormulaName::name) != info.names.end();
  };
  if (!reads(asked::warps)) return;
  constexpr std::array of_block{asked::warps.name, asked::registers.name, asked::bytes.name};
  for (int name = 0; name < std::ssize(info.names); ++name) {
    // A rule of the queue sees nothing but kernels.
    if (!reads(asked::registers) ||
        std::ranges::find(of_block, info.names[name].name) != of_block.end()) {
      names_.push_back(name);
    }
  }
}

bool TwoCases::Known::contradicts_itself() const {
  return std::ranges::any_of(other, [&](const Kind& kind) { return usual.contains(kind); });
}

bool TwoCases::Known::add(const Known& more) {
  const std::size_t before = other.size() + usual.size();
  other.insert(more.other.begin(), more.other.end());
  usual.insert(more.usual.begin(), more.usual.end());
  return other.size() + usual.size() > before;
}

std::vector<std::string> TwoCases::conditions(const Rule& usual, const Rule& other,
                                              const std::vector<int>& wrong, double most_blocks,
                                              const Task& task) {
  Known known;
  std::vector<Says> fewest;
  for (std::size_t i = 0; i < std::min(wrong.size(), kFirstSessions); ++i) {
    task.still();
    const Ways found = ways(wrong[i], usual, other);
    if (found.explaining.empty()) {
      if (found.all) return {};
      continue;
    }
    known.add(known_by(wrong[i], found, usual, other));
    if (known.contradicts_itself()) return {};
    if (fewest.empty() || found.explaining.size() < fewest.size()) fewest = found.explaining;
  }
  if (!known.other.empty()) return refine(known, usual, other, most_blocks, task);
  if (fewest.size() > kMostWays) fewest.resize(kMostWays);
  std::vector<std::string> found;
  for (const Says& way : fewest) {
    Known so = known;
    for (const auto& [kind, is_other] : way) (is_other ? so.other : so.usual).insert(kind);
    if (so.contradicts_itself()) continue;
    std::ranges::move(refine(so, usual, other, most_blocks, task), std::back_inserter(found));
  }
  return found;
}

TwoCases::Kind TwoCases::kind_of(int input) const {
  Kind kind;
  for (const int name : names_) kind.push_back(trials_.inputs()[input][name]);
  return kind;
}

Rule TwoCases::rule_of(const Says& says, const Rule& usual, const Rule& other) const {
  return [&](int input) {
    const auto said = says.find(kind_of(input));
    return said != says.end() && said->second ? other(input) : usual(input);
  };
}

/// One kind after the other gets the other rule, as they come up: each way is gone once.
TwoCases::Ways TwoCases::ways(int session, const Rule& usual, const Rule& other) {
  Ways ways;
  std::vector<Says> open(1);
  for (std::size_t at = 0; at < open.size(); ++at) {
    if (at == kMostPredicted) {
      ways.all = false;
      break;
    }
    Says says = open[at];
    const Rule rule = rule_of(open[at], usual, other);
    const bool explained = trials_.explains(session, rule);
    for (const int input : trials_.asked(session, rule)) {
      const Kind kind = kind_of(input);
      if (says.contains(kind) || usual(input) == other(input)) continue;
      Says otherwise = says;
      otherwise[kind] = true;
      open.push_back(std::move(otherwise));
      says[kind] = false;
    }
    if (explained) ways.explaining.push_back(std::move(says));
  }
  return ways;
}

/// What all ways say. Where these are not all, that a kind has the usual rule counts only where
/// the session would not come out with the other one.
TwoCases::Known TwoCases::known_by(int session, const Ways& ways, const Rule& usual,
                                   const Rule& other) {
  Known known;
  for (const auto& [kind, is_other] : ways.explaining.front()) {
    const bool all_say_so = std::ranges::all_of(ways.explaining, [&](const Says& way) {
      const auto said = way.find(kind);
      return said != way.end() && said->second == is_other;
    });
    if (!all_say_so) continue;
    if (!is_other && !ways.all) {
      Says otherwise = ways.explaining.front();
      otherwise[kind] = true;
      if (trials_.explains(session, rule_of(otherwise, usual, other))) continue;
    }
    (is_other ? known.other : known.usual).insert(kind);
  }
  return known;
}

/// Learns conditions; a session that refutes one says more of kinds, until none does.
std::vector<std::string> TwoCases::refine(Known known, const Rule& usual, const Rule& other,
                                          double most_blocks, const Task& task) {
  std::set<int> asked;  // sessions
  for (int round = 0; round < kMostRefined; ++round) {
    std::vector<std::string> found;
    bool knows_more = false;
    for (const std::string& text : learned(known)) {
      task.still();
      if (trials_.blocks() > most_blocks) return found;
      const Formula condition =
          parse_formula({info_.names, FormulaInfo::Gives::condition, info_.meaning, 0, 1}, text);
      const auto refuting = trials_.refuting([&](int input) {
        const Evaluation<int, bool> value(condition, trials_.inputs()[input]);
        return value.condition() ? other(input) : usual(input);
      });
      if (!refuting) {
        found.push_back(text);
      } else if (asked.insert(*refuting).second) {
        const Ways ways_there = ways(*refuting, usual, other);
        if (ways_there.explaining.empty()) {
          if (ways_there.all) return {};
          continue;
        }
        if (known.add(known_by(*refuting, ways_there, usual, other))) {
          knows_more = true;
          break;
        }
      }
    }
    if (known.contradicts_itself()) return {};
    if (!found.empty() || !knows_more) return found;
  }
  return {};
}

std::vector<std::string> TwoCases::learned(const Known& known) const {
  std::vector<std::string> texts = around(known.other, known.usual, false);
  std::ranges::move(around(known.usual, known.other, true), std::back_inserter(texts));
  return texts;
}

/// What holds for all of the ones and none of the others, in as few parts as that needs: all of
/// them; or, negated, one of their opposites, for what is `out`.
std::vector<std::string> TwoCases::around(const Kinds& in, const Kinds& out, bool negated) const {
  if (in.empty()) return {};
  const std::vector<Atom> parts = atoms(in, out);
  std::vector<std::string> texts;
  std::vector<const Atom*> chosen;
  const auto choose = [&](const auto& self, std::size_t from, std::size_t more) -> void {
    if (texts.size() == kMostConditions) return;
    if (more == 0) {
      std::set<int> excluded;
      std::vector<std::string> words;
      for (const Atom* part : chosen) {
        excluded.insert(part->excluded.begin(), part->excluded.end());
        words.push_back(negated ? part->negation : part->text);
      }
      if (excluded.size() == out.size()) {
        texts.push_back(fmt::format("{}", fmt::join(words, negated ? " or " : " and ")));
      }
      return;
    }
    for (std::size_t i = from; i < parts.size(); ++i) {
      chosen.push_back(&parts[i]);
      self(self, i + 1, more - 1);
      chosen.pop_back();
    }
  };
  for (int count = 1; count <= kMostAtoms && texts.empty(); ++count) choose(choose, 0, count);
  return texts;
}

/// What holds for all of these kinds, and as closely as it can: thresholds, multiples, numbers.
std::vector<TwoCases::Atom> TwoCases::atoms(const Kinds& in, const Kinds& out) const {
  std::vector<Atom> atoms;
  for (std::size_t at = 0; at < names_.size(); ++at) {
    const std::string_view name = info_.names[names_[at]].name;
    std::set<int> values;
    for (const Kind& kind : in) values.insert(kind[at]);
    const auto add = [&](std::string text, std::string negation, const auto& holds) {
      Atom atom{std::move(text), std::move(negation), {}};
      int number = 0;
      for (const Kind& kind : out) {
        if (!holds(kind[at])) atom.excluded.insert(number);
        ++number;
      }
      if (!atom.excluded.empty() || out.empty()) atoms.push_back(std::move(atom));
    };
    const int least = *values.begin();
    const int most = *values.rbegin();
    add(fmt::format("{} >= {}", name, least), fmt::format("{} < {}", name, least),
        [&](int value) { return value >= least; });
    add(fmt::format("{} < {}", name, most + 1), fmt::format("{} >= {}", name, most + 1),
        [&](int value) { return value <= most; });
    if (least == most) {
      add(fmt::format("{} == {}", name, least), fmt::format("{} != {}", name, least),
          [&](int value) { return value == least; });
    }
    for (int unit = 2; unit <= 4096; unit *= 2) {
      const int rest = least % unit;
      if (std::ranges::any_of(values, [&](int value) { return value % unit != rest; })) break;
      add(fmt::format("{} mod {} == {}", name, unit, rest),
          fmt::format("{} mod {} != {}", name, unit, rest),
          [&](int value) { return value % unit == rest; });
    }
  }
  return atoms;
}

}  // namespace cuvier
