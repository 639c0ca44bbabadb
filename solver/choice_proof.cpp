#include "solver/choice_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/selector.h"
#include "solver/term.h"

namespace cuvier {
namespace {

/// SMs of which nothing is known.
class UnknownSms {
 public:
  explicit UnknownSms(int sms) {
    for (int sm = 0; sm < sms; ++sm) {
      const auto unknown = [&](const char* what) {
        return unknown_int(fmt::format("{}.{}", what, sm));
      };
      sms_.push_back({unknown_bool(fmt::format("fits.{}", sm)), unknown("room"), unknown("usage"),
                      unknown("warps"), unknown("blocks")});
    }
  }

  const TermBool& fits(int sm, int) const { return sms_[sm].fits; }
  const TermInt& room_key(int sm, int) {
    asked.room = true;
    return sms_[sm].room_key;
  }
  const TermInt& usage(int sm, int) {
    asked.usage = true;
    return sms_[sm].usage;
  }
  const TermInt& warps_on(int sm) const { return sms_[sm].warps; }
  const TermInt& blocks_on(int sm) const { return sms_[sm].blocks; }
  TermInt warps_on(const std::vector<int>& sms) const {
    TermInt sum = 0;
    for (const int sm : sms) sum = sum + sms_[sm].warps;
    return sum;
  }

  ChoiceAsks asked;

 private:
  struct Sm {
    TermBool fits;
    TermInt room_key;
    TermInt usage;
    TermInt warps;
    TermInt blocks;
  };
  std::vector<Sm> sms_;
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

  bool operator==(const Question&) const = default;
};

/// The reading that writes down what is asked, and answers from a script.
class Interview {
 public:
  using Int = TermInt;
  using Bool = TermBool;

  Interview(const Device& device, const Hypothesis& hypothesis)
      : hypothesis_(hypothesis), sm_ranks_(ranks_of(order_of(device, hypothesis))) {}

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
    return rule(Terms{hypothesis_}, states...);
  }
  template <class A>
  typename A::Value resolve() const {
    return hypothesis_.get<A>();
  }
  bool certain(const Bool&) const { return true; }
  bool may_place(int, int, int) const { return true; }

  const std::vector<int>& sm_ranks() const { return sm_ranks_; }
  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups) const {
    return group_ranks_of(groups, sm_ranks_);
  }
  int rank_after(const std::vector<int>& ranks, int id, int cursor, int skip, int) const {
    return rank_after_cursor(ranks, id, cursor, skip);
  }
  template <class Candidates>
  const typename Candidates::value_type* at_cursor(const Candidates& candidates) const {
    return &*std::ranges::min_element(candidates, {}, &Candidates::value_type::rank);
  }

  template <class Candidates>
  bool any(const Candidates&) const {
    return true;  // what both are asked first; otherwise both wait
  }
  bool decide(const Bool& condition) {
    return answer({{{-1, condition.term(), TermInt(0).term()}}}, 2) == 1;
  }
  template <class Candidates>
  int pick(const Candidates& candidates, int) {
    std::vector<const typename Candidates::value_type*> in_order;
    for (const auto& c : candidates) in_order.push_back(&c);
    const bool keys_known =
        std::ranges::all_of(candidates, [](const auto& c) { return c.key.is_number(); });
    const auto key = [&](const auto* c) { return keys_known ? c->key.cases()[0].value : 0; };
    std::ranges::sort(in_order, [&](const auto* a, const auto* b) {
      return key(a) != key(b) ? key(a) < key(b) : a->rank < b->rank;
    });
    if (in_order.size() == 1) return in_order[0]->id;
    Question question;
    for (const auto* c : in_order) {
      question.options.push_back(
          {c->id, c->eligible.term(), keys_known ? TermInt(0).term() : c->key.term()});
    }
    const int chosen = answer(question, static_cast<int>(candidates.size()));
    return candidates[chosen].id;
  }

 private:
  static std::vector<int> order_of(const Device& device, const Hypothesis& h) {
    const TieBreak::Value value = h.get<TieBreak>();
    return value == TieBreak::learned ? h.order : named_order(device, value);
  }

  int answer(Question question, int choices) {
    asked_.push_back(std::move(question));
    if (asked_.size() <= script_->size()) return (*script_)[asked_.size() - 1];
    if (choices_ == 0) choices_ = choices;
    return 0;
  }

  Hypothesis hypothesis_;
  std::vector<int> sm_ranks_;
  const std::vector<int>* script_ = nullptr;
  std::vector<Question> asked_;
  int choices_ = 0;
};

/// One hypothesis's way of choosing.
class Chooser {
 public:
  Chooser(const Device& device, const Hypothesis& hypothesis, UnknownSms& sms)
      : groups_(groups_of(device, hypothesis.get<Hierarchy>())),
        interview_(device, hypothesis),
        selector_(interview_, device, sms) {}

  /// The SM for a block, the questions answered by the script.
  std::optional<int> choose(const Cursors& from, int block, int previous,
                            const std::vector<int>& script) {
    interview_.begin(script);
    selector_.begin();
    selector_.set_cursors(from);
    return selector_.select(0, block, previous);
  }

  const Interview& interview() const { return interview_; }
  const Cursors& cursors() const { return selector_.cursors(); }
  const std::vector<std::vector<int>>& groups() const { return groups_; }

