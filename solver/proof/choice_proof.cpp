#include "solver/proof/choice_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

#include "solver/proof/query_trace.h"

namespace cuvier {
namespace {

/// There are as many cases to go through.
constexpr int kMostCases = 96;

/// Whether a group, once chosen, gets several blocks.
bool turns(const Hypothesis& h) {
  return h.get<Hierarchy>() != Hierarchy::flat && h.get<GroupTurn>() == GroupTurn::each_sm_once;
}

/// Whether a key reads what the cursors remember, beside where they are.
bool remembers(const Hypothesis& h) {
  if (!is_formula<Selection>(h.get<Selection>())) return false;
  const Formula& formula = formula_of<Selection>(h.get<Selection>());
  return std::ranges::any_of(Selection::names, [&](const FormulaName& name) {
    return std::ranges::count(name.from, CursorReset::title.name) > 0 &&
           formula.reads(static_cast<int>(&name - Selection::names));
  });
}

/// Whether what the node comes to stays where the name becomes larger by the number of SMs (`mod`:
/// grows by a multiple of that, perhaps).
bool goes_round(const Formula& formula, int at, int name, bool mod = false) {
  const Formula::Node& node = formula.nodes[at];
  if (node.op == Formula::Op::name) return mod || node.value != name;
  const auto is = [&](auto... ops) { return ((node.op == ops) || ...); };
  const bool inside = mod && is(Formula::Op::sum, Formula::Op::difference, Formula::Op::product,
                                Formula::Op::negated);
  const bool begins = is(Formula::Op::remainder) &&
                      formula.nodes[node.of[1]].op == Formula::Op::name &&
                      formula.nodes[node.of[1]].value == NameOf<Selection>("sms");
  return std::ranges::all_of(node.of | std::views::take(operands_of(node.op)), [&](int of) {
    return goes_round(formula, of, name, inside || begins);
  });
}

/// What both hypotheses read at most of by its remainder by the number of SMs; none: nothing.
std::optional<NameOf<Selection>> read_by_its_remainder(const Hypothesis& a, const Hypothesis& b) {
  for (const auto name : std::initializer_list<NameOf<Selection>>{"placed", "left", "joined"}) {
    const auto reads = [&](const Hypothesis& h) {
      return formula_reads<Selection>(h.get<Selection>(), name);
    };
    const auto stays = [&](const Hypothesis& h) {
      if (!reads(h)) return true;
      const Formula& formula = formula_of<Selection>(h.get<Selection>());
      return std::ranges::all_of(formula.parts,
                                 [&](int part) { return goes_round(formula, part, name); });
    };
    if ((reads(a) || reads(b)) && stays(a) && stays(b)) return name;
  }
  return std::nullopt;
}

class Lockstep {
 public:
  Lockstep(const Device& device, const Hypothesis& a, const Hypothesis& b)
      : device_(device),
        paired_(a.get<Selection>() == Selection::paired || b.get<Selection>() == Selection::paired),
        sms_(device),
        a_(device, a, sms_),
        b_(device, b, sms_) {}

  /// That quantity is this number. Nothing was asked before.
  void assume(NameOf<Selection> name, int value) { sms_.assume(name, value); }

  /// Whether both ask the same and go the same ways from these cursors, whatever the answers.
  bool same_from(const Cursors& cursors, std::optional<int> mate = {}) {
    for (const auto& script : a_.scripts(cursors, mate)) {
      const auto to_a = a_.choose(cursors, mate, script);
      const auto to_b = b_.choose(cursors, mate, script);
      const Cursors at_a = a_.cursors_that_matter();
      cursors_move_ = cursors_move_ || !at_a.at_start();
      if (a_.trace().asked() != b_.trace().asked() || to_a != to_b ||
          !(at_a == b_.cursors_that_matter())) {
        return false;
      }
      if (to_a && !z3::eq(a_.key().term(), b_.key().term())) return false;
    }
    return true;
  }

