#include "solver/proof/next_sm.h"

#include <fmt/format.h>

#include "probes/error.h"
#include "solver/proof/query_trace.h"

namespace cuvier {
namespace {

class NextSm {
 public:
  NextSm(const Device& device, const Hypothesis& hypothesis)
      : hypothesis_(hypothesis),
        sms_(device.sms),
        chooser_(device, hypothesis, sms_),
        groups_(chooser_.groups()),
        solver_(term_context()) {
    TermBool any = false;
    for (int sm = 0; sm < device.sms; ++sm) any = any || sms_.fits(sm, PlacingKernel(0, 0));
    any_ = any;
    add(!any, next_ == TermInt(kNone));
    groups_.size() > 1 ? state_by_groups() : state_flat();
  }

  std::string smt2() {
    std::string text = solver_.to_smt2();
    text.resize(text.find("(check-sat)"));
    return text;
  }

 private:
  static constexpr int kNone = -1;

  bool has_cursor() const { return Selection::has_cursor(hypothesis_.get<Selection>()); }

  /// The cursor of SMs at each place where it may be, the same in every group: at the start, and on
  /// each member.
  std::vector<Cursors> sm_cursors() const {
    std::vector<Cursors> all(1);
    const auto largest = std::ranges::max(groups_, {}, &std::vector<int>::size).size();
    for (std::size_t member = 0; has_cursor() && member < largest; ++member) {
      Cursors& cursors = all.emplace_back();
      for (const auto& group : groups_) {
        cursors.sm.push_back(group[std::min(member, group.size() - 1)]);
      }
    }
    return all;
  }

  TermBool is_at(const Cursors& cursors, int group) {
    if (!has_cursor()) return true;
    return named_int(fmt::format("cursor.{}", group)) ==
           TermInt(cursors.sm.empty() ? kNone : cursors.sm[group]);
  }

  /// That what is asked from the first of these questions on is answered so.
  TermBool answered(const std::vector<int>& script, std::size_t from) const {
    TermBool all = true;
    const std::vector<Question>& asked = chooser_.trace().asked();
    for (std::size_t i = from; i < asked.size(); ++i) {
      all = all && asked[i].is_answered(asked[i].answers[script[i]]);
    }
    return all;
  }

  void add(const TermBool& condition, const TermBool& then) {
    solver_.add((!condition || then).term());
  }

  /// Where it holds, `what` is the answer to the question, told of each option both ways: solvers
  /// need not find out then that there is an answer. Of options with equal keys it is the first
  /// that is eligible: what their conditions share is one term then, and printed once.
  void add_choice(const TermBool& condition, const Question& question, const TermInt& what) {
    const z3::expr& key = question.options.front().key;
    const bool keys_are_equal =
        std::ranges::all_of(question.options, [&](const auto& o) { return z3::eq(o.key, key); });
    TermBool none_before = true;
    TermBool all = true;
    for (const Question::Option& option : question.options) {
      const TermBool eligible(option.eligible);
      const TermBool chosen =
          keys_are_equal ? none_before && eligible : question.is_answered(option.id);
      all = all && (what == TermInt(option.id)) == chosen;
      none_before = none_before && !eligible;
    }
    add(condition, all);
  }

  void state_flat() {
    TermBool free = any_;  // of a block before it, which it would follow
    if (hypothesis_.get<Selection>() == Selection::paired) {
      for (const int sm : groups_.front()) free = free && !follows(sm);
    }
    for (const Cursors& cursors : sm_cursors()) {
      const TermBool here = free && is_at(cursors, 0);
      chooser_.choose(cursors, {}, {});
      const std::vector<Question> asked = chooser_.trace().asked();
      if (asked.size() == 1 && asked[0].options.front().id != kNone) {
        add_choice(here, asked[0], next_);
        continue;
      }
      for (const auto& script : chooser_.scripts(cursors)) {
        const int to = chooser_.choose(cursors, {}, script).value_or(kNone);
        add(here && answered(script, 0), next_ == TermInt(to));
      }
    }
  }

  /// States where a block goes that makes a pair with one on this SM, and says when it does.
  TermBool follows(int sm) {
    const std::vector<int> yes = {1};
    const int to = chooser_.choose({}, sm, yes).value_or(kNone);
    const TermBool it_does = named_int("mate") == TermInt(sm) && answered(yes, 0);
    add(any_ && it_does, next_ == TermInt(to));
    return it_does;
  }

  /// First the group, by the group cursor alone; then an SM of it, by its own.
  void state_by_groups() {
    const TermInt group = named_int("group");
    const bool group_cursor = hypothesis_.get<GroupSelection>() == GroupSelection::round_robin;
    for (int at = kNone; at < (group_cursor ? static_cast<int>(groups_.size()) : 0); ++at) {
      const TermBool is_there =
          group_cursor ? named_int("cursor.group") == TermInt(at) : TermBool(true);
      chooser_.choose({{}, at}, {}, {});
      add_choice(any_ && is_there, chooser_.trace().asked().front(), group);
    }
    for (const Cursors& cursors : sm_cursors()) {
      for (const auto& script : chooser_.scripts(cursors)) {
        const int to = chooser_.choose(cursors, {}, script).value_or(kNone);
        const int of = chooser_.trace().asked().front().answers[script[0]];
        add(any_ && group == TermInt(of) && is_at(cursors, of) && answered(script, 1),
            next_ == TermInt(to));
      }
    }
  }

  const Hypothesis hypothesis_;
  UnknownSms sms_;
  Chooser chooser_;
  const std::vector<std::vector<int>> groups_;
  z3::solver solver_;
  TermInt next_ = named_int("next");
  TermBool any_;
};

}  // namespace

std::string next_sm_smt2(const Device& device, const Hypothesis& hypothesis) {
  if (hypothesis.get<Hierarchy>() != Hierarchy::flat) {
    if (hypothesis.get<GroupTurn>() == GroupTurn::each_sm_once) {
      throw Error("group_turn=each_sm_once: what a group had in its turn is not stated as SMT-LIB");
    }
    if (hypothesis.get<Selection>() == Selection::paired) {
      throw Error("selection=paired is not stated as SMT-LIB where SMs have a hierarchy");
    }
  }
  const TermScope scope;
  return fmt::format("; Which SM of {} gets the next block, under {}.\n", device.name,
                     describe(canonical(hypothesis))) +
         "; What the constants mean: docs/howto/export.md.\n(set-logic QF_LIA)\n" +
         NextSm(device, hypothesis).smt2();
}

}  // namespace cuvier
