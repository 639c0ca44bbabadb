#pragma once

#include <bitset>
#include <vector>

namespace cuvier {

/// What is known of an order of the SMs that is fixed but unknown (TieBreak::learned): each
/// tie observed puts the chosen SM before the others. Consistent exactly as long as there is
/// no cycle. Beside the SMs it orders groups of SMs (by their first SM, node sms + group).
class Precedences {
 public:
  static constexpr int kMostNodes = 512;

  Precedences() = default;
  explicit Precedences(int sms) : sms_(sms) {}

  /// Says which SMs each group has. Groups are the same whenever it is called.
  void set_groups(const std::vector<std::vector<int>>& groups);

  /// Records that `first` comes before `second`; false, and nothing recorded, where that
  /// closes a cycle. Throws GaveUp (solver/paths.h) for a node beyond kMostNodes.
  bool add(int first, int second);

  /// Whether `first` is known to come before `second`.
  bool before(int first, int second) const {
    return first < static_cast<int>(after_.size()) && after_[first][second];
  }

  /// An order of all the SMs that satisfies what is known; where that leaves a choice, the
  /// earlier in `preferred` goes first.
  std::vector<int> order(const std::vector<int>& preferred) const;

  bool operator==(const Precedences&) const = default;

 private:
  int sms_ = 0;
  std::vector<std::vector<int>> groups_;
  std::vector<std::bitset<kMostNodes>> after_;  ///< by node: all that is known to follow it
};

}  // namespace cuvier