  /// The same from wherever the cursors may be; `moved`: not from the start, if they move.
  bool same(bool moved) {
    if (!same_from({}) && !(moved && cursors_move_)) return false;
    for (int mate = 0; paired_ && mate < device_.sms; ++mate) {
      if (!same_from({}, mate)) return false;
    }
    if (!cursors_move_) return true;
    return a_.groups() == b_.groups() &&
           std::ranges::all_of(a_.positions(moved),
                               [&](const Cursors& cursors) { return same_from(cursors); });
  }

  /// That both go to the same SM, whatever the SMs answer; none where a cursor moves, or a block
  /// may follow the one before it.
  std::optional<TermBool> same_outcomes() {
    if (paired_) return std::nullopt;
    const auto to_a = outcomes(a_);
    const auto to_b = outcomes(b_);
    if (!to_a || !to_b) return std::nullopt;
    TermBool same = true;
    for (int sm = -1; sm < device_.sms; ++sm) {
      same = same && outcome(*to_a, sm) == outcome(*to_b, sm);
    }
    return same;
  }

  bool cursors_move() const { return cursors_move_; }
  const ChoiceAsks& asked() const { return sms_.asked; }

 private:
  /// By SM (-1: none) when a block goes there; none where a cursor moves.
  using Outcomes = std::map<int, TermBool>;

  static TermBool outcome(const Outcomes& outcomes, int sm) {
    const auto found = outcomes.find(sm);
    return found == outcomes.end() ? TermBool(false) : found->second;
  }

  static std::optional<Outcomes> outcomes(Chooser& chooser) {
    Outcomes outcomes;
    for (const auto& script : chooser.scripts({})) {
      const int to = chooser.choose({}, {}, script).value_or(-1);
      if (!chooser.cursors_that_matter().at_start()) return std::nullopt;
      TermBool answered = true;
      const std::vector<Question>& asked = chooser.trace().asked();
      for (std::size_t i = 0; i < asked.size(); ++i) {
        answered = answered && asked[i].is_answered(asked[i].answers[script[i]]);
      }
      outcomes[to] = outcome(outcomes, to) || answered;
    }
    return outcomes;
  }

