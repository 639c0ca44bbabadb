#pragma once

#include <algorithm>
#include <array>
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
  return Selection::walks(value) || formula_reads<Selection>(value, Selection::turn);
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
    std::shared_ptr<const Grouping>& grouping = groupings_[hierarchy];
    if (!grouping) grouping = std::make_shared<Grouping>(grouping_of(device_, hierarchy));
    return *grouping;
  }

  /// An SM's, for the kernel's block behind `placed` others. `options`: all SMs, with their ranks;
  /// `group`: of the hierarchy in force, with this cursor.
  Int of_sm(int sm, Selection::Value policy, PlacingKernel k, int placed, const auto& options,
            int group, int cursor) {
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
    const auto reads = [&](int name) { return formula_reads<Selection>(policy, name); };
    const Int room =
        reads(Selection::room) ? reading_.apply(Negate{}, sms_->room_key(sm, k)) : zero_;
    const int turn = reads(Selection::turn) ? turn_of(sm, options, group, cursor) : 0;
    return sms_->key_by_formula(policy, sm, k, room, placed, turn);
  }

  /// A group's; the key of room is the sum over its eligible SMs.
  Int of_group(const std::vector<int>& members, GroupSelection::Value policy, const Int& room_key,
               const Int& eligible_sms) {
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
    return reading_.apply(KeyByFormula<GroupSelection>{policy}, reading_.apply(Negate{}, room_key),
                          eligible_sms, sms_->warps_on(members), sms_->blocks_on(members),
                          reading_.constant(static_cast<int>(members.size())));
  }

 private:
  /// How many SMs of the group come between its cursor and this one.
  int turn_of(int sm, const auto& options, int group, int cursor) {
    const bool is_learned = axes_.template resolve<TieBreak>() == TieBreak::learned;
    const auto rank = [&](int other) { return is_learned ? other : options[other].rank; };
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
  std::array<std::shared_ptr<const Grouping>, 3> groupings_;  ///< by Hierarchy value
};

}  // namespace cuvier
