#include "solver/minimise/size_bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/prediction.h"
#include "hypotheses/topology.h"
#include "solver/minimise/kernel_survey.h"

namespace cuvier {
namespace {

/// The axes in which they differ.
class Difference {
 public:
  Difference(const Hypothesis& a, const Hypothesis& b) : a_(a), b_(b) {
    for (int axis = 0; axis < kAxes; ++axis) {
      if (a.values[axis] != b.values[axis]) differs_[axis] = true;
    }
  }

  template <class... Axes>
  bool is_in(AxisList<Axes...> axes) const {
    const auto among = members(axes);
    for (int axis = 0; axis < kAxes; ++axis) {
      if (differs_[axis] && !among[axis]) return false;
    }
    return a_.order == b_.order;
  }

  /// Whether both have one of these values of an axis in which they differ, or do not differ.
  template <class A, class... Values>
  bool within(Values... values) const {
    const std::uint32_t allowed = one_of(values...);
    const auto has = [&](const Hypothesis& h) {
      return (allowed >> static_cast<int>(h.get<A>())) % 2 == 1;
    };
    return !differs_[index_of<A>()] || (has(a_) && has(b_));
  }

  std::string names() const {
    std::string names;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (!differs_[axis]) continue;
      names += (names.empty() ? "" : ", ") + std::string(axis_info(axis).name);
    }
    return names;
  }

 private:
  const Hypothesis& a_;
  const Hypothesis& b_;
  std::array<bool, kAxes> differs_{};
};

/// Blocks go to the SM of most room, whatever group it is in, one at a time.
bool chooses_by_room(const Hypothesis& h) {
  return h.get<Hierarchy>() == Hierarchy::flat && h.get<Selection>() == Selection::most_room &&
         h.get<DispatchBatch>() == DispatchBatch::single;
}

/// Whether ties go to the first SM of any TPC before any other.
bool firsts_come_first(const Device& device, const Hypothesis& h) {
  const bool learned = h.get<TieBreak>() == TieBreak::learned;
  const std::vector<int> rank =
      ranks_of(learned ? h.order : named_order(device, h.get<TieBreak>()));
  int last_first = -1;
  int first_other = device.sms;
  for (const auto& tpc : groups_of(device, Hierarchy::tpc)) {
    std::vector<int> ranks;
    for (const int sm : tpc) ranks.push_back(rank[sm]);
    std::ranges::sort(ranks);
    last_first = std::max(last_first, ranks[0]);
    if (ranks.size() > 1) first_other = std::min(first_other, ranks[1]);
  }
  return last_first < first_other;
}

}  // namespace

// One kernel is alone in the queue, sets the device up for its own local memory, and finds every
// carve-out as it prefers it; where the domains end matters to others only. Its warps take equal
// intervals of registers side by side, so that no free register is lost between them. And a block
// whose warps are a multiple of four takes as many of every subpartition, wherever it begins: of
// pointers that move on after such blocks only, nothing is seen.
std::optional<std::string> why_one_kernel_shows_nothing(const Hypothesis& a, const Hypothesis& b) {
  const Difference difference(a, b);
  const auto scoped = [](const Hypothesis& h) { return h.get<ConfigScope>() != ConfigScope::none; };
  if (!difference.is_in(AxisList<Queue, Priority, LocalMemory, ConfigGate, ConfigScope,
                                 RegisterLayout, PointerSkip>{}) ||
      scoped(a) != scoped(b) ||
      !difference.within<PointerSkip>(PointerSkip::none, PointerSkip::multiple_of_subpartitions)) {
    return std::nullopt;
  }
  return fmt::format("one kernel alone shows nothing of {}", difference.names());
}

// Without a release nothing lies behind a hole: registers and shared memory are taken from below,
// and what is free is one interval, however it is used or counted. No SM is idle again, nor the
// device: pointers and the setting for local memory stay as the first block found or made them.
// On pointers that move on after blocks of w = 0 mod 4 warps: if one kernel has such blocks they
// take as much of every subpartition, and whether they fit, and in what number (whole blocks),
// does not depend on the pointer. The other's blocks are the first on the SM, and then lie alike;
// or they come after, and lie alike but for a rotation, which the pointer shares. (A kernel that
// waited fits no better for another's blocks: its own went round evenly.)
std::optional<std::string> why_two_launches_show_nothing(const Hypothesis& a, const Hypothesis& b) {
  const Difference difference(a, b);
  if (!difference.is_in(AxisList<RegisterLayout, SharedPlacement, SharedRoom, PointerReset,
                                 LocalMemory, PointerSkip>{}) ||
      !difference.within<LocalMemory>(LocalMemory::grow_when_idle, LocalMemory::set_when_idle)) {
    return std::nullopt;
  }
  const bool pointers_agree = difference.is_in(
      AxisList<RegisterLayout, SharedPlacement, SharedRoom, PointerReset, LocalMemory>{});
  const bool rotates =
      a.get<WarpPlacement>() == WarpPlacement::strict_round_robin &&
      a.get<RoomWarps>() != RoomWarps::strict_warps &&
      difference.within<PointerSkip>(PointerSkip::none, PointerSkip::multiple_of_subpartitions);
  if (!pointers_agree && !rotates) return std::nullopt;
  return fmt::format("two launches without a release show nothing of {}", difference.names());
}