  const Device& device_;
  const bool paired_;
  UnknownSms sms_;
  Chooser a_;
  Chooser b_;
  bool cursors_move_ = false;
};

}  // namespace

ChoiceAsks asks_of_choice(const Device& device, const Hypothesis& hypothesis) {
  Lockstep alone(device, hypothesis, hypothesis);
  alone.same_from({});
  return alone.asked();
}

std::optional<std::string> choice_differs(const Device& device, const Hypothesis& a,
                                          const Hypothesis& b, bool moved,
                                          const std::function<bool()>& return_alike) {
  Lockstep both(device, a, b);
  const auto stay_moved = [](const Hypothesis& h) {
    return h.get<CursorReset>() == CursorReset::never;
  };
  if (!both.same(moved && stay_moved(a) && stay_moved(b)))
    return "they ask different questions of the SMs";
  if ((both.cursors_move() || remembers(a) || remembers(b)) &&
      a.get<CursorReset>() != b.get<CursorReset>() && !return_alike()) {
    return "their cursors return to the start at different times";
  }
  // Within a turn the question is about some of the group's SMs: the same one, if the groups are.
  if (turns(a) != turns(b) || (turns(a) && groups_of(device, a.get<Hierarchy>()) !=
                                               groups_of(device, b.get<Hierarchy>()))) {
    return "their groups take turns differently";
  }
  return std::nullopt;
}

Statement same_returns(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Statement s("cursors", fmt::format("Under {} and {} the cursors return to the start before the "
                                     "same blocks.",
                                     describe(a), describe(b)));
  const TermInt placed = unknown_int("placed");
  const TermInt left = unknown_int("left");
  const TermInt w = unknown_int("w");
  const TermInt priority = unknown_int("priority");
  const TermInt cluster = unknown_int("cluster");
  const TermInt joined = unknown_int("joined");
  const TermInt device_blocks = unknown_int("device_blocks");
  s.assume(placed >= 0 && left >= 1 && placed + left <= kMostBlocks);
  s.assume(w >= 1 && w <= device.max_warps_per_sm);
  s.assume(cluster >= 0 && cluster <= device.largest_cluster() && joined >= 0);
  s.assume(device_blocks >= 0 && device_blocks <= device.sms * device.max_blocks_per_sm);
  const auto returns = [&](const Hypothesis& h) {
    const auto value = h.get<CursorReset>();
    const Formula formula =
        is_formula<CursorReset>(value)
            ? formula_of<CursorReset>(value)
            : parse_formula(CursorReset::formula,
                            std::string(axis_value(index_of<CursorReset>(), value).formula));
    const std::array names{
        placed, left, w, priority, cluster, joined, device_blocks, TermInt(device.sms)};
    return Evaluation<TermInt, TermBool>(formula, names).condition();
  };
  s.claim(returns(a) == returns(b));
  return s;
}

std::optional<Statement> same_choices(const Device& device, const Hypothesis& a,
                                      const Hypothesis& b) {
  if (turns(a) || turns(b) || numbers_by_keys(a) || numbers_by_keys(b)) return std::nullopt;
  if (a.get<CursorReset>() != b.get<CursorReset>() && (remembers(a) || remembers(b))) {
    return std::nullopt;
  }
  const auto same_where = [&](std::optional<NameOf<Selection>> name, int value) {
    Lockstep both(device, a, b);
    if (name) both.assume(*name, value);
    return both.same_outcomes();
  };
  auto same = same_where({}, 0);
  if (!same) return std::nullopt;
  // Solvers are slow with many remainders of one number. Of each that it can leave, there is often
  // nothing to ask.
  const auto name = device.sms <= kMostCases ? read_by_its_remainder(a, b) : std::nullopt;
  const auto is_evident = [&](int value) {
    const auto same_here = same_where(name, value);
    return same_here && same_here->is_true();
  };
  if (name && std::ranges::all_of(std::views::iota(0, device.sms), is_evident)) same = true;
  Statement s("choice", fmt::format("Whatever the SMs of {} answer, a block goes to the same one "
                                    "under {} and under {}.",
                                    device.name, describe(a), describe(b)));
  s.claim(*same);
  return s;
}

namespace {

/// The options that come before the one chosen, ascending; none where a key may grow.
std::optional<std::vector<int>> ahead(const Question& question, int chosen, bool keys_shrink) {
  std::vector<int> ids;
  for (const Question::Option& option : question.options) {
    if (option.id < 0) return std::nullopt;
    if (!keys_shrink && !z3::eq(option.key, TermInt(0).term())) return std::nullopt;
    if (option.id == chosen) break;
    ids.push_back(option.id);
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

bool choice_stays(const Device& device, const Hypothesis& h, bool returns) {
  if (turns(h)) return false;
  // The key of an SM's choice, which a block lets only shrink. A group's may do anything.
  const Selection::Value selection = h.get<Selection>();
  const bool keys_shrink = selection == Selection::most_warps ||
                           selection == Selection::most_used || keys_shrink_by_formula(selection);
  UnknownSms sms(device);
  Chooser chooser(device, h, sms);
  bool moves = false;
  for (const Cursors& cursors : chooser.positions()) {
    for (const auto& script : chooser.scripts(cursors)) {
      const auto first = chooser.choose(cursors, {}, script);
      const std::vector<Question> before = chooser.trace().asked();
      const auto next = chooser.choose(returns ? cursors : chooser.cursors(), {}, script);
      const std::vector<Question>& after = chooser.trace().asked();
      if (!first || first != next || before.size() != after.size()) return false;
      for (std::size_t i = 0; i < before.size(); ++i) {
        // Of a group of one SM nothing is asked behind the group's own question.
        const bool of_sms = i == (chooser.groups().size() > 1 ? 1U : 0U);
        const int chosen = before[i].answers[script[i]];
        const auto was = ahead(before[i], chosen, keys_shrink && of_sms);
        const auto is = ahead(after[i], chosen, keys_shrink && of_sms);
        if (!was || !is || !std::ranges::includes(*was, *is)) return false;
      }
      moves = moves || !chooser.cursors().at_start();
    }
    if (!moves || returns) break;
  }
  return true;
}

}  // namespace cuvier
