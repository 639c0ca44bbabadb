#include "solver/invention/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/lists.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostConditions = 16;  ///< of one size
constexpr std::size_t kMostMixed = 24;       ///< parts that two others are joined to
constexpr int kPartsOfMixed = 3;
constexpr std::size_t kMostKinds = 1'500;  ///< of a table

/// A part of a condition.
struct Atom {
  std::string text;
  std::string negation;
  boost::dynamic_bitset<> excluded;  ///< kinds, numbered as they are in a set
};

/// What holds for all of these kinds, and as closely as it can: thresholds, multiples, numbers.
std::vector<Atom> atoms_around(std::span<const FormulaName> names, const Kinds& in,
                               const Kinds& out) {
  std::vector<Atom> atoms;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const std::string_view name = names[at].name;
    std::vector<int> values;
    for (const Kind& kind : in) values.push_back(kind[at]);
    const auto add = [&](std::string text, std::string negation, const auto& holds) {
      Atom atom{std::move(text), std::move(negation), {}};
      for (const Kind& kind : out) atom.excluded.push_back(!holds(kind[at]));
      const std::size_t excluded = atom.excluded.count();
      if (excluded > 0 || out.empty()) atoms.push_back(std::move(atom));
      return excluded;
    };
    // That it is so much or more, and that it is not; of the least that there can be, in short.
    const auto at_least = [&](int number) {
      const int none = names[at].least;
      return number == none + 1 ? std::pair(fmt::format("{} != {}", name, none),
                                            fmt::format("{} == {}", name, none))
                                : std::pair(fmt::format("{} >= {}", name, number),
                                            fmt::format("{} < {}", name, number));
    };
    const auto [least, most] = std::ranges::minmax(values);
    const auto [from, before] = at_least(least);
    const auto [beyond, up_to] = at_least(most + 1);
    const std::size_t below = add(from, before, [&](int value) { return value >= least; });
    const std::size_t above = add(up_to, beyond, [&](int value) { return value <= most; });
    // Where all others lie to one side, nothing says that it is this number alone.
    if (least == most && below > 0 && above > 0) {
      add(fmt::format("{} == {}", name, least), fmt::format("{} != {}", name, least),
          [&](int value) { return value == least; });
    }
    // Remainders of what can be negative are not those of formulas, and rests have none.
    if (names[at].least < 0 || name.find(" mod ") != name.npos) continue;
    int largest = most;
    for (const Kind& kind : out) largest = std::max(largest, kind[at]);
    for (int unit = 2; unit <= largest; unit *= 2) {
      const int rest = least % unit;
      if (std::ranges::any_of(values, [&](int value) { return value % unit != rest; })) break;
      add(fmt::format("{} mod {} == {}", name, unit, rest),
          unit == 2 ? fmt::format("{} mod 2 == {}", name, 1 - rest)
                    : fmt::format("{} mod {} != {}", name, unit, rest),
          [&](int value) { return value % unit == rest; });
    }
  }
  return atoms;
}

/// What holds for all that are `in` and for none that is `out`; negated, its opposite.
std::vector<std::string> around(std::span<const FormulaName> names, const Kinds& in,
                                const Kinds& out, bool negated, int most_parts) {
  if (in.empty()) return {};
  const std::vector<Atom> parts = atoms_around(names, in, out);
  std::vector<std::string> texts;
  std::vector<const Atom*> chosen;
  const auto choose = [&](const auto& self, std::size_t from, int more,
                          const boost::dynamic_bitset<>& excluded) -> void {
    if (more == 0) {
      if (!excluded.all()) return;
      std::vector<std::string> words;
      for (const Atom* part : chosen) words.push_back(negated ? part->negation : part->text);
      texts.push_back(fmt::to_string(fmt::join(words, negated ? " or " : " and ")));
      return;
    }
    for (std::size_t i = from; i < parts.size() && texts.size() < kMostConditions; ++i) {
      chosen.push_back(&parts[i]);
      self(self, i + 1, more - 1, excluded | parts[i].excluded);
      chosen.pop_back();
    }
  };
  const boost::dynamic_bitset<> none(out.size());
  for (int count = 1; count <= most_parts && texts.empty(); ++count) {
    choose(choose, 0, count, none);
  }
  return texts;
}

