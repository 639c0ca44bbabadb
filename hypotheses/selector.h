#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/reading.h"
#include "hypotheses/sms.h"

namespace cuvier {

/// Where the round-robin selections are: the SM or group last chosen; -1: at the start.
struct Cursors {
  std::vector<int> sm;  ///< by group of the hierarchy in force; one if flat
  int group = -1;

  bool at_start() const {
    return group < 0 && std::ranges::all_of(sm, [](int cursor) { return cursor < 0; });
  }
  bool operator==(const Cursors&) const = default;
};

/// Which SM a block goes to (scheduler.md section 4, 3 and 4), over a reading R (reading.h).
/// What it asks of the SMs is all that it knows of them: S is Sms<R>, or stands in for it.
template <class R, class S = Sms<R>>
class Selector {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;

  struct Candidate {
    int id;  ///< an SM, or a group
    Bool eligible;
    Int key;       ///< least first
    int rank;      ///< least first among equal keys
    bool allowed;  ///< by what was observed
  };

  Selector(R& reading, const Device& device, S& sms)
      : reading_(reading), axes_(reading), device_(device), sms_(sms), zero_(reading.constant(0)) {
    static_assert(ChoiceReading<R, std::vector<Candidate>>);
  }

  void begin() {
    turn_ = {};
    boards_.clear();
  }

  /// The SM for the kernel's next block; none where it must wait. `mate`: where the block went
  /// that it makes a pair with, if that came before it. No more is known here of which block it
  /// is, or which kernel's: proofs rest on that.
  std::optional<int> select(Asker k, std::optional<int> mate) {
    Board& board = board_of(k);
    update_eligible(board, k);
    std::vector<Candidate>& all = board.sms;
    if (!reading_.any(all)) return std::nullopt;
    if (mate && axes_.template resolve<Selection>() == Selection::paired &&
        reading_.decide(all[*mate].eligible)) {
      return mate;
    }
    const Hierarchy::Value hierarchy = axes_.template resolve<Hierarchy>();
    if (hierarchy == Hierarchy::flat) {
      update_keys(board, k);
      return choose(all, 0, 1);
    }
    const auto& groups = groups_in(hierarchy);
    if (turn_.kernel != k) turn_ = {k, -1, {}};
    if (turn_.group >= 0 && in_turn(all, groups[turn_.group])) {
      return select_in_turn(all, k, groups, turn_.group);
    }
    const int group = select_group(all, k, groups);
    turn_ = {k, group, {}};
    return select_in_turn(all, k, groups, group);
  }

  /// Moves the cursors as if these blocks had been chosen to go where they went. The last one on
  /// each SM suffices: a group's cursor is where the latest of its SMs is.
  void adopt(const std::vector<Opening::Latest>& blocks) {
    const bool sm_cursor = Selection::has_cursor(axes_.template resolve<Selection>());
    const Groups& groups = groups_in(axes_.template resolve<Hierarchy>());
    const bool group_cursor = groups.size() > 1 && axes_.template resolve<GroupSelection>() ==
                                                       GroupSelection::round_robin;
    if (!sm_cursor && !group_cursor) return;
    // The others reset them before anybody looks.
    if (!axes_.template is<CursorReset>(CursorReset::never)) return;
    for (const Opening::Latest& block : blocks) {
      const auto group = std::ranges::find_if(groups, [&](const std::vector<int>& members) {
        return std::ranges::find(members, block.sm) != members.end();
      });
      const int index = static_cast<int>(group - groups.begin());
      if (sm_cursor) sm_cursor_of(index, static_cast<int>(groups.size())) = block.sm;
      if (group_cursor) cursors_.group = index;
    }
  }

  const Cursors& cursors() const { return cursors_; }
  void set_cursors(Cursors cursors) { cursors_ = std::move(cursors); }

  /// What the event does to the cursors.
  void reset_cursors(CursorReset::Value event) {
    if (cursors_.at_start() || !axes_.template is<CursorReset>(event)) return;
    cursors_ = {};
  }

