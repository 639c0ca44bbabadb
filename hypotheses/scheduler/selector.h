#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/fast/reused_row.h"
#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/choice_keys.h"
#include "hypotheses/scheduler/cursors.h"
#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sms.h"

namespace cuvier {

/// Which SM a block goes to (scheduler.md section 4, 3 and 4), over a reading R (reading.h).
/// What it asks of the SMs is all that it knows of them: S is Sms<R>, or stands in for it.
template <class R, class S = Sms<R>>
class Selector {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;
  using Options = typename R::Options;
  using Option = cuvier::Option<Int, Bool>;

  Selector(R& reading, const Device& device, S& sms)
      : reading_(reading),
        axes_(reading),
        device_(device),
        sms_(&sms),
        keys_(reading, device, sms) {
    static_assert(ChoiceReading<R, Options> && ChoiceReading<R, std::vector<Option>>);
  }
  /// A copy that asks these SMs.
  Selector(const Selector& other, S& sms) : Selector(other) { keys_.ask(*(sms_ = &sms)); }

  void begin() {
    now_.turn = {};
    boards_.clear();
  }

  /// The SM for the block; none where it must wait. `mate`: where the block went that it makes a
  /// pair with, if that came before it. No more is known here of which block it is, or which
  /// kernel's: proofs rest on that. `chosen` hears of the SM before cursors move.
  std::optional<int> select(const NextBlock& block, std::optional<int> mate, auto&& chosen) {
    const PlacingKernel k = block.kernel;
    Board& board = board_of(k);
    asking_ = block;
    update_eligible(board);
    if (!reading_.any(board.sms)) return std::nullopt;
    if (mate && axes_.template resolve<Selection>() == Selection::paired &&
        reading_.decide(board.sms[*mate].eligible)) {
      if (now_.turn.kernel != k) end_turn();
      chosen(*mate);
      return mate;
    }
    const Hierarchy::Value hierarchy = axes_.template resolve<Hierarchy>();
    if (!std::exchange(board.ranked, true)) board.sms.set_rank(reading_.sm_ranks());
    if (hierarchy == Hierarchy::flat) {
      update_keys(board);
      return move_cursors_to(choose(board, board.sms, 0, 1), 0, 1, chosen);
    }
    const Grouping& grouping = keys_.grouping_by(hierarchy);
    const bool goes_on = now_.turn.kernel == k && now_.turn.group >= 0 &&
                         in_turn(board, grouping.members[now_.turn.group]);
    if (!goes_on) now_.turn.begin(k, select_group(board, grouping));
    return move_cursors_to(select_in_turn(board, grouping, now_.turn.group), now_.turn.group,
                           static_cast<int>(grouping.members.size()), chosen);
  }

  /// What a choice for that block would compare of an SM.
  Int key_of_choice(const NextBlock& block, int sm) {
    asking_ = block;
    const Grouping& grouping = keys_.grouping_by(axes_.template resolve<Hierarchy>());
    return key_of(sm, axes_.template resolve<Selection>(), board_of(block.kernel),
                  grouping.of_sm[sm], static_cast<int>(grouping.members.size()));
  }

  bool has_learned_order() { return axes_.template is<TieBreak>(TieBreak::learned); }

  /// Moves the cursors as if these blocks (InitialObservation::latest) had been chosen to go where
  /// they went. The last one on each SM suffices: a group's cursor is where the latest of its SMs
  /// is.
  void adopt(const auto& blocks) {
    const auto selection = axes_.template resolve<Selection>();
    const bool sm_cursor = has_cursor(selection);
    const bool remembers = formula_reads<Selection>(selection, "since");
    const Groups& groups = keys_.grouping_by(axes_.template resolve<Hierarchy>()).members;
    const bool group_cursor =
        groups.size() > 1 && has_cursor(axes_.template resolve<GroupSelection>());
    if (!sm_cursor && !group_cursor && !remembers) return;
    // The others reset them before anybody looks.
    const auto may_survive = [&] {
      return CursorReset::may_survive(axes_.template resolve<CursorReset>());
    };
    if (!reading_.outcome_of(may_survive)) return;
    for (const auto& block : blocks) {
      const auto group = std::ranges::find_if(groups, [&](const std::vector<int>& members) {
        return std::ranges::find(members, block.sm) != members.end();
      });
      const int index = static_cast<int>(group - groups.begin());
      if (sm_cursor) sm_cursor_of(index, static_cast<int>(groups.size())) = block.sm;
      if (group_cursor) now_.cursors.group = index;
      if (remembers) now_.cursors.choose(block.sm, device_.sms);
    }
  }

