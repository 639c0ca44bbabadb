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
        sms_(device),
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

  bool has_cursor() const { return cuvier::has_cursor(hypothesis_.get<Selection>()); }

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

  void add(const TermBool& condition, const TermBool& then) {
    solver_.add((!condition || then).term());
  }

  /// Where it holds, the constant `what` is the answer to the question: the first option that is
  /// eligible and of the least key. The least is a constant of its own, so options are compared
  /// with it and not with each other; and that one has it is stated: no solver has to find out that
  /// there is an answer.
  void add_choice(const TermBool& condition, const Question& question, const std::string& what) {
    const z3::expr& key = question.options.front().key;
    const bool keys_are_equal =
        std::ranges::all_of(question.options, [&](const auto& o) { return z3::eq(o.key, key); });
    const TermInt least = keys_are_equal ? TermInt(key) : named_int("least." + what);
    TermBool none_before = true;
    TermBool all = true;
    for (const Question::Option& option : question.options) {
      const TermBool eligible(option.eligible);
      TermBool is_least = eligible;
      if (!keys_are_equal) {
        is_least = eligible && TermInt(option.key) == least;
        all = all && (!eligible || least <= TermInt(option.key));
      }
      all = all && (named_int(what) == TermInt(option.id)) == (none_before && is_least);
      none_before = none_before && !is_least;
    }
    add(condition, all && !none_before);
  }

  void state_flat() {
    TermBool free = any_;  // of a block before it, which it would follow
    if (hypothesis_.get<Selection>() == Selection::paired) {
      for (const int sm : groups_.front()) free = free && !follows(sm);
    }
    state_sm(free, 0, {});
  }

  /// States where a block goes that makes a pair with one on this SM, and says when it does.
  TermBool follows(int sm) {
    const int to = chooser_.choose({}, sm, {1}).value_or(kNone);
    const TermBool it_does =
        named_int("mate") == TermInt(sm) && chooser_.trace().asked().front().is_answered(1);
    add(any_ && it_does, next_ == TermInt(to));
    return it_does;
  }

  /// First the group, by the group cursor alone; then an SM of it, by its own.
  void state_by_groups() {
    const TermInt group = named_int("group");
    const bool group_cursor = cuvier::has_cursor(hypothesis_.get<GroupSelection>());
    TermBool is_somewhere = false;
    for (int at = kNone; at < (group_cursor ? static_cast<int>(groups_.size()) : 0); ++at) {
      const TermBool is_there =
          group_cursor ? named_int("cursor.group") == TermInt(at) : TermBool(true);
      chooser_.choose({{}, at}, {}, {});
      add_choice(any_ && is_there, chooser_.trace().asked().front(), "group");
      is_somewhere = is_somewhere || is_there;
    }
    add(true, is_somewhere);
    for (int of = 0; of < static_cast<int>(groups_.size()); ++of) {
      state_sm(any_ && group == TermInt(of), of, {of});
    }
  }

  /// That where `here` holds the block goes to an SM of the group, wherever its cursor is; the
  /// script answers what is asked before.
  void state_sm(const TermBool& here, int group, const std::vector<int>& script) {
    TermBool is_somewhere = false;
    for (const Cursors& cursors : sm_cursors()) {
      const TermBool is_there = is_at(cursors, group);
      state_sm_from(cursors, here && is_there, script);
      is_somewhere = is_somewhere || is_there;
    }
    add(true, is_somewhere);
  }

  void state_sm_from(const Cursors& cursors, const TermBool& here, const std::vector<int>& script) {
    const auto only = chooser_.choose(cursors, {}, script);
    const std::vector<Question> asked = chooser_.trace().asked();
    if (asked.size() == script.size()) {  // of one SM nothing is asked
      add(here, next_ == TermInt(only.value_or(kNone)));
    } else if (asked.back().options.front().id != kNone) {
      add_choice(here, asked.back(), "next");
    } else {  // whether it goes to the one SM that is tried, or waits
      for (const int yes : {0, 1}) {
        std::vector<int> answered = script;
        answered.push_back(yes);
        const int to = chooser_.choose(cursors, {}, answered).value_or(kNone);
        add(here && asked.back().is_answered(yes), next_ == TermInt(to));
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
