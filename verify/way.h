#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "verify/recording.h"
#include "verify/tables.h"

namespace cuvier::verify {

/// Thrown where combinations of a part answer a question differently: each set goes its own way.
struct Split {
  int part;
  std::vector<const Set*> sets;
};

/// Thrown where something may happen or not: both are tried.
struct Either {};

/// One way through a dispatch: hypotheses of which all that was asked so far has the same answer.
class Way {
 public:
  /// What is passed must outlive it.
  Way(Tables& tables, const Sms& sms, const Recording& recording, const Cells& cells,
      const std::vector<bool>& happened)
      : tables_(tables), sms_(sms), recording_(recording), cells_(cells), happened_(happened) {}

  const Cells& cells() const { return cells_; }
  /// Of axes that are followed by themselves.
  bool is(Named value) { return decided(value.axis).is(value); }
  const Formula* rule(Axis axis) { return decided(axis.number).rule(axis); }
  const Value* value(Axis axis) { return decided(axis.number)[axis.number]; }

  /// What all mechanisms say now that go by this axis, and others of its part.
  template <class Read>
  auto says(Axis axis, const Read& read) {
    const int part = part_of(axis.number);
    const auto answer = [&](int each) { return read(tables_.combinations[part][each]); };
    const auto first = answer(cells_[part]->front());
    for (const int each : *cells_[part]) {
      if (answer(each) != first) split(part, answer);
    }
    return first;
  }

  // Of an SM, about a further block of a kernel.
  bool fits(int sm, int k, const ConfiguredBy& by);
  /// Section 6; `most`: by the free block slots.
  int room(int sm, int k, const ConfiguredBy& by, int most);
  /// How many fit one after another, by the free block slots at most.
  int several(int sm, int k, const ConfiguredBy& by, int most);
  /// Held and requested together, or held alone.
  int registers(int sm, int k, Question held = Question::usage);
  int shared_bytes(int sm, int k, Question held = Question::usage);

  // What a drift leaves open, and nobody controls.
  /// Whether a pick of the kernel joins those in flight, now.
  bool joins(int kernel);
  /// Whether it is a pair by an older count.
  bool counts_late();

 private:
  const Mechanism& decided(int axis) {
    const int part = part_of(axis);
    if (cells_[part]->size() > 1) split(part, [](int each) { return each; });
    return tables_.combinations[part][cells_[part]->front()];
  }
  [[noreturn]] void split(int part, const auto& answer) {
    std::map<decltype(answer(0)), Set> by_answer;
    for (const int each : *cells_[part]) by_answer[answer(each)].push_back(each);
    Split split{part, {}};
    for (auto& [answer, set] : by_answer) split.sets.push_back(tables_.sets.get(std::move(set)));
    throw split;
  }
  Answers& warps(Question question, int sm, int k, int most = 0) {
    return tables_.warps.ask(question, sms_.warps[sm], k, {}, most);
  }
  Answers& shared(Question question, int sm, int k, const ConfiguredBy& by, int most = 0) {
    return tables_.shared.ask(question, sms_.shared[sm], k, by, most);
  }
  int one(Answers& answers, Part part, int cap);
  int least(Answers& of_warps, Answers& of_shared, int cap);

  Tables& tables_;
  const Sms& sms_;
  const Recording& recording_;
  const Cells& cells_;
  const std::vector<bool>& happened_;
  std::size_t asked_ = 0;
};

}  // namespace cuvier::verify