  /// Others' blocks were placed: a group's turn is over.
  void end_turn() { now_.turn = {}; }

  /// Whether blocks go to GPCs by a cursor.
  bool takes_gpcs_in_turn() {
    const auto hierarchy = axes_.template resolve<Hierarchy>();
    return hierarchy != Hierarchy::flat &&
           keys_.grouping_by(hierarchy).members == keys_.grouping_by(Hierarchy::gpc).members &&
           has_cursor(axes_.template resolve<GroupSelection>());
  }
  /// Then they go on behind that of this SM.
  void go_on_behind(int sm) { now_.cursors.group = keys_.grouping_by(Hierarchy::gpc).of_sm[sm]; }

  const Cursors& cursors() const { return now_.cursors; }
  void set_cursors(Cursors cursors) { now_.cursors = std::move(cursors); }

  /// Whether the choice goes on here as there, whatever the hypothesis.
  bool goes_on_as(const Selector& other) const { return now_ == other.now_; }
  /// Forgets what it made of the values of axes: others may be read from here on.
  void read_anew() { boards_.clear(); }

  void placed(int sm, int warps) {
    if (any_reads<Selection>("received") &&
        formula_reads<Selection>(axes_.template resolve<Selection>(), "received")) {
      now_.cursors.receive(sm, warps, device_.sms);
    }
  }
  void release_begins() { now_.cursors.release_begins(); }
  void leave(int sm) {
    if (any_reads<Selection>("freed") &&
        formula_reads<Selection>(axes_.template resolve<Selection>(), "freed")) {
      now_.cursors.leave(sm, device_.sms);
    }
  }
  void device_idle() {
    if (!now_.cursors.at_start() && axes_.template is<CursorReset>(CursorReset::device_idle)) {
      now_.cursors = {};
    }
  }
  void reset_cursors(const CursorReset::Before& before) {
    if (now_.cursors.at_start()) return;
    const auto returns_by = [&](CursorReset::Value value) {
      return CursorReset::returns(value, before) && axes_.template is<CursorReset>(value);
    };
    const bool any = may_be_formula<CursorReset>();  // reading the value takes more branches
    if (any ? CursorReset::returns(axes_.template resolve<CursorReset>(), before)
            : returns_by(CursorReset::kernel) || returns_by(CursorReset::device_idle)) {
      now_.cursors = {};
    }
  }

 private:
  Selector(const Selector&) = default;

  using Groups = std::vector<std::vector<int>>;
  static constexpr std::size_t kMostBoards = 64;

  /// What a kernel finds on all SMs. One block changes one SM, as a rule, and only what changed
  /// is asked again.
  struct Board {
    Board(PlacingKernel k, int count) : kernel(k), sms(count) {}

    /// From now on it is this one's, who has seen nothing yet.
    void begin(PlacingKernel k) {
      kernel = k;
      ranked = false;
      eligible_at = keys_at = groups_at = ChangeLog::kNever;
    }

    PlacingKernel kernel;  ///< or one like it
    Options sms;
    bool ranked = false;
    std::optional<Options> groups;
    std::vector<Bool> all_eligible;  ///< by group
    // How far in S::changes() they are.
    std::int64_t eligible_at = ChangeLog::kNever;
    std::int64_t keys_at = ChangeLog::kNever;
    std::int64_t groups_at = ChangeLog::kNever;
  };

  Board& board_of(PlacingKernel k) {
    const auto found =
        std::ranges::find_if(boards_, [&](const Board& board) { return board.kernel.is_like(k); });
    if (found != boards_.end()) return *found;
    if (boards_.size() == kMostBoards) boards_.clear();
    Board& board = boards_.add(k, device_.sms);
    board.begin(k);
    return board;
  }

  void update_eligible(Board& board) {
    // Where keys were compared once they will be again: both are asked for at once.
    const bool keys_too = board.keys_at != ChangeLog::kNever;
    const auto policy = keys_too ? axes_.template resolve<Selection>() : Selection::Value{};
    sms_->changes().catch_up(board.eligible_at, [&](int sm) {
      board.sms.set_eligible(sm, sms_->fits(sm, board.kernel));
      if (keys_too) board.sms.set_key(sm, key_of(sm, policy, board, 0, 1));
    });
    if (keys_too) board.keys_at = board.eligible_at;
  }

