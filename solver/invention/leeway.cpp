#include "solver/invention/leeway.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "probes/error.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

/// How far it goes one way: `by` is 1 or -1.
int furthest(int from, int by, int bound, const std::function<bool(int)>& holds) {
  const auto within = [&](int step) { return step <= (bound - from) * by; };
  int good = 0;
  int step = 1;
  for (; within(step) && holds(from + by * step); step *= 2) good = step;
  int bad = std::min(step, (bound - from) * by + 1);
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (holds(from + by * middle) ? good : bad) = middle;
  }
  return from + by * good;
}

}  // namespace

int Leeway::roundest() const {
  if (number == 0) return 0;
  const auto ratio = [&](int power) {
    return std::max(power, number) / static_cast<double>(std::max(1, std::min(power, number)));
  };
  int best = 0;
  for (int power = 1; power <= most && power < 1 << 29; power *= 2) {
    if (power >= least && (best == 0 || ratio(power) < ratio(best))) best = power;
  }
  if (best > 0) return best;
  for (int unit = 1 << 29; unit > 1; unit /= 2) {
    const int up = (std::max(least, 1) + unit - 1) / unit * unit;
    if (up <= most) return up;
  }
  return number;
}

Leeway around(int number, const Leeway& bounds, const std::function<bool(int)>& holds) {
  return {number, furthest(number, -1, bounds.least, holds),
          furthest(number, 1, bounds.most, holds)};
}

std::optional<Leeway> halved(Leeway leeway, int most_in_vain, const AskOfNumber& ask) {
  for (int in_vain = 0; leeway.least < leeway.most && in_vain < most_in_vain;) {
    const int middle = leeway.least + (leeway.most - leeway.least) / 2;
    const auto holds = ask(leeway, middle);
    if (!holds) {
      ++in_vain;
      continue;
    }
    const std::array some{middle, leeway.least, leeway.most};
    const auto one = std::ranges::find_if(some, *holds);
    if (one == some.end()) return std::nullopt;
    leeway = around(*one, leeway, *holds);
  }
  return leeway;
}

std::vector<Leeway> leeways(const Device& device, const std::vector<Session>& sessions,
                            const Proposal& proposal) {
  const FormulaInfo& info = *axis_info(proposal.axis).formula;
  const std::uint32_t names = parse_formula(info, proposal.formula).names;
  RuleTrials trials(device, sessions, proposal.hypothesis, proposal.axis, names);
  const auto explains = [&](const std::string& text) {
    try {
      const FormulaRule rule(info, parse_formula(info, text));
      return trials.explains_all([&](int input) { return rule(trials.inputs()[input]); });
    } catch (const Error&) {  // it could leave the range of numbers
      return false;
    }
  };
  constexpr int most = 1 << 28;
  std::vector<Leeway> found;
  const std::set<int> numbers = numbers_in(parse_formula(info, proposal.formula));
  for (const int number : numbers) {
    if (rounds_up_with(number, numbers)) continue;
    const Leeway leeway = around(number, {number, 0, most}, [&](int other) {
      return explains(with_another(proposal.formula, number, other));
    });
    if (leeway.least < leeway.most) found.push_back(leeway);
  }
  return found;
}

Proposal with_number(Proposal proposal, int number, int other) {
  const FormulaInfo& info = *axis_info(proposal.axis).formula;
  proposal.formula = no_name_of_value(
      proposal.axis, parse_formula(info, with_another(proposal.formula, number, other)).text);
  return proposal;
}

}  // namespace cuvier