  /// Without those of a choice between one group, or within a group of one SM.
  Cursors cursors_that_matter() const {
    Cursors cursors = selector_.cursors();
    if (groups_.size() == 1) cursors.group = -1;
    for (std::size_t g = 0; g < cursors.sm.size(); ++g) {
      if (groups_[g].size() == 1) cursors.sm[g] = -1;
    }
    if (cursors.at_start()) cursors.sm = {};
    return cursors;
  }

 private:
  const std::vector<std::vector<int>> groups_;
  Interview interview_;
  Selector<Interview, UnknownSms> selector_;
};

class Lockstep {
 public:
  Lockstep(const Device& device, const Hypothesis& a, const Hypothesis& b)
      : device_(device),
        paired_(a.get<Selection>() == Selection::paired || b.get<Selection>() == Selection::paired),
        sms_(device.sms),
        a_(device, a, sms_),
        b_(device, b, sms_) {}

  /// Whether both ask the same and go the same ways from these cursors, whatever the answers.
  bool same_from(const Cursors& cursors, int block, int previous) {
    std::vector<std::vector<int>> scripts{{}};
    while (!scripts.empty()) {
      const std::vector<int> script = std::move(scripts.back());
      scripts.pop_back();
      const auto to_a = a_.choose(cursors, block, previous, script);
      const auto to_b = b_.choose(cursors, block, previous, script);
      if (a_.interview().asked() != b_.interview().asked()) return false;
      if (const int choices = a_.interview().choices(); choices > 0) {
        for (int i = 0; i < choices; ++i) {
          scripts.push_back(script);
          scripts.back().push_back(i);
        }
        continue;
      }
      const Cursors at_a = a_.cursors_that_matter();
      if (to_a != to_b || !(at_a == b_.cursors_that_matter())) return false;
      cursors_move_ = cursors_move_ || !at_a.at_start();
    }
    return true;
  }

  /// The same from wherever the cursors may be.
  bool same() {
    if (!same_from({}, 0, -1)) return false;
    if (paired_) {
      for (int previous = 0; previous < device_.sms; ++previous) {
        if (!same_from({}, 1, previous)) return false;
      }
    }
    if (!cursors_move_) return true;
    // A group is chosen by the group cursor, an SM of it by the group's own: one at a time.
    const auto& groups = a_.groups();
    if (b_.groups() != groups) return false;
    Cursors start{std::vector<int>(groups.size(), -1)};
    for (start.group = static_cast<int>(groups.size()) - 1; start.group >= 0; --start.group) {
      if (!same_from(start, 0, -1)) return false;
    }
    const auto largest = std::ranges::max(groups, {}, &std::vector<int>::size).size();
    for (std::size_t member = 0; member < largest; ++member) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        start.sm[g] = groups[g][std::min(member, groups[g].size() - 1)];
      }
      if (!same_from(start, 0, -1)) return false;
    }
    return true;
  }

  bool cursors_move() const { return cursors_move_; }
  const ChoiceAsks& asked() const { return sms_.asked; }

 private:
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
  alone.same_from({}, 0, -1);
  return alone.asked();
}

std::optional<std::string> choice_differs(const Device& device, const Hypothesis& a,
                                          const Hypothesis& b) {
  Lockstep both(device, a, b);
  if (!both.same()) return "they ask different questions of the SMs";
  if (both.cursors_move() && a.get<CursorReset>() != b.get<CursorReset>()) {
    return "their cursors return to the start at different times";
  }
  const auto turns = [](const Hypothesis& h) {
    return h.get<Hierarchy>() != Hierarchy::flat && h.get<GroupTurn>() == GroupTurn::each_sm_once;
  };
  // Within a turn the question is about some of the group's SMs: the same one, if the groups are.
  if (turns(a) != turns(b) ||
      (turns(a) && groups_of(device, a.get<Hierarchy>()) != groups_of(device, b.get<Hierarchy>()))) {
    return "their groups take turns differently";
  }
  return std::nullopt;
}

bool choice_stays(const Device& device, const Hypothesis& h) {
  if (h.get<Hierarchy>() != Hierarchy::flat) return false;
  // What is least must stay least: a key that a block of its own lets grow no further.
  const Selection::Value selection = h.get<Selection>();
  const bool keys_shrink =
      selection == Selection::most_warps || selection == Selection::most_used;
  UnknownSms sms(device.sms);
  Chooser chooser(device, h, sms);
  const auto ahead_of = [&](const Cursors& cursors, int sm) -> std::optional<std::vector<int>> {
    chooser.choose(cursors, 0, -1, {sm});
    const auto& asked = chooser.interview().asked();
    if (asked.empty()) return std::vector<int>{};
    std::vector<int> ahead;
    for (const Question::Option& option : asked.front().options) {
      if (option.id < 0) return std::nullopt;
      if (!keys_shrink && !z3::eq(option.key, TermInt(0).term())) return std::nullopt;
      if (option.id == sm) break;
      ahead.push_back(option.id);
    }
    std::ranges::sort(ahead);
    return ahead;
  };
  for (int cursor = -1; cursor < device.sms; ++cursor) {
    for (int sm = 0; sm < device.sms; ++sm) {
      const auto before = ahead_of({{cursor}, -1}, sm);
      const auto after = ahead_of(chooser.cursors(), sm);
      if (!before || !after || !std::ranges::includes(*before, *after)) return false;
    }
    if (!Selection::has_cursor(selection)) break;
  }
  return true;
}

}  // namespace cuvier