/// What holds for some that are `in` and for none that is `out`, or else two parts that hold for
/// all others; negated, its opposite. Of such parts those come first that hold for most.
std::vector<std::string> mixed(std::span<const FormulaName> names, const Kinds& in,
                               const Kinds& out, bool negated) {
  if (out.empty()) return {};
  std::vector<Atom> parts = atoms_around(names, out, in);
  std::ranges::stable_sort(parts, std::greater{}, [](const Atom& a) { return a.excluded.count(); });
  if (parts.size() > kMostMixed) parts.resize(kMostMixed);
  std::vector<std::string> texts;
  for (const Atom& part : parts) {
    Kinds rest;
    std::size_t at = 0;
    for (const Kind& kind : in) {
      if (!part.excluded[at++]) rest.insert(kind);
    }
    for (const std::string& two : around(names, rest, out, negated, 2)) {
      if (texts.size() == kMostConditions) return texts;
      texts.push_back(negated ? fmt::format("{} and ({})", part.text, two)
                              : fmt::format("{} or {}", part.negation, two));
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> conditions_that_part(std::span<const FormulaName> names, const Kinds& ones,
                                              const Kinds& others, int most_parts) {
  std::vector<std::string> texts = around(names, ones, others, false, most_parts);
  for (std::string& text : around(names, others, ones, true, most_parts)) {
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  if (!texts.empty() || most_parts < kPartsOfMixed) return texts;
  texts = mixed(names, ones, others, false);
  std::ranges::move(mixed(names, others, ones, true), std::back_inserter(texts));
  return texts;
}

std::vector<std::string> conditions_of_table(std::span<const FormulaName> names, const Kinds& ones,
                                             const Kinds& others, int most_parts) {
  if (others.empty()) return {};
  const auto some = [](const Kinds& kinds) {
    const auto kept = spread(std::vector<Kind>(kinds.begin(), kinds.end()), kMostKinds);
    return Kinds(kept.begin(), kept.end());
  };
  const int more_parts = static_cast<int>(others.size() / kFewestForPart);
  return conditions_that_part(names, some(ones), some(others),
                              std::min(most_parts, 1 + more_parts));
}

std::vector<NumberOfTwo> numbers_of_two(std::span<const FormulaName> names) {
  std::vector<NumberOfTwo> numbers;
  const auto add = [&](std::size_t i, std::size_t j, const char* text, auto value) {
    const FormulaName& a = names[i];
    const FormulaName& b = names[j];
    const auto of = [&](std::int64_t x, std::int64_t y) { return value(x, y); };
    const auto [least, most] = std::minmax(
        {of(a.least, b.least), of(a.least, b.most), of(a.most, b.least), of(a.most, b.most)});
    if (least < -Formula::kFurthest || most > Formula::kFurthest) return;
    numbers.push_back({fmt::format(fmt::runtime(text), a.name, b.name), static_cast<int>(least),
                       static_cast<int>(most), [=](const Kind& kind) {
                         return static_cast<int>(value(kind[i], kind[j]));
                       }});
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (i == j) continue;
      if (i < j) add(i, j, "({} + {})", [](std::int64_t a, std::int64_t b) { return a + b; });
      if (i < j) add(i, j, "({} * {})", [](std::int64_t a, std::int64_t b) { return a * b; });
      add(i, j, "({} - {})", [](std::int64_t a, std::int64_t b) { return a - b; });
      add(i, j, "(2 * {} - {})", [](std::int64_t a, std::int64_t b) { return 2 * a - b; });
    }
  }
  return numbers;
}

std::function<Kind(const std::vector<int>&)> read_by(const FormulaInfo& info,
                                                     std::span<const FormulaName> names) {
  std::vector<Formula> formulas;
  for (const FormulaName& name : names) {
    formulas.push_back(
        parse_formula({info.names, FormulaInfo::Gives::key, ""}, std::string(name.name)));
  }
  return [formulas](const std::vector<int>& inputs) {
    Kind kind;
    for (const Formula& formula : formulas) {
      kind.push_back(Evaluation<int, bool>(formula, inputs).number());
    }
    return kind;
  };
}

ConditionOnKinds condition_on(std::span<const FormulaName> names, const std::string& text) {
  const FormulaInfo info{names, FormulaInfo::Gives::condition, "", 0, 1};
  return [condition = parse_formula(info, text)](const Kind& kind) {
    return Evaluation<int, bool>(condition, kind).condition();
  };
}

}  // namespace cuvier
