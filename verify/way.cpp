#include "verify/way.h"

namespace cuvier::verify {
namespace {

constexpr int any = 1 << 30;

/// Whether it shows which of the kernel's blocks is where. Where it does not, picks may as well
/// join as soon as they can: the places are the same, and most is possible later.
bool are_told_apart(const Recording& recording, int k) {
  const auto are_told = [&](const auto& step) { return step[k].sms || step[k].slots; };
  const auto names_some = [&](const Action& action) {
    return std::ranges::any_of(action.releases,
                               [&](const auto& each) { return each.kernel == k && !each.all; });
  };
  return std::ranges::any_of(recording.known, are_told) ||
         std::ranges::any_of(recording.probe.script, names_some);
}

}  // namespace

/// The answer, up to `cap`.
int Way::one(Answers& answers, Part part, int cap) {
  const auto [least, most] = answers.range(cells_[part]);
  if (least != most && least < cap) {
    split(part, [&](int each) { return std::min(cap, answers.by_combination[each]); });
  }
  return std::min(least, cap);
}

/// The smaller of both answers, up to `cap`: where one of them is the smaller whatever the other
/// is, that is not asked.
int Way::least(Answers& of_warps, Answers& of_shared, int cap) {
  const int at_most = std::min({cap, of_warps.range(cells_[Part::warps]).most,
                                of_shared.range(cells_[Part::shared_memory]).most});
  const int answer = one(of_warps, Part::warps, at_most);
  return one(of_shared, Part::shared_memory, answer);
}

bool Way::fits(int sm, int k, const ConfiguredBy& by) {
  return one(warps(Question::fits, sm, k), Part::warps, 1) &&
         one(shared(Question::fits, sm, k, by), Part::shared_memory, 1);
}
int Way::room(int sm, int k, const ConfiguredBy& by, int most) {
  return least(warps(Question::room, sm, k), shared(Question::room, sm, k, by), most);
}
int Way::several(int sm, int k, const ConfiguredBy& by, int most) {
  return least(warps(Question::several, sm, k, most), shared(Question::several, sm, k, by, most),
               most);
}
int Way::registers(int sm, int k, Question held) {
  return one(warps(held, sm, k), Part::warps, any);
}
int Way::shared_bytes(int sm, int k, Question held) {
  return one(shared(held, sm, k, {}), Part::shared_memory, any);
}

bool Way::joins(int k) { return !are_told_apart(recording_, k) || counts_late(); }
bool Way::counts_late() {
  if (asked_ == happened_.size()) throw Either();
  return happened_[asked_++];
}

}  // namespace cuvier::verify
