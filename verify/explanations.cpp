#include "verify/explanations.h"

#include <algorithm>
#include <numeric>

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

Explanations::Explanations(Left all, const std::vector<const Recording*>& recordings,
                           int most_left_out)
    : recordings_(telling_first(recordings)) {
  for (left_out_ = 0;; ++left_out_) {
    follow(all, 0, {});
    followed_ = all.ways();
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
  if (are_all && !left.nothing()) ways_.push_back({left_out, std::move(left)});
}

double Explanations::hypotheses() const {
  return std::accumulate(ways_.begin(), ways_.end(), 0.0,
                         [](double sum, const Way& way) { return sum + way.left.hypotheses(); });
}

std::vector<Value> Explanations::surviving(const Space& space, int axis) const {
  std::vector<Value> values = space.values(axis);
  std::erase_if(values, [&](const Value& value) {
    return std::ranges::none_of(ways_, [&](const Way& way) {
      return std::ranges::count(way.left.surviving(axis), value) > 0;
    });
  });
  return values;
}

bool Explanations::has(const Mechanism& hypothesis) const {
  return std::ranges::any_of(ways_, [&](const Way& way) { return way.left.has(hypothesis); });
}

Mechanism Explanations::member(std::mt19937_64& random) const {
  const Left& left = ways_[random() % ways_.size()].left;
  const std::vector<Box> boxes = left.boxes();
  return left.member(boxes[random() % boxes.size()], random);
}

}  // namespace cuvier::verify
