#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/choice_rules.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/placing_kernel.h"

namespace cuvier {

/// Whether a cursor goes from SM to SM.
inline bool has_cursor(Selection::Value value) {
  return Selection::walks(value) || formula_reads<Selection>(value, "turn");
}

/// Whether a cursor goes from group to group.
inline bool has_cursor(GroupSelection::Value value) {
  return value == GroupSelection::round_robin || formula_reads<GroupSelection>(value, "turn");
}

/// What a choice among SMs, or groups of them, compares (scheduler.md section 4), over a reading R;
/// S as for Selector.
template <class R, class S>
class ChoiceKeys {
 public:
  using Int = typename R::Int;

  ChoiceKeys(R& reading, const Device& device, S& sms)
      : reading_(reading),
        axes_(reading),
        device_(device),
        sms_(&sms),
        zero_(reading.constant(0)) {}
  void ask(S& sms) { sms_ = &sms; }

  const Int& zero() const { return zero_; }

  const Grouping& grouping_by(Hierarchy::Value hierarchy) {
    if (std::ssize(groupings_) <= hierarchy) groupings_.resize(hierarchy + 1);
    std::shared_ptr<const Grouping>& grouping = groupings_[hierarchy];
    if (!grouping) grouping = std::make_shared<Grouping>(grouping_of(device_, hierarchy));
    return *grouping;
  }

  /// An SM's, for a block of the kernel. `seen_by_choice`: what only the choice knows of both,
  /// asked for by formulas alone; `options`: all SMs, with their ranks; `group`: of the hierarchy
  /// in force, with its cursor.
  Int of_sm(Selection::Value policy, PlacingKernel k, int sm, const auto& seen_by_choice,
            const auto& options, int group, const auto& cursor) {
    switch (policy) {
      case Selection::most_room:
      case Selection::paired:
        return sms_->room_key(sm, k);
      case Selection::fewest_warps:
        return sms_->warps_on(sm);
      case Selection::most_warps:
        return reading_.apply(Negate{}, sms_->warps_on(sm));
      case Selection::least_used:
        return sms_->usage(sm, k);
      case Selection::most_used:
        return reading_.apply(Negate{}, sms_->usage(sm, k));
      case Selection::fewest_blocks:
        return sms_->blocks_on(sm);
      case Selection::round_robin:
      case Selection::sticky_round_robin:
      case Selection::next_fit:
      case Selection::first_fit:
        return zero_;
    }
    const Formula& formula = formula_of<Selection>(policy);
    const auto reads = [&](NameOf<Selection> name) { return formula.reads(name); };
    Seen<Selection, int> seen = seen_by_choice();
    OpenKeys<Int> open{zero_, zero_, zero_};
    if (reads("room")) open.room = reading_.apply(Negate{}, sms_->room_key(sm, k));
    if (reads("held_registers")) open.held_registers = sms_->held_registers(sm);
    if (reads("held_bytes")) open.held_bytes = sms_->held_bytes(sm);
    if (reads("turn")) seen["turn"] = turn_of(sm, options, group, cursor());
    if (reads("rank")) seen["rank"] = rank_of(sm, options);
    return sms_->key_by_formula(policy, k, seen, open);
  }

  /// A group's; the key of room is the sum over its eligible SMs, and that of the least room the
  /// greatest of any.
  Int of_group(const std::vector<int>& members, GroupSelection::Value policy, const Int& room_key,
               const Int& eligible_sms, int turn, const Int& least_key) {
    switch (policy) {
      case GroupSelection::most_room:
        return room_key;
      case GroupSelection::smallest_first:
        return reading_.constant(static_cast<int>(members.size()));
      case GroupSelection::fewest_warps:
        return sms_->warps_on(members);
      case GroupSelection::round_robin:
      case GroupSelection::first_fit:
        return zero_;
    }
    return reading_.apply(KeyOfGroup{policy, {}}, reading_.apply(Negate{}, room_key), eligible_sms,
                          sms_->warps_on(members), sms_->blocks_on(members),
                          reading_.constant(static_cast<int>(members.size())),
                          reading_.constant(turn), reading_.apply(Negate{}, least_key));
  }

  /// How many groups come between the cursor and this one.
  int turn_of_group(int group, const auto& groups, int cursor) const {
    const bool is_learned = axes_.template resolve<TieBreak>() == TieBreak::learned;
    const auto place = [&](int of) { return is_learned ? of : groups[of].rank; };
    const int count = groups.size();
    return cursor < 0 ? place(group) : (place(group) - place(cursor) - 1 + count) % count;
  }

 private:
  int rank_of(int sm, const auto& options) {
    const bool is_learned = axes_.template resolve<TieBreak>() == TieBreak::learned;
    return is_learned ? sm : options[sm].rank;
  }

  /// How many SMs of the group come between its cursor and this one.
  int turn_of(int sm, const auto& options, int group, int cursor) {
    const auto rank = [&](int other) { return rank_of(other, options); };
    const auto& groups = grouping_by(axes_.template resolve<Hierarchy>()).members;
    const std::vector<int>& members = groups[group];
    const auto place = [&](int of) {
      if (groups.size() == 1) return rank(of);
      return static_cast<int>(
          std::ranges::count_if(members, [&](int other) { return rank(other) < rank(of); }));
    };
    const int count = static_cast<int>(members.size());
    return cursor < 0 ? place(sm) : (place(sm) - place(cursor) - 1 + count) % count;
  }

  R& reading_;
  const AxisReader<R, Part::choice> axes_;
  const Device& device_;
  S* sms_;
  Int zero_;
  std::vector<std::shared_ptr<const Grouping>> groupings_;  ///< by Hierarchy value
};

}  // namespace cuvier
