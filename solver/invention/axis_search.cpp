#include "solver/invention/axis_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "probes/error.h"
#include "probes/rng.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/growth.h"
#include "solver/invention/rules_by_kind.h"
#include "solver/invention/two_cases.h"

namespace cuvier {
namespace {

/// Values of formulas that are worked out while a block is predicted.
constexpr double kValues = 1'000;

/// Sessions are explained one by one with formulas up to that size; each with at most that work.
constexpr int kLargestForOne = 3;
constexpr std::size_t kMostForOne = 20;  ///< sessions
constexpr double kWorkForOne = 100'000;

/// For a rule in two cases, an axis that is the reason of few sessions gets that share of the work.
constexpr double kLeastShareForCases = 0.2;
constexpr double kShareOfLastCases = 0.4;  ///< where it is tried last: the reason of none
constexpr double kShareOfOwnCases = 0.1;

constexpr std::uint32_t kPointer = 1u << NameOf<WarpPlacement>("p");
constexpr std::uint32_t kOnward = 1u << NameOf<WarpPlacement>("onward");

/// Where the pointer moved as it does under formulas that read what these names have of it, and
/// this one does not: so that it does, too.
std::string moving_the_pointer(const std::string& text, std::uint32_t names) {
  const std::uint32_t moving = names & ((names & kOnward) != 0 ? kOnward : kPointer);
  if (moving == 0 || (parse_formula(WarpPlacement::formula, text).names & moving) != 0) return text;
  return fmt::format("0 * {} + ({})", moving == kOnward ? "onward" : "p", text);
}

}  // namespace

std::vector<std::uint32_t> names_to_search_with(int axis) {
  const std::uint32_t lasting = ~fleeting_names(*axis_info(axis).formula);
  if (axis != index_of<WarpPlacement>()) return {lasting};
  return {lasting, lasting & ~kOnward, lasting & ~kOnward & ~kPointer};
}

/// A formula as a rule: as far as the search knows what it comes to, by that.
class AxisSearch::TriedFormula {
 public:
  /// `columns`: by input its place in what was found; -1 where it has none. All but that must
  /// outlive it.
  TriedFormula(const FormulaInfo& info, FormulaSearch::Found found,
               const std::vector<RuleInputs>& inputs, const std::vector<int>& columns)
      : info_(info), found_(std::move(found)), inputs_(inputs), columns_(columns) {}

  Rule rule() const {
    return [this](int input) { return value(input); };
  }

  /// As formulas are written. Throws Error where numbers could go out of range, as value() may.
  std::string text() const { return parsed().formula().text; }

  int value(int input) const {
    // Of what orders, columns are places among the inputs that were known: others may come between.
    const bool is_ordered = info_.orders();
    const bool is_known = input < std::ssize(columns_) && columns_[input] >= 0;
    return is_known && !is_ordered ? found_.column[columns_[input]] : parsed()(inputs_[input]);
  }

 private:
  const FormulaRule& parsed() const {
    if (!parsed_) parsed_.emplace(info_, parse_formula(info_, found_.text));
    return *parsed_;
  }