  void update_keys(Board& board) {
    const auto policy = axes_.template resolve<Selection>();
    const auto set_key = [&](int sm) { board.sms.set_key(sm, key_of(sm, policy, board, 0, 1)); };
    if (reads_fleeting<Selection>(policy)) {
      for (int sm = 0; sm < device_.sms; ++sm) {
        if constexpr (std::same_as<Bool, bool>)
          if (!board.sms[sm].eligible) continue;
        set_key(sm);
      }
    } else {
      sms_->changes().catch_up(board.keys_at, set_key);
    }
  }

  /// All that the next choice rests on, beside the SMs.
  struct Now {
    Cursors cursors;
    TurnOfGroup turn;
    bool operator==(const Now&) const = default;
  };

  /// Whether the group in turn has an eligible SM that had no block in it yet.
  bool in_turn(const Board& board, const std::vector<int>& group) {
    const auto used = [&](int sm) { return now_.turn.has_used(sm); };
    if (std::ranges::all_of(group, used) ||
        axes_.template resolve<GroupTurn>() != GroupTurn::each_sm_once) {
      return false;
    }
    members_.clear();
    for (const int sm : group) {
      if (!used(sm)) members_.push_back(board.sms[sm]);
    }
    return reading_.any(members_);
  }

  std::optional<int> select_in_turn(const Board& board, const Grouping& grouping, int group) {
    const auto policy = axes_.template resolve<Selection>();
    const int group_count = static_cast<int>(grouping.members.size());
    members_.clear();
    for (const int sm : grouping.members[group]) {
      if (now_.turn.has_used(sm)) continue;
      members_.push_back(board.sms[sm]);
      members_.back().key = key_of(sm, policy, board, group, group_count);
    }
    const auto sm = choose(board, members_, group, group_count);
    if (sm) now_.turn.used.push_back(*sm);
    return sm;
  }

  int select_group(Board& board, const Grouping& grouping) {
    const int count = static_cast<int>(grouping.members.size());
    if (count == 1) return 0;
    const auto policy = axes_.template resolve<GroupSelection>();
    const bool sticky = axes_.template resolve<Selection>() == Selection::sticky_round_robin;
    if (board.groups_at == ChangeLog::kNever) {
      if (!board.groups || board.groups->size() != count) board.groups.emplace(count);
      board.groups->set_rank(reading_.group_ranks(grouping.members));
      board.all_eligible.resize(count);
    }
    update_groups(board, grouping, policy, sticky);
    const auto allowed = [&](int g) {
      // Where its cursor sticks, the block may wait in a group where it was not seen to go.
      return (sticky && !reading_.certain(board.all_eligible[g])) ||
             std::ranges::any_of(grouping.members[g],
                                 [&](int sm) { return reading_.may_place(sm); });
    };
    const bool walks = policy == GroupSelection::round_robin;
    const Entry entry = entry_at(*board.groups, walks ? now_.cursors.group : -1, 1);
    const int chosen = reading_.pick(*board.groups, device_.sms, entry, allowed);
    if (has_cursor(policy)) now_.cursors.group = chosen;
    return chosen;
  }

