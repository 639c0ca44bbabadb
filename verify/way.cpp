#include "verify/way.h"

namespace cuvier::verify {

/// The answer, up to `most`.
int Way::one(Answers& answers, Part part, int most) {
  const auto [least, largest] = answers.range(cells_[part]);
  if (least != largest && least < most) {
    split(part, [&](int each) { return std::min(most, answers.by_combination[each]); });
  }
  return std::min(least, most);
}

/// The smaller of what both halves of an SM answer, up to `most`: where one of them is the smaller
/// whatever the other is, that is not asked. Most SMs are like one that was asked before.
int Way::smaller(const Asked& asked) {
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

}  // namespace cuvier::verify
