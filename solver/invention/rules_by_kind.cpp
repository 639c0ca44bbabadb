#include "solver/invention/rules_by_kind.h"

#include <algorithm>
#include <utility>

#include "hypotheses/axes/demand.h"

namespace cuvier {
namespace {

/// Whether the rule sees kernels, and nothing else.
bool is_about_kernels(const FormulaInfo& info) {
  return std::ranges::count(info.names, asked::blocks.meaning, &FormulaName::meaning) > 0;
}

}  // namespace

bool RulesByKind::are_possible(const FormulaInfo& info) {
  return std::ranges::any_of(info.names, asked::has);
}

RulesByKind::RulesByKind(RuleTrials& trials, const FormulaInfo& info, Rule usual, Rule other)
    : trials_(trials),
      before_(trials.blocks()),
      usual_(std::move(usual)),
      other_(std::move(other)) {
  const bool all = is_about_kernels(info);
  for (int place = 0; place < std::ssize(info.names); ++place) {
    const FormulaName& name = info.names[place];
    if (name.is_fleeting || (!all && !asked::has(name) && name.name != asked::priority.name))
      continue;
    places_.push_back(place);
    names_.push_back(name);
  }
}

double RulesByKind::blocks() const {
  constexpr double asked_for_one = 3;  // in the time that a block takes
  return trials_.blocks() - before_ + asked_ / asked_for_one;
}

KindTrials::Outcome RulesByKind::outcome(int session, const IsOther& is_other) {
  const Rule rule = rule_of(is_other);
  Outcome outcome{trials_.explains(session, rule)};
  for (const int input : trials_.asked(session, rule)) {
    if (usual_(input) != other_(input)) outcome.kinds.push_back(kind_of(input));
  }
  return outcome;
}

std::optional<int> RulesByKind::refuting(const IsOther& is_other, const std::vector<int>& but_for) {
  return trials_.refuting(rule_of(is_other), but_for);
}

Kind RulesByKind::kind_of(int input) const {
  Kind kind;
  for (const int place : places_) kind.push_back(trials_.inputs()[input][place]);
  return kind;
}

Rule RulesByKind::rule_of(const IsOther& is_other) const {
  return [&](int input) {
    ++asked_;
    return is_other(kind_of(input)) ? other_(input) : usual_(input);
  };
}

}  // namespace cuvier
