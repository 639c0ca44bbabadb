#include "solver/invention/rule_trials.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <set>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "solver/invention/explains.h"

namespace cuvier {
namespace {

/// Of so many inputs it is compared what formulas say.
constexpr std::size_t kFewInputs = 256;
constexpr std::size_t kMostInputs = 1'000;

/// What it costs to ask a rule, where each block asks it of all SMs: in blocks that are predicted.
constexpr double kWorkToAsk = 0.1;
/// Likewise what it costs to remember an answer, for the memory that it takes: some 80 bytes.
constexpr double kWorkToRemember = 4;

}  // namespace

int value_of(const FormulaInfo& info, const Formula& formula, const RuleInputs& inputs) {
  const Evaluation<int, bool> value(formula, inputs);
  switch (info.gives) {
    case FormulaInfo::Gives::condition:
      return value.condition() ? 1 : 0;
    case FormulaInfo::Gives::number:
      return value.number();
    case FormulaInfo::Gives::key:
    case FormulaInfo::Gives::order:
      break;
  }
  return value.key();
}

int FormulaRule::operator()(const RuleInputs& inputs) const {
  if (info_.gives != FormulaInfo::Gives::order || formula_.parts.size() == 1) {
    return value_of(info_, formula_, inputs);
  }
  const auto [at, is_new] = places_.try_emplace(Evaluation<int, bool>(formula_, inputs).numbers());
  if (!is_new || places_.size() == 1) return at->second;
  // So far from the outermost that others can come between, and beyond.
  const auto apart = [](int outermost) {
    return std::min(1 << 21, (Formula::kFurthest - std::abs(outermost)) / 64);
  };
  const auto next = std::next(at);
  const int least =
      at == places_.begin() ? next->second - apart(next->second) : std::prev(at)->second;
  const int most = next == places_.end() ? least + apart(least) : next->second;
  if (most - least < 2) {
    places_.erase(at);
    throw Error("too many inputs to order");
  }
  return at->second = least + (most - least) / 2;
}

RuleTrials::RuleTrials(const Device& device, const std::vector<Session>& sessions,
                       const Hypothesis& others, int axis, std::uint32_t names)
    : device_(device),
      sessions_(sessions),
      others_(others),
      axis_(axis),
      names_(names),
      is_fleeting_((names & fleeting_names(*axis_info(axis).formula)) != 0),
      trees_(sessions.size(), Tree(1)),
      order_(sessions.size()) {
  for (const Session& session : sessions) {
    cost_.push_back(cost_of(session));
    gain_.push_back(1 / cost_.back());
  }
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [&](int session) { return cost_[session]; });
}

bool RuleTrials::explains(int session, const Rule& rule) {
  const Tree& tree = trees_[session];
  try {
    for (int node = 0; node >= 0; node = next(tree[node], value_of(rule, tree[node].input))) {
      if (tree[node].end != End::open) return tree[node].end == End::right;
      if (tree[node].input < 0) break;
    }
    return predict(session, rule);
  } catch (const Error&) {  // numbers out of range, or an order of more than can be numbered
    return false;
  }
}

std::optional<int> RuleTrials::refuting(const Rule& rule, const std::vector<int>& but_for) {
  auto refuses = std::ranges::find_if(order_, [&](int session) {
    return !std::ranges::binary_search(but_for, session) && !explains(session, rule);
  });
  if (refuses == order_.end()) return std::nullopt;
  const int session = *refuses;
  gain_[*refuses] += 1 / cost_[*refuses];
  for (; refuses != order_.begin() && gain_[*refuses] > gain_[*(refuses - 1)]; --refuses) {
    std::iter_swap(refuses, refuses - 1);
  }
  return session;
}

bool RuleTrials::is_hopeless(int session) const {
  return trees_[session].front().end == End::wrong;
}

std::vector<int> RuleTrials::asked(int session, const Rule& rule) const {
  std::vector<int> inputs;
  const Tree& tree = trees_[session];
  for (int node = 0; tree[node].end == End::open;) {
    inputs.push_back(tree[node].input);
    node = next(tree[node], value_of(rule, tree[node].input));
  }
  return inputs;
}

