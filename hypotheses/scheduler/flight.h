#pragma once

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/rounds.h"

namespace cuvier {

/// A kernel's picks that have blocks to give out yet. A pick takes its places on an SM at once;
/// which of the kernel's blocks come there shows as the picks in flight give out one each, in turn.
template <class Warps>
class Flight {
 public:
  /// Room for one block.
  struct Place {
    int nth = 0;    ///< of the kernel, as they were taken
    Warps warps{};  ///< what the SM's warps were then
    bool operator==(const Place&) const = default;
  };
  struct Pick {
    int sm = 0;
    Place next = {};
    std::vector<Place> further = {};  ///< behind the next
    bool is_several = false;          ///< even where no second block did fit
    int round = 0;                    ///< of the kernel's in flight (Rounds)
    bool operator==(const Pick&) const = default;
  };

  bool operator==(const Flight& other) const {
    return std::ranges::equal(in_flight(), other.in_flight()) && left_ == other.left_ &&
           is_in_rounds_ == other.is_in_rounds_ && progress_ == other.progress_ &&
           numbered_ == other.numbered_;
  }

  bool empty() const { return size() == 0; }
  int size() const { return static_cast<int>(picks_.size()) - gone_; }
  bool has(int sm) const { return places_on(sm) > 0; }

  /// How many places they have left on the SM.
  int places_on(int sm) const { return sm < std::ssize(places_) ? places_[sm] : 0; }

  /// The one whose turn it is.
  const Pick& front() const { return picks_[gone_]; }

  void join(const Pick& pick) {
    // Written where it belongs: to copy as a whole what was just written in parts makes the
    // processor wait.
    Pick& joined = picks_.emplace_back();
    joined.sm = pick.sm;
    joined.next = pick.next;
    joined.further = pick.further;
    joined.is_several = pick.is_several;
    joined.round = progress_.begun - 1;
    if (places_.size() <= static_cast<std::size_t>(pick.sm)) places_.resize(pick.sm + 1);
    places_[pick.sm] += 1 + static_cast<int>(pick.further.size());
  }

  /// Whether those in flight get their blocks in another order than this, and how far they are.
  bool is_in_rounds() const { return is_in_rounds_; }
  void set_in_rounds(bool is_in_rounds) { is_in_rounds_ = is_in_rounds; }
  Rounds::Progress& progress() { return progress_; }

  /// Each place by itself, in an order that `ordered` makes of the picks. It says of how many, the
  /// first, it is certain.
  void number(auto&& ordered) {
    std::vector<Pick> places;
    for (Pick& pick : in_flight()) {
      places.push_back({.sm = pick.sm, .next = std::move(pick.next), .round = pick.round});
      for (Place& place : pick.further) {
        places.push_back({.sm = pick.sm, .next = std::move(place), .round = pick.round});
      }
    }
    numbered_ = ordered(places, progress_);
    picks_ = std::move(places);
    gone_ = 0;
  }

  /// Whether one gives out a block before the next pick, to this SM, joins.
  bool gives_out_before(int sm) const { return is_in_rounds_ ? numbered_ > 0 : has(sm); }

  /// Takes the next place that is given out.
  std::pair<int, Place> take() {
    if (numbered_ > 0) --numbered_;
    Pick pick = std::move(picks_[gone_++]);
    if (2 * gone_ >= std::ssize(picks_)) {
      picks_.erase(picks_.begin(), in_flight().begin());
      gone_ = 0;
    }
    Place next = std::move(pick.next);
    const int sm = pick.sm;
    --places_[sm];
    if (!pick.further.empty()) {
      pick.next = std::move(pick.further.front());
      pick.further.erase(pick.further.begin());
      picks_.push_back(std::move(pick));
    } else if (pick.is_several) {
      left_.push_back(sm);
    }
    return {sm, std::move(next)};
  }

  // Whether a pick joined before the last block of another started, or behind it, nothing shows.
  // So it may have joined earlier than it did here.

  /// The next pick could join now, and does not.
  void none_joins() { left_.push_back(kNoneJoined); }

  /// Whether that was so of the pick that goes to this SM, which has one in flight at most.
  bool could_have_joined(int sm) {
    forget_through(sm);
    return forget_through(kNoneJoined);
  }

  /// How many are in flight, or were when the latest joined, if it did as early as it may have.
  int most() const { return size() + static_cast<int>(left_.size()); }

  void end() {
    left_.clear();
    progress_ = {};
  }

 private:
  static constexpr int kNoneJoined = -1;

  bool forget_through(int event) {
    const auto latest = std::ranges::find(left_.rbegin(), left_.rend(), event);
    const bool found = latest != left_.rend();
    left_.erase(left_.begin(), latest.base());
    return found;
  }

  auto in_flight() { return std::ranges::subrange(picks_.begin() + gone_, picks_.end()); }
  auto in_flight() const { return std::ranges::subrange(picks_.begin() + gone_, picks_.end()); }

  std::vector<Pick> picks_;
  int gone_ = 0;             ///< of these, the first: they are not in flight any more
  std::vector<int> places_;  ///< left in picks, by SM as far as any had some
  std::vector<int> left_;    ///< lately: the SMs of picks, and where none joined
  bool is_in_rounds_ = false;
  Rounds::Progress progress_;
  int numbered_ = 0;  ///< of those in rounds, the first that are in the order of their blocks
};

}  // namespace cuvier
