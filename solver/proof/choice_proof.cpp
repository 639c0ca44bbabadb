#include "solver/proof/choice_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/selector.h"
#include "hypotheses/single_reading.h"
#include "solver/proof/term.h"

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
  std::vector<int> answers;  ///< what the script chooses among

  bool operator==(const Question&) const = default;
};

/// The reading that writes down what is asked, and answers from a script.
class Interview : public SingleReading {
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
    return rule(Terms{hypothesis()}, states...);
  }
  bool certain(const Bool&) const { return true; }

  template <class Candidates>
  bool any(const Candidates&) const {
    return true;  // what both are asked first; otherwise both wait
  }
  bool decide(const Bool& condition) {
    return answer({{{-1, condition.term(), TermInt(0).term()}}, {false, true}}) == 1;
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
    for (const auto& c : candidates) question.answers.push_back(c.id);
    return candidates[answer(question)].id;
  }

 private:
  int answer(Question question) {
    asked_.push_back(std::move(question));
    if (asked_.size() <= script_->size()) {
      // A script made for another's questions may not fit: then what was asked tells.
      return std::min((*script_)[asked_.size() - 1],
                      static_cast<int>(asked_.back().answers.size()) - 1);
    }
    if (choices_ == 0) choices_ = static_cast<int>(asked_.back().answers.size());
    return 0;
  }

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

  /// Every way to answer what is asked from there.
  std::vector<std::vector<int>> scripts(const Cursors& from, int block = 0, int previous = -1) {
    std::vector<std::vector<int>> complete;
    std::vector<std::vector<int>> begun{{}};
    while (!begun.empty()) {
      const std::vector<int> script = std::move(begun.back());
      begun.pop_back();
      choose(from, block, previous, script);
      for (int i = 0; i < interview_.choices(); ++i) {
        begun.push_back(script);
        begun.back().push_back(i);
      }
      if (interview_.choices() == 0) complete.push_back(script);
    }
    return complete;
  }

  /// Where the cursors may be, the start first. A group is chosen by the group cursor, an SM of
  /// it by the group's own: one at a time.
  std::vector<Cursors> positions() const {
    const Cursors start{std::vector<int>(groups_.size(), -1)};
    std::vector<Cursors> positions{{}};
    for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
      positions.push_back(start);
      positions.back().group = group;
    }
    const auto largest = std::ranges::max(groups_, {}, &std::vector<int>::size).size();
    for (std::size_t member = 0; member < largest; ++member) {
      Cursors& cursors = positions.emplace_back(start);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        cursors.sm[g] = groups_[g][std::min(member, groups_[g].size() - 1)];
      }
    }
    return positions;
  }

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
    for (const auto& script : a_.scripts(cursors, block, previous)) {
      const auto to_a = a_.choose(cursors, block, previous, script);
      const auto to_b = b_.choose(cursors, block, previous, script);
      const Cursors at_a = a_.cursors_that_matter();
      if (a_.interview().asked() != b_.interview().asked() || to_a != to_b ||
          !(at_a == b_.cursors_that_matter())) {
        return false;
      }
      cursors_move_ = cursors_move_ || !at_a.at_start();
    }
    return true;
  }

  /// The same from wherever the cursors may be.
  bool same() {
    if (!same_from({}, 0, -1)) return false;
    for (int previous = 0; paired_ && previous < device_.sms; ++previous) {
      if (!same_from({}, 1, previous)) return false;
    }
    if (!cursors_move_) return true;
    return a_.groups() == b_.groups() &&
           std::ranges::all_of(a_.positions(),
                               [&](const Cursors& cursors) { return same_from(cursors, 0, -1); });
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
  if (turns(a) != turns(b) || (turns(a) && groups_of(device, a.get<Hierarchy>()) !=
                                               groups_of(device, b.get<Hierarchy>()))) {
    return "their groups take turns differently";
  }
  return std::nullopt;
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

bool choice_stays(const Device& device, const Hypothesis& h) {
  const bool flat = h.get<Hierarchy>() == Hierarchy::flat;
  if (!flat && h.get<GroupTurn>() == GroupTurn::each_sm_once) return false;
  // The key of an SM's choice, which a block lets only shrink. A group's may do anything.
  const Selection::Value selection = h.get<Selection>();
  const bool keys_shrink = selection == Selection::most_warps || selection == Selection::most_used;
  UnknownSms sms(device.sms);
  Chooser chooser(device, h, sms);
  bool moves = false;
  for (const Cursors& cursors : chooser.positions()) {
    for (const auto& script : chooser.scripts(cursors)) {
      const auto first = chooser.choose(cursors, 0, -1, script);
      const std::vector<Question> before = chooser.interview().asked();
      const auto next = chooser.choose(chooser.cursors(), 0, -1, script);
      const std::vector<Question>& after = chooser.interview().asked();
      if (!first || first != next || before.size() != after.size()) return false;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const bool of_sms = flat || i + 1 == before.size();
        const int chosen = before[i].answers[script[i]];
        const auto was = ahead(before[i], chosen, keys_shrink && of_sms);
        const auto is = ahead(after[i], chosen, keys_shrink && of_sms);
        if (!was || !is || !std::ranges::includes(*was, *is)) return false;
      }
      moves = moves || !chooser.cursors().at_start();
    }
    if (!moves) break;
  }
  return true;
}

}  // namespace cuvier