std::vector<DecidedCase> RuleTrials::decided(int session, const Rule& rule) {
  std::vector<DecidedCase> cases;
  if (!explains(session, rule)) return cases;
  for (const int input : asked(session, rule)) {
    cases.push_back({inputs_[input], value_of(rule, input)});
  }
  return cases;
}

void RuleTrials::see_inputs(const Rule& rule) {
  const TrialValue trial(
      axis_, [&](std::span<const int> names) { return value_of(rule, number_of(names)); }, names_);
  const Hypothesis hypothesis = others_.with(axis_, trial.value());
  for (std::size_t session = 0; session < sessions_.size(); ++session) {
    blocks_ += cost_[session];
    Simulator simulator(device_, hypothesis);
    for (const Recording& recording : sessions_[session]) simulator.replay(recording);
  }
}

std::size_t RuleTrials::HashOfInputs::operator()(const RuleInputs& inputs) const {
  std::size_t hash = inputs.size();
  for (const int input : inputs) hash = hash * 1'000'003 + static_cast<std::size_t>(input);
  return hash;
}

int RuleTrials::number_of(std::span<const int> names) {
  asked_.assign(names.size(), 0);
  for (std::size_t name = 0; name < names.size(); ++name) {
    if ((names_ >> name & 1) != 0) asked_[name] = names[name];
  }
  if (is_fleeting_) blocks_ += kWorkToAsk;
  const auto [found, is_new] = numbers_.try_emplace(asked_, static_cast<int>(inputs_.size()));
  if (is_new) inputs_.push_back(asked_);
  return found->second;
}

int RuleTrials::value_of(const Rule& rule, int input) const {
  const FormulaInfo& info = *axis_info(axis_).formula;
  const int value = rule(input);
  return info.gives == FormulaInfo::Gives::number ? std::clamp(value, info.least, info.most)
                                                  : value;
}

/// -1: no rule answered that there.
int RuleTrials::next(const Node& node, int value) {
  const auto answer = std::ranges::find(node.answers, value, &Answer::value);
  return answer == node.answers.end() ? -1 : answer->next;
}

bool RuleTrials::predict(int session, const Rule& rule) {
  blocks_ += cost_[session];
  Tree& tree = trees_[session];
  int node = 0;
  std::map<int, int> answered;  // by input
  const TrialValue trial(
      axis_,
      [&](std::span<const int> names) {
        const int input = number_of(names);
        const auto [answer, is_new] = answered.try_emplace(input);
        if (!is_new) return answer->second;
        const int value = answer->second = value_of(rule, input);
        tree[node].input = input;
        int then = next(tree[node], value);
        if (then < 0) {
          then = static_cast<int>(tree.size());
          tree[node].answers.push_back({value, then});
          tree.emplace_back();
          if (is_fleeting_) blocks_ += kWorkToRemember;
        }
        node = then;
        return value;
      },
      names_);
  Simulator simulator(device_, others_.with(axis_, trial.value()));
  for (const Recording& recording : sessions_[session]) {
    if (!cuvier::explains(simulator.replay(recording), recording)) {
      tree[node].end = End::wrong;
      return false;
    }
  }
  tree[node].end = End::right;
  return true;
}

std::vector<int> telling_inputs(const std::vector<RuleInputs>& inputs, Rng& rng) {
  std::vector<int> numbers(inputs.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (inputs.size() <= kFewInputs) return numbers;
  std::ranges::shuffle(numbers, rng);
  std::vector<std::set<int>> values(inputs.front().size());
  for (const RuleInputs& of : inputs) {
    for (std::size_t name = 0; name < of.size(); ++name) values[name].insert(of[name]);
  }
  std::vector<std::size_t> names(values.size());
  std::iota(names.begin(), names.end(), 0);
  std::ranges::stable_sort(names, {}, [&](std::size_t name) { return values[name].size(); });
  auto others = numbers.begin();
  for (const std::size_t name : names) {
    const auto cover = [&](int number) { return values[name].erase(inputs[number][name]) > 0; };
    std::for_each(numbers.begin(), others, cover);
    others = std::stable_partition(others, numbers.end(), cover);
  }
  const auto count = static_cast<std::size_t>(others - numbers.begin());
  numbers.resize(std::min(std::max(count, kFewInputs), kMostInputs));
  return numbers;
}

}  // namespace cuvier
