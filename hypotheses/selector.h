#pragma once

#include <array>
#include <optional>
#include <vector>

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
    int id;         ///< an SM, or a group
    Bool eligible;
    Int key;        ///< least first
    int rank;       ///< least first among equal keys
    bool allowed;   ///< by what was observed
  };

  Selector(R& reading, const Device& device, S& sms)
      : reading_(reading), device_(device), sms_(sms), zero_(reading.constant(0)) {
    static_assert(ChoiceReading<R, std::vector<Candidate>>);
    for (int sm = 0; sm < device.sms; ++sm) candidates_.push_back({sm, {}, zero_, 0, false});
  }

  void begin() { turn_ = {}; }

  /// The SM for the kernel's next block; none where it must wait. `previous`: the SM of the
  /// block before it, -1 for the first.
  std::optional<int> select(int k, int block, int previous) {
    std::vector<Candidate>& all = candidates_;
    for (int sm = 0; sm < device_.sms; ++sm) {
      all[sm].eligible = sms_.fits(sm, k);
      all[sm].allowed = reading_.may_place(k, block, sm);
    }
    if (!reading_.any(all)) return std::nullopt;
    if (block % 2 == 1 && reading_.template resolve<Selection>() == Selection::paired &&
        reading_.decide(all[previous].eligible)) {
      return previous;
    }
    const Hierarchy::Value hierarchy = reading_.template resolve<Hierarchy>();
    if (hierarchy == Hierarchy::flat) {
      return select_among(candidates_, k, 0, 1);
    }
    const auto& groups = groups_in(hierarchy);
    if (turn_.kernel != k) turn_ = {k, -1, {}};
    if (turn_.group >= 0 && in_turn(groups[turn_.group])) {
      return select_in_turn(k, groups, turn_.group);
    }
    const int group = select_group(k, groups);
    turn_ = {k, group, {}};
    return select_in_turn(k, groups, group);
  }

  /// Moves the cursors as if these blocks had been chosen to go where they went. The last one on
  /// each SM suffices: a group's cursor is where the latest of its SMs is.
  void adopt(const std::vector<Opening::Latest>& blocks) {
    const bool sm_cursor = Selection::has_cursor(reading_.template resolve<Selection>());
    const Groups& groups = groups_in(reading_.template resolve<Hierarchy>());
    const bool group_cursor =
        groups.size() > 1 &&
        reading_.template resolve<GroupSelection>() == GroupSelection::round_robin;
    if (!sm_cursor && !group_cursor) return;
    // The others reset them before anybody looks.
    if (!reading_.template is<CursorReset>(CursorReset::never)) return;
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
    if (cursors_.at_start() || !reading_.template is<CursorReset>(event)) return;
    cursors_ = {};
  }

 private:
  /// A group's turn under GroupTurn::each_sm_once.
  struct Turn {
    int kernel = -1;
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
  bool in_turn(const std::vector<int>& group) {
    std::vector<Candidate> unused;
    for (const int sm : group) {
      if (std::ranges::find(turn_.used, sm) == turn_.used.end()) unused.push_back(candidates_[sm]);
    }
    return !unused.empty() && reading_.template resolve<GroupTurn>() == GroupTurn::each_sm_once &&
           reading_.any(unused);
  }

  std::optional<int> select_in_turn(int k, const Groups& groups, int group) {
    std::vector<Candidate> members;
    for (const int sm : groups[group]) {
      if (std::ranges::find(turn_.used, sm) == turn_.used.end()) members.push_back(candidates_[sm]);
    }
    const auto sm = select_among(members, k, group, static_cast<int>(groups.size()));
    if (sm) turn_.used.push_back(*sm);
    return sm;
  }

  int select_group(int k, const Groups& groups) {
    if (groups.size() == 1) return 0;
    const auto policy = reading_.template resolve<GroupSelection>();
    const bool sticky =
        reading_.template resolve<Selection>() == Selection::sticky_round_robin;
    std::vector<int>& rank = group_ranks_[reading_.template resolve<Hierarchy>()];
    if (rank.empty()) rank = reading_.group_ranks(groups);
    const int count = static_cast<int>(groups.size());
    std::vector<Candidate> candidates;
    candidates.reserve(count);
    for (int g = 0; g < count; ++g) {
      Candidate group{g, candidates_[groups[g][0]].eligible, zero_, rank.empty() ? 0 : rank[g],
                      false};
      Bool all_eligible = group.eligible;
      Int room = zero_;
      for (const int sm : groups[g]) {
        group.eligible = reading_.apply(Either{}, group.eligible, candidates_[sm].eligible);
        group.allowed = group.allowed || candidates_[sm].allowed;
        if (sticky) {
          all_eligible = reading_.apply(Both{}, all_eligible, candidates_[sm].eligible);
        }
        if (policy == GroupSelection::most_room) {
          room = reading_.apply(AddIf{}, room, candidates_[sm].eligible, sms_.room_key(sm, k));
        }
      }
      // Where its cursor sticks, the block may wait in a group where it was not seen to go.
      if (sticky && !reading_.certain(all_eligible)) group.allowed = true;
      switch (policy) {
        case GroupSelection::most_room: group.key = room; break;
        case GroupSelection::round_robin:
          group.rank = reading_.rank_after(rank, g, cursors_.group, 1, device_.sms);
          break;
        case GroupSelection::first_fit: break;
        case GroupSelection::smallest_first:
          group.key = reading_.constant(static_cast<int>(groups[g].size()));
          break;
        case GroupSelection::fewest_warps: group.key = sms_.warps_on(groups[g]); break;
      }
      candidates.push_back(group);
    }
    const int chosen = reading_.pick(candidates, device_.sms);
    if (policy == GroupSelection::round_robin) cursors_.group = chosen;
    return chosen;
  }

  /// Chooses among these SMs by the selection; `group` says whose cursor goes with them.
  std::optional<int> select_among(std::vector<Candidate>& members, int k, int group,
                                  int group_count) {
    const auto policy = reading_.template resolve<Selection>();
    const bool cursor_moves = Selection::has_cursor(policy);
    const int cursor = cursor_moves ? sm_cursor_of(group, group_count) : -1;
    const std::vector<int>& rank = reading_.sm_ranks();
    for (Candidate& c : members) {
      c.key = zero_;
      c.rank = rank.empty() ? 0 : rank[c.id];
      switch (policy) {
        case Selection::most_room:
        case Selection::paired: c.key = sms_.room_key(c.id, k); break;
        case Selection::round_robin:
        case Selection::sticky_round_robin:
          c.rank = reading_.rank_after(rank, c.id, cursor, 1, 0);
          break;
        case Selection::next_fit:
          c.rank = reading_.rank_after(rank, c.id, cursor, 0, 0);
          break;
        case Selection::first_fit: break;
        case Selection::fewest_warps: c.key = sms_.warps_on(c.id); break;
        case Selection::most_warps:
          c.key = reading_.apply(Negate{}, sms_.warps_on(c.id));
          break;
        case Selection::least_used: c.key = sms_.usage(c.id, k); break;
        case Selection::most_used: c.key = reading_.apply(Negate{}, sms_.usage(c.id, k)); break;
        case Selection::fewest_blocks: c.key = sms_.blocks_on(c.id); break;
      }
    }
    int chosen = -1;
    if (policy == Selection::sticky_round_robin) {
      const Candidate* at_cursor = reading_.at_cursor(members);
      if (!at_cursor || !reading_.decide(at_cursor->eligible)) return std::nullopt;
      chosen = at_cursor->id;
    } else {
      chosen = reading_.pick(members, 0);
    }
    if (cursor_moves) sm_cursor_of(group, group_count) = chosen;
    return chosen;
  }

  int& sm_cursor_of(int group, int group_count) {
    if (static_cast<int>(cursors_.sm.size()) != group_count) cursors_.sm.assign(group_count, -1);
    return cursors_.sm[group];
  }

  R& reading_;
  const Device& device_;
  S& sms_;
  Int zero_;
  Cursors cursors_;
  Turn turn_;
  std::array<Groups, 3> groups_;       ///< by Hierarchy value
  std::array<std::vector<int>, 3> group_ranks_;
  std::vector<Candidate> candidates_;  ///< all SMs, for the block at hand
};

}  // namespace cuvier