 private:
  /// What a kernel finds on all SMs. One block changes one SM, as a rule, and only what changed
  /// is asked again.
  struct Board {
    Asker kernel;
    std::vector<Candidate> sms;
    int eligible_at = -1;  ///< so many of S::changes() are seen to; -1: nothing was asked yet
    int keys_at = -1;      ///< the same of the keys
  };

  Board& board_of(Asker k) {
    const auto found = std::ranges::find(boards_, k, &Board::kernel);
    if (found != boards_.end()) return *found;
    Board& board = boards_.emplace_back(Board{k, {}});
    for (int sm = 0; sm < device_.sms; ++sm) board.sms.push_back({sm, {}, zero_, 0, true});
    return board;
  }

  /// Calls f for each SM that changed since; for all at first.
  template <class F>
  void for_changed(Board& board, int& seen, F&& f) {
    const std::vector<int>& changes = sms_.changes();
    if (seen < 0) {
      for (Candidate& c : board.sms) f(c);
    } else {
      for (std::size_t i = seen; i < changes.size(); ++i) f(board.sms[changes[i]]);
    }
    seen = static_cast<int>(changes.size());
  }

  void update_eligible(Board& board, Asker k) {
    for_changed(board, board.eligible_at, [&](Candidate& c) { c.eligible = sms_.fits(c.id, k); });
    if constexpr (R::kObserves) {
      for (Candidate& c : board.sms) c.allowed = reading_.may_place(c.id);
    }
  }

  void update_keys(Board& board, Asker k) {
    const auto policy = axes_.template resolve<Selection>();
    // A cursor that moved has changed every rank.
    if (Selection::has_cursor(policy)) board.keys_at = -1;
    const int cursor = cursor_of(policy, 0, 1);
    for_changed(board, board.keys_at, [&](Candidate& c) { fill(c, policy, k, cursor); });
  }

  /// A group's turn under GroupTurn::each_sm_once.
  struct Turn {
    std::optional<Asker> kernel;
    int group = -1;
    std::vector<int> used;
  };

  using Groups = std::vector<std::vector<int>>;

  const Groups& groups_in(Hierarchy::Value hierarchy) {
    Groups& groups = groups_[hierarchy];
    if (groups.empty()) groups = groups_of(device_, hierarchy);
    return groups;
  }

  /// Whether the group in turn has an eligible SM that had no block in it yet.
  bool in_turn(const std::vector<Candidate>& all, const std::vector<int>& group) {
    std::vector<Candidate> unused;
    for (const int sm : group) {
      if (std::ranges::find(turn_.used, sm) == turn_.used.end()) unused.push_back(all[sm]);
    }
    return !unused.empty() && axes_.template resolve<GroupTurn>() == GroupTurn::each_sm_once &&
           reading_.any(unused);
  }

  std::optional<int> select_in_turn(const std::vector<Candidate>& all, Asker k,
                                    const Groups& groups, int group) {
    const auto policy = axes_.template resolve<Selection>();
    const int count = static_cast<int>(groups.size());
    const int cursor = cursor_of(policy, group, count);
    std::vector<Candidate> members;
    for (const int sm : groups[group]) {
      if (std::ranges::find(turn_.used, sm) != turn_.used.end()) continue;
      members.push_back(all[sm]);
      fill(members.back(), policy, k, cursor);
    }
    const auto sm = choose(members, group, count);
    if (sm) turn_.used.push_back(*sm);
    return sm;
  }

