#include "verify/tables.h"

namespace cuvier::verify {

const std::vector<int>& axes_of(int part) {
  static const auto axes_of_parts = [] {
    const auto numbers = [](const auto& axes) {
      return std::vector<int>(std::begin(axes), std::end(axes));
    };
    std::vector<std::vector<int>> all = {numbers(axes_of_warps), numbers(axes_of_shared_memory),
                                         numbers(axes_of_batches)};
    for (int axis = 0; axis < axis_count; ++axis) {
      if (part_of(axis) > Part::batches) all.push_back({axis});
    }
    return all;
  }();
  return axes_of_parts.at(part);
}

Combinations combinations_of(const Space& space) {
  Combinations all;
  for (int part = 0; part < parts; ++part) {
    all[part] = {Mechanism()};
    for (const int axis : axes_of(part)) {
      std::vector<Mechanism> more;
      for (const Mechanism& each : all[part]) {
        for (const Value* value : space.values(axis)) {
          more.push_back(each);
          more.back()[axis] = value;
        }
      }
      all[part] = std::move(more);
    }
  }
  return all;
}

Answers::Range Answers::range(const Set* set) {
  const auto [at, is_new] = ranges_.try_emplace(set);
  if (is_new) {
    const auto answer = [&](int each) { return by_combination[each]; };
    const auto [least, most] = std::ranges::minmax(*set, {}, answer);
    at->second = {answer(least), answer(most)};
  }
  return at->second;
}

const std::vector<const Set*>& Answers::alike(const Set* set, int most, Lists<int>& sets) {
  std::vector<const Set*>& alike = alike_[{set, most}];
  if (!alike.empty()) return alike;
  std::map<int, Set> by_answer;
  for (const int each : *set) by_answer[std::min(most, by_combination[each])].push_back(each);
  for (auto& [answer, those] : by_answer) alike.push_back(sets.get(std::move(those)));
  return alike;
}

}  // namespace cuvier::verify