  const FormulaInfo& info_;
  FormulaSearch::Found found_;
  const std::vector<RuleInputs>& inputs_;
  const std::vector<int>& columns_;
  mutable std::optional<FormulaRule> parsed_;
};

struct AxisSearch::SimpleRules {
  std::vector<TriedFormula> formulas;
  std::size_t known = 0;  ///< of these, the first; the mechanism's own before all others,
  std::size_t named = 0;  ///< then those of the table, up to here
  bool own_is_named = false;
};

AxisSearch::AxisSearch(const Device& device, const std::vector<Session>& sessions,
                       const Hypothesis& mechanism, std::vector<int> wrong, int axis,
                       std::uint32_t names, const Assumptions& assumptions)
    : mechanism_(mechanism),
      axis_(axis),
      names_(names),
      info_(*axis_info(axis).formula),
      trials_(device, sessions, mechanism_, axis, names),
      wrong_(std::move(wrong)) {
  for (int value = 0; value < axis_size(axis); ++value) {
    const std::string formula(axis_value(axis, value).formula);
    if (!assumptions.allows(axis, value) || !reads_only_names(formula)) continue;
    known_.push_back(formula);
    if (value < named_values(axis)) ++named_;
  }
  const Rule rule = some_rule();
  for (const int session : wrong_) {
    trials_.explains(session, rule);
    if (!trials_.is_hopeless(session)) possible_.push_back(session);
  }
}

void AxisSearch::explain_one_by_one(const ProposalLimits& limits, double most_work,
                                    const Task& task) {
  if (possible_.empty()) return;
  std::vector<TriedFormula> formulas;
  while (size() < kLargestForOne) {
    each_of_next_size(limits, task, [&](const TriedFormula& formula) {
      formulas.push_back(formula);
      return true;
    });
  }
  search_.reset();  // which is to know all inputs that are seen now
  formulas_ = one_by_one_ = looked_at_ = 0;
  std::vector<int> sessions = possible_;
  std::ranges::stable_sort(sessions, {}, [&](int s) { return trials_.cost(s); });
  const std::size_t step = (sessions.size() + kMostForOne - 1) / kMostForOne;
  for (std::size_t i = 0; i < sessions.size(); i += step) {
    task.still();
    const double before = trials_.blocks();
    const double most = std::min(kWorkForOne, most_work - before);
    bool is_explained = false;
    bool tried_all = true;
    for (const TriedFormula& formula : formulas) {
      tried_all = trials_.blocks() - before < most;
      if (!tried_all) break;
      is_explained = trials_.explains(sessions[i], formula.rule());
      if (!is_explained) continue;
      try {
        explaining_.insert(formula.text());
      } catch (const Error&) {  // it could leave the range of numbers
      }
      break;
    }
    one_by_one_ += is_explained;
    looked_at_ += is_explained || tried_all;
  }
  work_elsewhere_ = trials_.blocks();
}

std::vector<Proposal> AxisSearch::next_size(const ProposalLimits& limits, const Task& task) {
  std::vector<Proposal> found;
  each_of_next_size(limits, task, [&](const TriedFormula& formula) {
    if (!trials_.explains_all(formula.rule())) return true;
    Proposal proposed = proposal(formula, trials_.sessions());
    // Another search has those that read nothing fleeting.
    const std::uint32_t reads = parse_formula(info_, proposed.formula).names;
    if (is_fleeting() && (reads & fleeting_names(info_)) == 0) return true;
    found.push_back(std::move(proposed));
    return std::ssize(found) < limits.most_found;
  });
  return found;
}

std::optional<Proposal> AxisSearch::best(int largest, double least, const ProposalLimits& limits,
                                         const Task& task) {
  std::optional<Proposal> best;
  const int right = trials_.sessions() - static_cast<int>(wrong_.size());
  for (search_.reset(); size() < largest;) {
    each_of_next_size(limits, task, [&](const TriedFormula& formula) {
      if (!trials_.explains_all(formula.rule(), wrong_)) return true;
      const auto more = std::ranges::count_if(
          possible_, [&](int session) { return trials_.explains(session, formula.rule()); });
      const int explained = right + static_cast<int>(more);
      const bool is_enough = more >= least * static_cast<double>(wrong_.size());
      if (is_enough && explained > (best ? best->explained : right)) {
        best = proposal(formula, explained);
      }
      return true;
    });
  }
  if (best) best_ = best->formula;
  return best;
}

std::vector<Proposal> AxisSearch::in_two_cases(Cases cases, const ProposalLimits& limits,
                                               const Task& task) {
  // Which kinds of blocks go elsewhere can be made to explain all that they find on an SM.
  if (!may_explain_all() || axis_info(axis_).part == Part::choice || is_fleeting() ||
      !RulesByKind::are_possible(info_)) {
    return {};
  }
  std::vector<int> wrong = wrong_;
  std::ranges::stable_sort(wrong, {}, [&](int session) { return trials_.cost(session); });
  const double share = cases == Cases::of_own ? kShareOfOwnCases
                       : explains_some()      ? std::max(plausibility(), kLeastShareForCases)
                                              : kShareOfLastCases;
  double left = share * limits.most_work;
  const SimpleRules rules = simple_rules();
  const std::size_t all = rules.formulas.size();
  std::vector<Proposal> found;
  const auto try_all = [&](std::size_t first, std::size_t last, std::size_t from, std::size_t to) {
    for (std::size_t usual = first; usual < last; ++usual) {
      for (std::size_t other = from; other < to && left > 0; ++other) {
        if (usual == other) continue;
        left -= by_kind(rules.formulas[usual], rules.formulas[other], wrong, left, task, found);
      }
    }
  };
  // Two that are known are likelier than one, and that one is likeliest the mechanism's own. A
  // formula is known because it was proposed before, in vain.
  const std::size_t own = std::min<std::size_t>(rules.known, 1);
  if (cases == Cases::of_own) {
    try_all(0, own, own, rules.named);
    try_all(own, rules.named, 0, own);
    return found;
  }
  const std::size_t first_named = rules.own_is_named ? 0 : own;
  try_all(first_named, rules.named, first_named, rules.named);
  if (found.empty()) try_all(0, rules.known, 0, rules.known);
  if (found.empty()) {
    try_all(0, own, rules.known, all);
    // What holds for nearly all blocks is not come upon as a rule for some.
    if (info_.gives == FormulaInfo::Gives::condition) try_all(rules.known, all, 0, own);
  }
  if (found.empty()) try_all(1, rules.known, rules.known, all);
  std::ranges::stable_sort(found, {}, &Proposal::size);
  if (std::ssize(found) > limits.most_found) found.resize(limits.most_found);
  return found;
}

double AxisSearch::by_kind(const TriedFormula& usual, const TriedFormula& other,
                           const std::vector<int>& wrong, double most, const Task& task,
                           std::vector<Proposal>& found) {
  task.doing(fmt::format("inventing {}: {} for some blocks", axis_info(axis_).name, other.text()));
  ++pairs_;
  const double before = trials_.blocks();
  RulesByKind kinds(trials_, info_, usual.rule(), other.rule());
  if (trials_.explains_all(other.rule())) {
    found.push_back(proposal(other.text()));
  } else {
    for (const std::string& condition : conditions_between(kinds, wrong, most, task)) {
      found.push_back(proposal(in_two_cases_of(info_, condition, other.text(), usual.text())));
    }
  }
  work_elsewhere_ += trials_.blocks() - before;
  return kinds.blocks();
}

std::vector<Proposal> AxisSearch::grown(double most_work, const Task& task) {
  task.doing(fmt::format("inventing {}: from what explains some", axis_info(axis_).name));
  const std::string own(axis_value(axis_, mechanism_.values[axis_]).formula);
  std::vector<std::string> seeds(explaining_.begin(), explaining_.end());
  seeds.insert(seeds.end(), known_.begin(), known_.begin() + static_cast<long>(named_));
  if (reads_only_names(own)) seeds.insert(seeds.begin(), own);
  if (!best_.empty()) seeds.insert(seeds.begin(), best_);
  const double before = trials_.blocks();
  std::vector<Proposal> found;
  for (const std::string& seed : seeds) {
    const double left = before + most_work - trials_.blocks();
    if (left <= 0 || !found.empty()) break;
    const Grown best = cuvier::grown(info_, names_, own, seed, trials_, left, task);
    if (best.explained == trials_.sessions()) found.push_back(proposal(best.text));
  }
  work_elsewhere_ += trials_.blocks() - before;
  return found;
}

/// Those that are known, the mechanism's own first; then others, of which no two say the same.
AxisSearch::SimpleRules AxisSearch::simple_rules() {
  std::vector<std::string> texts = known_;
  const std::string own(axis_value(axis_, mechanism_.values[axis_]).formula);
  std::erase(texts, own);
  if (reads_only_names(own)) texts.insert(texts.begin(), own);
  const std::size_t known = texts.size();
  const bool own_is_named = mechanism_.values[axis_] < named_values(axis_);
  const std::size_t named = named_ + (own_is_named ? 0 : 1);
  for (std::string& more : simple_others(info_, texts)) texts.push_back(std::move(more));
  SimpleRules rules;
  rules.own_is_named = own_is_named;
  std::set<std::vector<int>> seen;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& text = texts[i];
    const auto formula = formula_in_range(info_, text);
    if (!formula || formula->parts.size() > 1) continue;
    std::vector<int> column;
    for (const RuleInputs& inputs : trials_.inputs()) {
      column.push_back(value_of(info_, *formula, inputs));
    }
    if (!seen.insert(std::move(column)).second) continue;
    rules.formulas.emplace_back(info_, FormulaSearch::Found{text, Numbers(0)}, trials_.inputs(),
                                no_columns_);
    if (i < known) ++rules.known;
    if (i < named) ++rules.named;
  }
  return rules;
}

