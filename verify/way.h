#pragma once

#include <map>
#include <tuple>

#include "verify/tables.h"

namespace cuvier::verify {

/// Hypotheses, and whether what may happen or not does, each time that it is asked.
struct Begun {
  Cells cells;
  std::vector<bool> happened = {};
};

/// Thrown where hypotheses answer a question differently, or something may happen or not: these go
/// their own ways, each from the beginning of the dispatch.
struct Parted {
  std::vector<Begun> ways;
};

/// One way through a dispatch: hypotheses of which all that was asked so far has the same answer.
class Way {
 public:
  /// What is passed must outlive it.
  Way(Tables& tables, const Begun& begun) : tables_(tables), begun_(begun), cells_(begun.cells) {}

  Tables& tables() { return tables_; }
  const Cells& cells() const { return cells_; }
  /// Of axes that are followed by themselves.
  bool is(Named value) { return decided(value.axis).is(value); }
  const Formula* rule(Axis axis) { return decided(axis).rule(axis); }
  const Value* value(Axis axis) { return decided(axis)[axis]; }

  /// What all mechanisms say now that go by this axis, and others of its part.
  template <class Read>
  auto says(Axis axis, const Read& read) {
    const int part = part_of(axis);
    const auto answer = [&](int each) { return read(tables_.combinations[part][each]); };
    const auto first = answer(cells_[part]->front());
    for (const int each : *cells_[part]) {
      if (answer(each) != first) split(part, answer);
    }
    return first;
  }

  // Of an SM, about further blocks of a kernel.
  /// How many fit one after another, or `most`.
  int several(const Sm& sm, int k, const Domains& around, int most) {
    return smaller({Question::several, sm.file, sm.memory, k, around, most});
  }
  /// Section 6, or `most`.
  int room(const Sm& sm, int k, const Domains& around, int most) {
    return smaller({Question::room, sm.file, sm.memory, k, around, most});
  }
  /// Held and requested together; k = -1: held.
  int registers(const Sm& sm, int k) {
    return one(tables_.warps.ask(Question::usage, sm.file, k, {}), Part::warps);
  }
  int shared_bytes(const Sm& sm, int k) {
    return one(tables_.shared.ask(Question::usage, sm.memory, k, {}), Part::shared_memory);
  }

  /// Whether what a drift leaves open, and nobody controls, happens now.
  bool happens() {
    if (happened_ == begun_.happened.size()) {
      Parted parted{{begun_, begun_}};
      parted.ways[0].happened.push_back(false);
      parted.ways[1].happened.push_back(true);
      throw parted;
    }
    return begun_.happened[happened_++];
  }

 private:
  /// Asked about an SM, of a kernel, and the most that matters.
  using Asked =
      std::tuple<Question, SmTable<WarpRules>::Node, SmTable<SharedRules>::Node, int, Domains, int>;

  const Mechanism& decided(int axis) {
    const int part = part_of(axis);
    if (cells_[part]->size() > 1) split(part, [](int each) { return each; });
    return tables_.combinations[part][cells_[part]->front()];
  }
  [[noreturn]] void split(int part, const auto& answer) {
    std::map<decltype(answer(0)), Set> by_answer;
    for (const int each : *cells_[part]) by_answer[answer(each)].push_back(each);
    std::vector<const Set*> sets;
    for (auto& [answer, set] : by_answer) sets.push_back(tables_.sets.get(std::move(set)));
    part_ways(part, sets);
  }
  [[noreturn]] void part_ways(int part, const std::vector<const Set*>& sets) {
    Parted parted;
    for (const Set* set : sets) {
      parted.ways.push_back(begun_);
      parted.ways.back().cells[part] = set;
    }
    throw parted;
  }
  /// The answer, up to `most`.
  int one(Answers& answers, Part part, int most = 1 << 30) {
    const auto [least, largest] = answers.range(cells_[part]);
    if (least != largest && least < most) {
      part_ways(part, answers.alike(cells_[part], most, tables_.sets));
    }
    return std::min(least, most);
  }
  /// The smaller of what both halves of an SM answer, up to `most`: where one of them is the
  /// smaller whatever the other is, that is not asked. Most SMs are like one that was asked before.
  int smaller(const Asked& asked) {
    const auto known = std::ranges::find(answered_, asked, &std::pair<Asked, int>::first);
    if (known != answered_.end()) return known->second;
    const auto& [question, file, memory, k, around, most] = asked;
    Answers& of_file = tables_.warps.ask(question, file, k, {}, most);
    Answers& of_memory = tables_.shared.ask(question, memory, k, around, most);
    const int at_most = std::min({most, of_file.range(cells_[Part::warps]).most,
                                  of_memory.range(cells_[Part::shared_memory]).most});
    const int answer = one(of_memory, Part::shared_memory, one(of_file, Part::warps, at_most));
    answered_.emplace_back(asked, answer);
    return answer;
  }

  Tables& tables_;
  const Begun& begun_;
  const Cells& cells_;
  std::size_t happened_ = 0;
  std::vector<std::pair<Asked, int>> answered_;
};

}  // namespace cuvier::verify