  void update_groups(Board& board, const Grouping& grouping, GroupSelection::Value policy,
                     bool sticky) {
    changed_.clear();
    sms_->changes().catch_up(board.groups_at,
                             [&](int sm) { changed_.push_back(grouping.of_sm[sm]); });
    std::ranges::sort(changed_);
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    if (reads_fleeting<GroupSelection>(policy)) {
      changed_.resize(grouping.members.size());
      std::iota(changed_.begin(), changed_.end(), 0);
    }
    const auto reads = [&](NameOf<GroupSelection> name) { return formula_reads(policy, name); };
    const bool sums_room = policy == GroupSelection::most_room || reads("room");
    const bool compares_room = reads("least");
    const bool counts = reads("eligible");
    const bool counts_turns = reads("turn");
    const Int one = reading_.constant(1);
    for (const int g : changed_) {
      const std::vector<int>& members = grouping.members[g];
      Bool any = board.sms[members[0]].eligible;
      Bool all = any;
      Int room_key = keys_.zero();
      Int eligible_sms = keys_.zero();
      Int least_key = reading_.constant(-kMostOfAnSm);
      for (const int sm : members) {
        const Bool& eligible = board.sms[sm].eligible;
        any = reading_.apply(Either{}, any, eligible);
        if (sticky) all = reading_.apply(Both{}, all, eligible);
        if (sums_room) {
          room_key = reading_.apply(AddIf{}, room_key, eligible, sms_->room_key(sm, board.kernel));
        }
        if (compares_room) {
          least_key =
              reading_.apply(GreaterIf{}, least_key, eligible, sms_->room_key(sm, board.kernel));
        }
        if (counts) eligible_sms = reading_.apply(AddIf{}, eligible_sms, eligible, one);
      }
      board.groups->set_eligible(g, any);
      board.all_eligible[g] = all;
      const int turn = counts_turns ? keys_.turn_of_group(g, *board.groups, now_.cursors.group) : 0;
      board.groups->set_key(
          g, keys_.of_group(members, policy, room_key, eligible_sms, turn, least_key));
    }
  }

  /// What the selection compares of an SM, of a group of the hierarchy in force.
  Int key_of(int sm, Selection::Value policy, const Board& board, int group, int group_count) {
    const auto cursor = [&] { return sm_cursor_of(group, group_count); };
    const auto seen_by_choice = [&] {
      Seen<Selection, int> seen = now_.cursors.seen(sm, device_.sms);
      seen["placed"] = asking_.placed;
      seen["joined"] = asking_.joined;
      seen["previous"] = asking_.latest_sm < 0 ? sm : asking_.latest_sm;
      seen["home"] = asking_.first_sm < 0 ? sm : asking_.first_sm;
      return seen;
    };
    return keys_.of_sm(policy, asking_.kernel, sm, seen_by_choice, board.sms, group, cursor);
  }

  /// Chooses among these SMs by the selection; `group` says whose cursor goes with them.
  template <class Members>
  std::optional<int> choose(const Board& board, const Members& members, int group,
                            int group_count) {
    const auto policy = axes_.template resolve<Selection>();
    const Entry entry = entry_of(policy, board, group, group_count);
    if (policy != Selection::sticky_round_robin) {
      return reading_.pick(members, 0, entry, [&](int sm) { return reading_.may_place(sm); });
    }
    const Option& at_cursor = reading_.at_cursor(members, entry);
    return reading_.decide(at_cursor.eligible) ? std::optional(at_cursor.id) : std::nullopt;
  }

  /// Of that group, once `chosen` has heard of it.
  std::optional<int> move_cursors_to(std::optional<int> sm, int group, int group_count,
                                     auto& chosen) {
    if (!sm) return sm;
    chosen(*sm);
    const auto policy = axes_.template resolve<Selection>();
    if (has_cursor(policy)) sm_cursor_of(group, group_count) = *sm;
    if (formula_reads<Selection>(policy, "since")) now_.cursors.choose(*sm, device_.sms);
    if (formula_reads<Selection>(policy, "picks")) ++now_.cursors.picks;
    return sm;
  }

  /// From where on the selection goes through SMs of equal keys.
  Entry entry_of(Selection::Value policy, const Board& board, int group, int group_count) {
    const int cursor = Selection::walks(policy) ? sm_cursor_of(group, group_count) : -1;
    return entry_at(board.sms, cursor, policy == Selection::next_fit ? 0 : 1);
  }

  static Entry entry_at(const Options& options, int cursor, int skip) {
    return {cursor, cursor < 0 ? 0 : options[cursor].rank, skip};
  }

  int& sm_cursor_of(int group, int group_count) {
    if (static_cast<int>(now_.cursors.sm.size()) != group_count)
      now_.cursors.sm.assign(group_count, -1);
    return now_.cursors.sm[group];
  }

  R& reading_;
  const AxisReader<R, Part::choice> axes_;
  const Device& device_;
  S* sms_;
  ChoiceKeys<R, S> keys_;
  Now now_;
  NextBlock asking_{{0, 0}};  ///< for which an SM is chosen
  ReusedRow<Board> boards_;
  // Kept for their memory:
  std::vector<Option> members_;  ///< of a group, those looked at
  std::vector<int> changed_;     ///< groups
};

}  // namespace cuvier