double AxisSearch::work() const {
  return trials_.blocks() + (search_ ? search_->work() / kValues : 0);
}

bool AxisSearch::reads_only_names(const std::string& text) const {
  return !text.empty() && (parse_formula(info_, text).names & ~names_) == 0;
}

void AxisSearch::each_of_next_size(const ProposalLimits& limits, const Task& task,
                                   const std::function<bool(const TriedFormula&)>& tried) {
  // Of that size some were not tried.
  if (cut_short_ && work_on_sizes() < limits.most_work) search_.reset();
  if (!search_) begin();
  search_->next_size(task, kValues * limits.most_work, [&](const FormulaSearch::Found& found) {
    if (++formulas_ % 1'000 == 1) {
      task.doing(fmt::format("inventing {}: formulas up to size {}, {} tried",
                             axis_info(axis_).name, size(), formulas_));
    }
    try {
      if (!tried({info_, found, trials_.inputs(), columns_})) return false;
    } catch (const Error&) {  // it could leave the range of numbers
    }
    return work_on_sizes() < limits.most_work;
  });
  cut_short_ = work_on_sizes() >= limits.most_work;
}

Proposal AxisSearch::proposal(const TriedFormula& formula, int explained) {
  std::vector<DecidedCase> most;
  for (int session = 0; session < trials_.sessions(); ++session) {
    auto decided = trials_.decided(session, formula.rule());
    if (decided.size() > most.size()) most = std::move(decided);
  }
  std::string text = formula.text();
  if (axis_ == index_of<WarpPlacement>()) {
    text = parse_formula(info_, moving_the_pointer(text, names_)).text;
  }
  return {axis_,
          no_name_of_value(axis_, std::move(text)),
          size(),
          mechanism_,
          std::move(most),
          explained,
          trials_.sessions()};
}

