#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "solver/ending/gave_up.h"

namespace cuvier {

/// Thrown where no hypothesis on this path explains what was observed.
struct DeadEnd {};

/// How far one recording is followed before that is given up. One that tells where blocks went
/// needs less; one that does not may fork at every block.
struct Effort {
  int paths = 50'000;
  std::int64_t blocks = std::numeric_limits<std::int64_t>::max();  ///< placed on all paths
};

/// What sets of hypotheses are: Bool.
template <class V>
concept SetsOfHypotheses = requires(V& v, const typename V::Bool& set, int n) {
  { v.no() } -> std::convertible_to<typename V::Bool>;
  { v.is_no(set) } -> std::same_as<bool>;
  { v.is_yes(set) } -> std::same_as<bool>;
  { v.both(set, set) } -> std::convertible_to<typename V::Bool>;
  { v.without(set, set) } -> std::convertible_to<typename V::Bool>;
  { v.has(n, n) } -> std::convertible_to<typename V::Bool>;  // those with the value on the axis
};

/// Sets that are told of whom a path loses, each time: what was observed contradicts these.
template <class V>
concept TakesNote = requires(V& v, const typename V::Bool& set) {
  v.contradicted(set);
};

/// Runs a program once for each way in which some hypotheses take it. Where they part, one
/// branch is followed, with the set of those that take it; the others are come back to from
/// the start.
template <SetsOfHypotheses V>
class Paths {
 public:
  using Bool = typename V::Bool;

  /// Gives up beyond so much effort.
  Paths(V& values, const Effort& most) : values_(values), most_(most) {}

  /// From here on, paths are those of these hypotheses.
  void begin(const Bool& alive) {
    start_ = alive;
    to_visit_.assign(1, {});
  }

  /// Goes to the start of the next path, if there is one left.
  bool next() {
    if (to_visit_.empty()) return false;
    if (++paths_ > most_.paths) give_up(most_.paths, "ways to explain");
    decisions_ = std::move(to_visit_.back());
    to_visit_.pop_back();
    decided_ = 0;
    alive_ = start_;
    resolved_.fill(-1);
    return true;
  }

  /// One block more was placed on this path.
  void count_block() {
    if (++blocks_ > most_.blocks) give_up(most_.blocks, "blocks placed to explain");
  }

  /// The hypotheses that take this path.
  const Bool& alive() const { return alive_; }

  /// Keeps only these of them.
  void keep(const Bool& set) {
    if (values_.is_no(set)) throw DeadEnd();
    if constexpr (TakesNote<V>) values_.contradicted(values_.without(alive_, set));
    alive_ = set;
  }

  /// Follows one of the branches, each given by the hypotheses that take it.
  int follow(const std::vector<Bool>& branches) {
    std::vector<int> taken;
    for (int b = 0; b < static_cast<int>(branches.size()); ++b) {
      if (!values_.is_no(branches[b])) taken.push_back(b);
    }
    if (taken.empty()) throw DeadEnd();
    if constexpr (TakesNote<V>) {
      Bool rest = alive_;
      for (const int b : taken) rest = values_.without(rest, branches[b]);
      values_.contradicted(rest);
    }
    int choice = taken[0];
    if (taken.size() > 1) {
      if (decided_ < decisions_.size()) {
        choice = decisions_[decided_];
      } else {
        for (std::size_t i = taken.size(); i-- > 1;) {
          to_visit_.push_back(decisions_);
          to_visit_.back().push_back(taken[i]);
        }
        decisions_.push_back(choice);
      }
      ++decided_;
    }
    alive_ = branches[choice];
    return choice;
  }

  bool decide(const Bool& condition) {
    if (values_.is_yes(condition)) return true;
    return follow({values_.both(alive_, condition), values_.without(alive_, condition)}) == 0;
  }

  /// The value of the axis on this path.
  int resolve(int axis) {
    int& value = resolved_[axis];
    if (value < 0) {
      std::vector<Bool> branches;
      for (int v = 0; v < axis_size(axis); ++v) {
        branches.push_back(values_.both(alive_, values_.has(axis, v)));
      }
      value = follow(branches);
    }
    return value;
  }

  /// Whether the axis has the value on this path.
  bool is(int axis, int value) {
    return resolved_[axis] < 0 ? decide(values_.has(axis, value)) : resolved_[axis] == value;
  }

 private:
  [[noreturn]] static void give_up(std::int64_t most, const std::string& of_what) {
    throw GaveUp("more than " + std::to_string(most) + " " + of_what +
                 " one recording: it tells too little of where blocks went");
  }

  V& values_;
  Effort most_;
  Bool start_{};
  Bool alive_{};
  std::vector<std::vector<int>> to_visit_;  ///< decisions that lead to paths not yet followed
  std::vector<int> decisions_;              ///< of the path at hand, as far as they are given
  std::size_t decided_ = 0;
  int paths_ = 0;
  std::int64_t blocks_ = 0;
  std::array<int, kAxes> resolved_{};  ///< by axis; -1: not yet on this path
};

}  // namespace cuvier
