#pragma once

#include <bitset>
#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

namespace cuvier {

/// What is known of an order of the SMs that is fixed but unknown (TieBreak::learned): each
/// tie observed puts the chosen SM before the others, in the order or on the way round it
/// from a cursor. Beside the SMs it orders groups of SMs (by their first SM, node sms + group).
///
/// All of it is of one round, that of the SMs and of the order's start: what comes before what in
/// the order does so on the way round from the start. What is known is kept as an order of the way
/// from where the first that was learned began: cursors leave the start open, but order the rest.
class Precedences {
 public:
  static constexpr int kMostNodes = 511;

  Precedences() = default;
  explicit Precedences(int sms) : sms_(sms) {}

  /// Says which SMs each group has. Groups are the same whenever it is called.
  void set_groups(const std::vector<std::vector<int>>& groups);

  /// Records that `first` comes before `second`; false where that contradicts what is known,
  /// of which nothing is then left. Throws GaveUp (solver/cancellation/task.h) for a node beyond
  /// kMostNodes.
  bool add(int first, int second) { return add_round(kStart, first, second); }

  /// Records that `first` comes before `second` on the way round from `from`, likewise.
  bool add_round(int from, int first, int second);

  /// Whether `first` is known to come before `second`.
  bool before(int first, int second) const { return before_round(kStart, first, second); }
  /// The same on the way round from `from`.
  bool before_round(int from, int first, int second) const {
    return known(from, first) + known(first, second) + known(second, from) == 2;
  }

  /// Whether any order satisfies what is known. Throws GaveUp where that is too hard to say.
  bool possible() const;

  /// Whether all orders that do agree within each group, and among the groups of each set of
  /// `rivals`: then nothing that a choice of groups and their SMs rests on is left open, if only
  /// rivals are compared by their order.
  bool settle(const std::vector<std::vector<int>>& groups,
              const std::vector<std::vector<int>>& rivals) const;

  /// Whether this order does.
  bool allows(const std::vector<int>& order) const;

  /// An order of all the SMs that does; where what is known leaves a choice, the earlier in
  /// `preferred` goes first. There must be one.
  std::vector<int> order(const std::vector<int>& preferred) const;

  bool operator==(const Precedences&) const = default;
  std::size_t hash() const;

 private:
  static constexpr int kStart = -1;  ///< the node just before the first SM

  /// On the way round from `from`, `first` comes before `second`: of three relations (from
  /// before first, first before second, second before from) just one does not hold, wherever the
  /// round is cut open.
  struct Round {
    int from, first, second;
    auto operator<=>(const Round&) const = default;
  };

  /// Whether `first` is known to come before `second` on the way from where the round is cut open.
  bool known(int first, int second) const {
    if (first == cut_) return second != cut_;
    return index(first) < static_cast<int>(after_.size()) && after_[index(first)][index(second)];
  }
  static int index(int node) { return node - kStart; }

  bool close(int first, int second);
  /// Where one of its relations is known not to hold, adds the others: false where that contradicts
  /// what is known; none where nothing is known of any.
  std::optional<bool> settle_round(const Round& round);
  bool settle_rounds();
  /// With every round settled, as `place` (by index) of each node prefers; none if that is
  /// impossible.
  std::optional<Precedences> settled(const std::vector<int>& place, int& tries) const;
  /// The same, with the start where `preferred` has it rather than elsewhere.
  Precedences settled_from(const std::vector<int>& preferred) const;
  std::vector<int> places_in(const std::vector<int>& order) const;
  int nodes() const { return 1 + sms_ + static_cast<int>(groups_.size()); }

  int sms_ = 0;
  std::vector<std::vector<int>> groups_;
  int cut_ = kStart;  ///< where the round is cut open: the first of all
  std::vector<std::bitset<1 + kMostNodes>> after_;  ///< by index: all that is known to follow it
  std::vector<Round> open_;  ///< sorted; none of their three relations is known not to hold
};

}  // namespace cuvier