  int select_group(const std::vector<Candidate>& all, Asker k, const Groups& groups) {
    if (groups.size() == 1) return 0;
    const auto policy = axes_.template resolve<GroupSelection>();
    const bool sticky = axes_.template resolve<Selection>() == Selection::sticky_round_robin;
    std::vector<int>& rank = group_ranks_[axes_.template resolve<Hierarchy>()];
    if (rank.empty()) rank = reading_.group_ranks(groups);
    const int count = static_cast<int>(groups.size());
    std::vector<Candidate> candidates;
    candidates.reserve(count);
    for (int g = 0; g < count; ++g) {
      Candidate group{g, all[groups[g][0]].eligible, zero_, rank.empty() ? 0 : rank[g], false};
      Bool all_eligible = group.eligible;
      Int room = zero_;
      for (const int sm : groups[g]) {
        group.eligible = reading_.apply(Either{}, group.eligible, all[sm].eligible);
        group.allowed = group.allowed || all[sm].allowed;
        if (sticky) all_eligible = reading_.apply(Both{}, all_eligible, all[sm].eligible);
        if (policy == GroupSelection::most_room) {
          room = reading_.apply(AddIf{}, room, all[sm].eligible, sms_.room_key(sm, k));
        }
      }
      // Where its cursor sticks, the block may wait in a group where it was not seen to go.
      if (sticky && !reading_.certain(all_eligible)) group.allowed = true;
      switch (policy) {
        case GroupSelection::most_room:
          group.key = room;
          break;
        case GroupSelection::round_robin:
          group.rank = reading_.rank_after(rank, g, cursors_.group, 1, device_.sms);
          break;
        case GroupSelection::first_fit:
          break;
        case GroupSelection::smallest_first:
          group.key = reading_.constant(static_cast<int>(groups[g].size()));
          break;
        case GroupSelection::fewest_warps:
          group.key = sms_.warps_on(groups[g]);
          break;
      }
      candidates.push_back(group);
    }
    const int chosen = reading_.pick(candidates, device_.sms);
    if (policy == GroupSelection::round_robin) cursors_.group = chosen;
    return chosen;
  }

  /// The cursor that goes with a group's SMs, if the selection has one.
  int cursor_of(Selection::Value policy, int group, int group_count) {
    return Selection::has_cursor(policy) ? sm_cursor_of(group, group_count) : -1;
  }

  /// What the selection compares of an SM.
  void fill(Candidate& c, Selection::Value policy, Asker k, int cursor) {
    const std::vector<int>& rank = reading_.sm_ranks();
    c.key = zero_;
    c.rank = rank.empty() ? 0 : rank[c.id];
    switch (policy) {
      case Selection::most_room:
      case Selection::paired:
        c.key = sms_.room_key(c.id, k);
        break;
      case Selection::round_robin:
      case Selection::sticky_round_robin:
        c.rank = reading_.rank_after(rank, c.id, cursor, 1, 0);
        break;
      case Selection::next_fit:
        c.rank = reading_.rank_after(rank, c.id, cursor, 0, 0);
        break;
      case Selection::first_fit:
        break;
      case Selection::fewest_warps:
        c.key = sms_.warps_on(c.id);
        break;
      case Selection::most_warps:
        c.key = reading_.apply(Negate{}, sms_.warps_on(c.id));
        break;
      case Selection::least_used:
        c.key = sms_.usage(c.id, k);
        break;
      case Selection::most_used:
        c.key = reading_.apply(Negate{}, sms_.usage(c.id, k));
        break;
      case Selection::fewest_blocks:
        c.key = sms_.blocks_on(c.id);
        break;
    }
  }

  /// Chooses among these SMs by the selection; `group` says whose cursor goes with them.
  std::optional<int> choose(const std::vector<Candidate>& members, int group, int group_count) {
    const auto policy = axes_.template resolve<Selection>();
    int chosen = -1;
    if (policy == Selection::sticky_round_robin) {
      const Candidate* at_cursor = reading_.at_cursor(members);
      if (!at_cursor || !reading_.decide(at_cursor->eligible)) return std::nullopt;
      chosen = at_cursor->id;
    } else {
      chosen = reading_.pick(members, 0);
    }
    if (Selection::has_cursor(policy)) sm_cursor_of(group, group_count) = chosen;
    return chosen;
  }

  int& sm_cursor_of(int group, int group_count) {
    if (static_cast<int>(cursors_.sm.size()) != group_count) cursors_.sm.assign(group_count, -1);
    return cursors_.sm[group];
  }

  R& reading_;
  const AxisReader<R, Part::choice> axes_;
  const Device& device_;
  S& sms_;
  Int zero_;
  Cursors cursors_;
  Turn turn_;
  std::array<Groups, 3> groups_;  ///< by Hierarchy value
  std::array<std::vector<int>, 3> group_ranks_;
  std::deque<Board> boards_;
};

}  // namespace cuvier
