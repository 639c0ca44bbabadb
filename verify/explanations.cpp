#include "verify/explanations.h"

#include <algorithm>

namespace cuvier::verify {
namespace {

/// Recordings by themselves that know most about single blocks come first: what they exclude need
/// not be followed through the others. (What an inference asked in a session told most at first.)
std::vector<const Recording*> telling_first(std::vector<const Recording*> recordings) {
  const auto blocks = [](const Recording* recording) {
    std::size_t blocks = 0;
    for (const auto& step : recording->known) {
      for (const Known& known : step) blocks += known.sms ? known.sms->size() : 0;
    }
    return blocks;
  };
  if (std::ranges::all_of(recordings, &Recording::fresh)) {
    std::ranges::stable_sort(recordings, std::ranges::greater{}, blocks);
  }
  return recordings;
}

}  // namespace

Explanations::Explanations(const Left& all, const std::vector<const Recording*>& recordings,
                           int most_left_out)
    : recordings_(telling_first(recordings)) {
  for (left_out_ = 0;; ++left_out_) {
    follow(all, 0, {});
    if (!nothing() || left_out_ == most_left_out) return;
  }
}

void Explanations::follow(Left left, std::size_t from, const std::set<const Recording*>& left_out) {
  const bool are_all = static_cast<int>(left_out.size()) == left_out_;
  for (std::size_t at = from; at < recordings_.size() && !left.nothing(); ++at) {
    if (!are_all) {
      std::set<const Recording*> more = left_out;
      more.insert(recordings_[at]);
      follow(left, at + 1, more);
    }
    left.explain(*recordings_[at]);
  }
  if (!are_all || left.nothing()) return;
  std::ranges::copy(left.boxes(), std::back_inserter(boxes_));
  ways_.push_back({left_out, std::move(left)});
}

double Explanations::hypotheses() const {
  double all = 0;
  for (const Box& box : boxes_) {
    double product = 1;
    for (const Set* set : box.cells) product *= static_cast<double>(set->size());
    all += product;
  }
  return all;
}

std::vector<const Value*> Explanations::surviving(const Space& space, int axis) const {
  const int part = part_of(axis);
  std::set<const Value*> left;
  for (const auto& [combinations, cells] : boxes_) {
    for (const int each : *cells[part]) left.insert((*combinations)[part][each][axis]);
  }
  std::vector<const Value*> values = space.values(axis);
  std::erase_if(values, [&](const Value* value) { return !left.contains(value); });
  return values;
}

Mechanism Explanations::member(std::mt19937_64& random) const {
  const Box& box = boxes_[random() % boxes_.size()];
  Mechanism member;
  for (int part = 0; part < parts; ++part) {
    const Set& set = *box.cells[part];
    const int chosen = set[random() % set.size()];
    for (const int axis : axes_of(part)) {
      member[axis] = (*box.combinations)[part][chosen][axis];
    }
  }
  return member;
}

}  // namespace cuvier::verify
