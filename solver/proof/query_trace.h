#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "hypotheses/readings/single_reading.h"
#include "hypotheses/scheduler/selector.h"
#include "solver/smt/terms_domain.h"

namespace cuvier {

/// What the choice of an SM asks of the SMs under a hypothesis.
struct ChoiceAsks {
  bool room = false;
  bool usage = false;
};

/// SMs of which nothing is known.
class UnknownSms {
 public:
  explicit UnknownSms(const Device& device);

  const ChangeLog& changes() const { return changes_; }
  const TermBool& fits(int sm, PlacingKernel) const { return sms_[sm].fits; }
  const TermInt& room_key(int sm, PlacingKernel) {
    asked.room = true;
    return sms_[sm].room_key;
  }
  const TermInt& usage(int sm, PlacingKernel) {
    asked.usage = true;
    return sms_[sm].usage;
  }
  const TermInt& warps_on(int sm) const { return sms_[sm].seen["warps"]; }
  const TermInt& blocks_on(int sm) const { return sms_[sm].seen["blocks"]; }
  const TermInt& held_registers(int sm) const { return sms_[sm].seen["held_registers"]; }
  const TermInt& held_bytes(int sm) const { return sms_[sm].seen["held_bytes"]; }
  TermInt key_by_formula(Selection::Value value, PlacingKernel, const Seen<Selection, int>& known,
                         const OpenKeys<TermInt>& open) const {
    const int sm = known["sm"];
    Seen<Selection, TermInt> seen = sms_[sm].seen;
    seen["turn"] = known["turn"];
    seen["rank"] = known["rank"];
    seen["room"] = open.room;
    seen["tpc_blocks"] = blocks_on(near_.tpcs.mates_of(sm));
    seen["tpc_own"] = sum(near_.tpcs.mates_of(sm), "own");
    seen["gpc_blocks"] = blocks_on(near_.gpcs.mates_of(sm));
    return evaluation_of<Selection, Terms>(value, seen.values).key();
  }
  TermInt warps_on(const std::vector<int>& sms) const { return sum(sms, "warps"); }
  TermInt blocks_on(const std::vector<int>& sms) const { return sum(sms, "blocks"); }

  /// That is this number for all of them.
  void assume(NameOf<Selection> name, const TermInt& value) {
    for (Sm& sm : sms_) sm.seen[name] = value;
  }

  ChoiceAsks asked;

 private:
  struct Sm {
    TermBool fits;
    TermInt room_key;
    TermInt usage;
    Seen<Selection, TermInt> seen;  ///< by formulas, but for what the choice or SMs together say
  };
  TermInt sum(const std::vector<int>& sms, NameOf<Selection> name) const {
    TermInt sum = 0;
    for (const int sm : sms) sum = sum + sms_[sm].seen[name];
    return sum;
  }

  std::vector<Sm> sms_;
  const Neighbourhood near_;
  const ChangeLog changes_;  ///< none: their answers stay
};

/// Which of these is first: options in the order in which they come where their keys are equal.
/// Two that are equal have the same answer, whatever the SMs are like, among any of the options.
struct Question {
  struct Option {
    int id;
    z3::expr eligible;
    z3::expr key;
    bool operator==(const Option& other) const {
      return id == other.id && z3::eq(eligible, other.eligible) && z3::eq(key, other.key);
    }
  };
  std::vector<Option> options;
  std::vector<int> answers;  ///< what the script chooses among

  bool operator==(const Question&) const = default;

  /// When that is the answer: of the options that are eligible the one of the least key, the
  /// first of these; or whether the only option is.
  TermBool is_answered(int answer) const;
};

/// The reading that writes down what is asked, and answers from a script.
class QueryTrace : public SingleReading {
 public:
  using Int = TermInt;
  using Bool = TermBool;

  using SingleReading::SingleReading;

  void begin(const std::vector<int>& script) {
    script_ = &script;
    asked_.clear();
    choices_ = 0;
  }
  const std::vector<Question>& asked() const { return asked_; }
  /// Answers that the first question beyond the script has; 0 if the script answered all.
  int choices() const { return choices_; }

  Int constant(int value) const { return value; }
  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) const {
    return evaluate(rule, Terms{hypothesis()}, states...);
  }
  bool certain(const Bool&) const { return true; }

  using Options = OptionList<Int, Bool>;

  bool any(const auto&) const {
    return true;  // what both are asked first; otherwise both wait
  }
  bool decide(const Bool& condition) {
    return answer({{{-1, condition.term(), TermInt(0).term()}}, {false, true}}) == 1;
  }
  int pick(const auto& options, int, const Entry& entry, const auto&) {
    std::vector<const Option<Int, Bool>*> in_order;
    for (const auto& o : options) in_order.push_back(&o);
    const bool keys_known =
        std::ranges::all_of(options, [](const auto& o) { return o.key.is_number(); });
    std::ranges::sort(in_order, {}, [&](const auto* o) {
      return std::pair(keys_known ? o->key.cases()[0].value : 0, entry.turn(o->rank));
    });
    if (in_order.size() == 1) return in_order[0]->id;
    Question question;
    for (const auto* c : in_order) {
      question.options.push_back(
          {c->id, c->eligible.term(), keys_known ? TermInt(0).term() : c->key.term()});
    }
    for (const auto& o : options) question.answers.push_back(o.id);
    return question.answers[answer(question)];
  }

 private:
  int answer(Question question);

  const std::vector<int>* script_ = nullptr;
  std::vector<Question> asked_;
  int choices_ = 0;
};

/// Whether blocks are numbered by which SMs were chosen as equals.
inline bool numbers_by_keys(const Hypothesis& h) {
  return h.get<Numbering>() != Numbering::as_chosen;
}

/// One hypothesis's way of choosing.
class Chooser {
 public:
  Chooser(const Device& device, const Hypothesis& hypothesis, UnknownSms& sms)
      : groups_(groups_of(device, hypothesis.get<Hierarchy>())),
        trace_(device, hypothesis),
        selector_(trace_, device, sms),
        keys_show_(numbers_by_keys(hypothesis)) {}

  /// The SM for a block, the questions answered by the script. `mate` as in Selector::select.
  std::optional<int> choose(const Cursors& from, std::optional<int> mate,
                            const std::vector<int>& script);

  /// What the latest choice compared of the SM that it chose; 0 where blocks are not numbered by
  /// it.
  const TermInt& key() const { return key_; }

  const QueryTrace& trace() const { return trace_; }
  const Cursors& cursors() const { return selector_.cursors(); }
  const std::vector<std::vector<int>>& groups() const { return groups_; }

  /// Every way to answer what is asked from there.
  std::vector<std::vector<int>> scripts(const Cursors& from, std::optional<int> mate = {});

  /// Where the cursors may be, the start first; or where they may be once each has `moved`. A group
  /// is chosen by the group cursor, an SM of it by the group's own: one at a time.
  std::vector<Cursors> positions(bool moved = false) const;

  /// Without those of a choice between one group, or within a group of one SM.
  Cursors cursors_that_matter() const;

 private:
  const std::vector<std::vector<int>> groups_;
  QueryTrace trace_;
  Selector<QueryTrace, UnknownSms> selector_;
  const bool keys_show_;
  TermInt key_;
};

}  // namespace cuvier