/// Of what explains everything, and was found otherwise than by its size.
Proposal AxisSearch::proposal(const std::string& text) {
  Proposal found =
      proposal({info_, {text, Numbers(0)}, trials_.inputs(), no_columns_}, trials_.sessions());
  found.size = static_cast<int>(parse_formula(info_, found.formula).nodes.size());
  return found;
}

/// What the mechanism has, as far as that is a formula of numbers.
Rule AxisSearch::some_rule() {
  std::string text(axis_value(axis_, mechanism_.values[axis_]).formula);
  if (!reads_only_names(text)) text = known_.empty() ? "" : known_.front();
  if (text.empty()) text = info_.gives == FormulaInfo::Gives::condition ? "0 == 1" : "0";
  if (info_.gives == FormulaInfo::Gives::order) return [](int) { return 0; };
  const auto formula = std::make_shared<TriedFormula>(info_, FormulaSearch::Found{text, Numbers(0)},
                                                      trials_.inputs(), no_columns_);
  return [formula](int input) { return formula->value(input); };
}

void AxisSearch::begin() {
  trials_.see_inputs(some_rule());
  Rng rng(1);
  const std::vector<int> numbers = telling_inputs(trials_.inputs(), rng);
  columns_.assign(trials_.inputs().size(), -1);
  std::vector<RuleInputs> inputs;
  for (const int number : numbers) {
    columns_[number] = static_cast<int>(inputs.size());
    inputs.push_back(trials_.inputs()[number]);
  }
  // Where nobody asks the rule, all formulas say the same.
  if (inputs.empty()) inputs.emplace_back(info_.names.size());
  std::vector<std::string> known = known_;
  const std::string own(axis_value(axis_, mechanism_.values[axis_]).formula);
  if (std::erase(known, own) > 0) known.insert(known.begin(), own);
  search_ = std::make_unique<FormulaSearch>(info_, names_, known, std::move(inputs));
}

}  // namespace cuvier