namespace {

// The kernel launched first must still wait when the second is there: for two to be in the queue;
// for the device to be set up for one, then for the other, and then to be asked for the first one
// again, which no kernel is that was placed as a whole. Alone, a kernel waits only where no SM
// takes a block more.
std::optional<std::string> why_one_waits(const Device& device, const Hypothesis& a,
                                         const Hypothesis& b) {
  const Difference difference(a, b);
  if (!difference.is_in(AxisList<Queue, Priority, LocalMemory>{}) ||
      !difference.within<LocalMemory>(LocalMemory::grow_when_idle, LocalMemory::set_when_idle) ||
      a.get<Selection>() == Selection::sticky_round_robin || !survey_kernels(device, a).all_fit) {
    return std::nullopt;
  }
  return "one of two kernels has to wait for the other's sake, with a block on every SM";
}

// Only an SM that holds blocks, some of which were released, has holes; of one kernel's blocks,
// the kernel itself sees none (one_kernel). So at the release some SM held two blocks at least,
// and a block came later. If the second kernel was launched after the release, the SM held two of
// the first, which gets a second one nowhere before it has one everywhere: a block more than SMs,
// and the second kernel's. If before, a block waited for the release: the first kernel's, as
// above; or the second's, while no SM took it. Had one been free, the first kernel's configuration
// kept it closed, and all that have that: so the SM with two has two of the first. Otherwise all
// SMs hold a block, that one two, and one waits. (Who waits for local memory waits for an idle
// device, which has no holes.)
std::optional<std::string> why_holes_need_many(const Device& device, const Hypothesis& a,
                                               const Hypothesis& b) {
  if (!Difference(a, b).is_in(AxisList<RegisterLayout>{}) || !chooses_by_room(a)) {
    return std::nullopt;
  }
  const KernelSurvey survey = survey_kernels(device, a);
  if (!survey.all_fit || !survey.all_crowd) return std::nullopt;
  return "before an SM has a hole that shows, every SM has a block, and it has two";
}

// What two_launches says of pointers fails where a block of the kernel whose warps are no multiple
// of four, then one of the other, and then another block of the first come to an SM in this order,
// the first still there. In the order of launches, or of priorities, the first kernel had to wait
// for the release while the other overtook it: alone, until every SM was full. As it went round
// evenly, it fits where it is resident only if an SM takes two of it: so every SM had two, and one
// waited.
std::optional<std::string> why_pointers_need_two_layers(const Device& device, const Hypothesis& a,
                                                        const Hypothesis& b) {
  if (!Difference(a, b).is_in(AxisList<PointerSkip>{}) || !why_two_launches_show_nothing(a, b) ||
      a.get<Queue>() != Queue::fifo || a.get<Selection>() == Selection::sticky_round_robin ||
      !survey_kernels(device, a).all_fit) {
    return std::nullopt;
  }
  return "a kernel has to wait where every SM has two of its blocks";
}

// As long as a TPC is idle, its first SM takes any block, has as much room as any SM, and comes
// before every SM that is not the first of its TPC. So blocks go to SMs that are first, whose
// mates are idle: these configure the SM and the TPC alike. An SM whose configuration is less
// than the block prefers, and which takes it under one hypothesis, has less room than the first
// SM of an idle TPC, or comes after it.
std::optional<std::string> why_tpcs_fill_first(const Device& device, const Hypothesis& a,
                                               const Hypothesis& b) {
  const Difference difference(a, b);
  const auto narrow = [](const Hypothesis& h) {
    return h.get<ConfigScope>() == ConfigScope::tpc || h.get<ConfigScope>() == ConfigScope::sm;
  };
  if (!difference.is_in(AxisList<ConfigGate, ConfigScope>{}) || !narrow(a) || !narrow(b) ||
      !chooses_by_room(a) || !firsts_come_first(device, a)) {
    return std::nullopt;
  }
  const KernelSurvey survey = survey_kernels(device, a);
  if (!survey.all_fit || !survey.idle_is_roomiest || !survey.smaller_is_scarcer) {
    return std::nullopt;
  }
  return "as long as a TPC is idle, blocks go there under both";
}

}  // namespace

std::optional<std::string> why_fewer_blocks_show_nothing(const Device& device, const Hypothesis& a,
                                                         const Hypothesis& b,
                                                         const ProbeSize& size) {
  if (size.kernels != 2) return std::nullopt;
  if (size.blocks == 2) return "every kernel has a block";
  if (size.blocks == device.sms + 2) {
    if (auto why = why_one_waits(device, a, b)) return why;
    if (size.actions == 3) return why_holes_need_many(device, a, b);
  }
  if (size.actions == 3 && size.blocks == 2 * device.sms + 2) {
    return why_pointers_need_two_layers(device, a, b);
  }
  const auto tpcs = static_cast<int>(groups_of(device, Hierarchy::tpc).size());
  if (size.actions == 2 && size.blocks == tpcs + 1) return why_tpcs_fill_first(device, a, b);
  return std::nullopt;
}

}  // namespace cuvier
