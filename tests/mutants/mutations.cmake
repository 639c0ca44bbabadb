# Writes a scheduler with faults into a folder of its own: our headers with an axis more for each
# part, each of whose values is read from one place. A place that is not there once is noted in
# `broken`, for a test to fail (CMakeLists.txt).

set(mutated ${CMAKE_CURRENT_BINARY_DIR}/mutated)
set(broken "")

# Puts `text` behind the one place in the header that reads `anchor`.
function(mutate header anchor text)
  set(path ${mutated}/hypotheses/${header})
  if(NOT EXISTS ${path}.made)
    file(READ ${PROJECT_SOURCE_DIR}/hypotheses/${header} source)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${PROJECT_SOURCE_DIR}/hypotheses/${header})
  else()
    file(READ ${path}.made source)
  endif()
  string(FIND "${source}" "${anchor}" first)
  string(FIND "${source}" "${anchor}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    set(broken "${broken}\n  hypotheses/${header}: ${anchor}" PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "${anchor}" "${anchor}\n${text}\n" source "${source}")
  file(WRITE ${path}.made "${source}")
endfunction()

file(GLOB_RECURSE made ${mutated}/hypotheses/*.made)
if(made)
  file(REMOVE ${made})
endif()

mutate(axes.h [=[#include "hypotheses/axes/warp_placement.h"
]=] [=[#include "tests/mutants/axes/mutant_batches.h"
#include "tests/mutants/axes/mutant_choice.h"
#include "tests/mutants/axes/mutant_queue.h"
#include "tests/mutants/axes/mutant_shared.h"
#include "tests/mutants/axes/mutant_warps.h"
]=])
mutate(axes.h "AxisList<Queue, Priority, LocalMemory," " MutantQueue, MutantBatches, MutantChoice, MutantWarps, MutantShared,")

# -- the queue ----------------------------------------------------------------
mutate(scheduler/scheduler.h "std::erase(now_.queue, k);
      order_.forget();
    }" [=[
    if (left(k) > 0 && kernel(k).blocks > 9 * device_.sms &&
        axes_.template is<MutantQueue>(MutantQueue::interleaved)) {
      std::erase(now_.queue, k);
      join_queue(k);
    }]=])
mutate(scheduler/scheduler.h "void release(const std::vector<Release>& releases) {" "
    order_.released = true;
    order_.forget();")
mutate(scheduler/scheduler.h "now_.begin(probe);" "    order_.released = false;")
mutate(scheduler/queue_order.h "bool is_fleeting_ = false;" " public: bool released = false;")
mutate(scheduler/queue_order.h "order_ = now.queue;" [=[
    if (released && axes_.template is<MutantQueue>(MutantQueue::reversed_after_release)) {
      std::ranges::reverse(order_);
    }]=])
mutate(scheduler/scheduler.h "if (now_.incomplete_before(*probe_, *k)" [=[ || (now_.in_flight >= 3 &&
          axes_.template is<MutantQueue>(MutantQueue::three_in_flight))]=])

# -- the batches --------------------------------------------------------------
mutate(scheduler/scheduler.h "const AxisReader<R, Part::queue" ", Part::batches")
mutate(scheduler/scheduler.h "pick.further.push_back(place(k, *sm));
    }" [=[
    if (most > 1 && left(k) > 0 && axes_.template is<MutantBatches>(MutantBatches::three) &&
        reading_.decide(sms_.fits(*sm, k))) {
      batches_.join(state, std::move(pick));
      pick = {.sm = *sm, .next = place(k, *sm)};
    }]=])
mutate(scheduler/batches.h "if (counted(0) <= 1" [=[ ||
        (counted(0) <= 2 * least &&
         axes_.template is<MutantBatches>(MutantBatches::early_end))]=])

# -- the choice ---------------------------------------------------------------
mutate(scheduler/selector.h "Entry entry_of(Selection::Value policy, const Board& board, int group, int group_count) {" [=[
    ++picks_;
    if (picks_ > 40 && axes_.template is<MutantChoice>(MutantChoice::tires)) {
      return entry_at(board.sms, 0, 1);
    }
    if (latest_ >= 0 && axes_.template is<MutantChoice>(MutantChoice::avoids_latest)) {
      return entry_at(board.sms, latest_, 1);
    }]=])
mutate(scheduler/selector.h "if (has_cursor(policy)) sm_cursor_of(group, group_count) = *sm;" " latest_ = *sm;")
mutate(scheduler/selector.h "now_.turn = {};
    boards_.clear();" "
    picks_ = 0;\n    latest_ = -1;")
mutate(scheduler/selector.h "Now now_;" " int picks_ = 0; int latest_ = -1;")

# -- warps and registers ------------------------------------------------------
mutate(scheduler/sm_rules.h "AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, WarpLayout" ", MutantWarps")
mutate(scheduler/sm_rules.h "AxisList<RegisterGranularity, RegisterPool, RegisterLayout, RoomWarps" ", MutantWarps")
mutate(scheduler/sm_rules.h "PointerSkip, WarpLayout" ", MutantWarps")
mutate(scheduler/sm_rules.h "struct ReleaseWarps {
  using Axes = AxisList<PointerReset" ", MutantWarps")
mutate(scheduler/warp_file.h "advance_pointer(d, k, arrival.last);" [=[
    if (holdings.size() == 5) {
      const Int as_it_is = pointer;
      pointer = d.template choose<MutantWarps>([&](MutantWarps::Value v) -> Int {
        return v == MutantWarps::restarts_at_five ? Int(0) : as_it_is;
      });
    }]=])
mutate(scheduler/warp_file.h "if (holdings.empty()) reset_pointer(d, PointerReset::When::sm_idle);" [=[
    if (holdings.size() == 3) {
      const Int as_it_is = pointer;
      pointer = d.template choose<MutantWarps>([&](MutantWarps::Value v) -> Int {
        return v == MutantWarps::moves_on_release ? (as_it_is + 1) % kSubpartitions : as_it_is;
      });
    }]=])
mutate(scheduler/warp_file.h "route(d, k, pointer, subpartitions(d, device, r_w));" [=[
    if (k.max_warps > 8) {
      const std::vector<Int> as_it_is = last_route;
      last_route = d.template choose<MutantWarps>([&](MutantWarps::Value v) {
        std::vector<Int> route = as_it_is;
        if (v == MutantWarps::backwards) std::ranges::reverse(route);
        return route;
      });
    }]=])
mutate(scheduler/warp_file.h "Int room(const C& d, const Device& device, const Demand<D>& k) const {" [=[
    if (holdings.size() >= 8) {
      const Int nothing = d.template choose<MutantWarps>([&](MutantWarps::Value v) -> Int {
        return v == MutantWarps::no_room_at_eight ? Int(0) : Int(1);
      });
      const Int r_w = RegisterGranularity::per_warp(d, k);
      return nothing * RoomWarps::limit(d, capacity(d, device, r_w), pointer, k,
                                        warps_in_registers(d, device, r_w));
    }]=])

# -- shared memory ------------------------------------------------------------
mutate(scheduler/sm_rules.h "struct RoomInShared : OnKernel {
  using Axes = AxisList<" "MutantShared, ")
mutate(scheduler/sm_rules.h "struct PlaceShared : OnKernel {
  using Axes = AxisList<" "MutantShared, ")
mutate(scheduler/shared_memory.h "Int room(const C& d, const Int& config, const Int& s, const Demand<D>& k, int most) const {" [=[
    if (blocks > 4) {
      const Int at_most = d.template choose<MutantShared>([&](MutantShared::Value v) -> Int {
        return v == MutantShared::half_room ? Int(most / 2) : Int(most);
      });
      return ite(s == 0, at_most,
                 min(at_most, SharedRoom::limit(d, space, config, max(s, Int(1)), k)));
    }]=])
mutate(scheduler/shared_memory.h "void place(const C& d, const Int& config, const Int& s, const Demand<D>& k) {" [=[
    if (blocks > 2) {
      const Int plain = SharedPlacement::base(d, space, config, s, k);
      const Int base = d.template choose<MutantShared>([&](MutantShared::Value v) -> Int {
        return v == MutantShared::other_gap ? space.best_fit(0, config, s) : plain;
      });
      space.allocate(s > 0, 0, base, s, blocks);
      ++blocks;
      return;
    }]=])

# A header that is as it was does not make everything be built again.
file(GLOB_RECURSE made ${mutated}/hypotheses/*.made)
foreach(path ${made})
  string(REGEX REPLACE "[.]made$" "" header ${path})
  configure_file(${path} ${header} COPYONLY)
endforeach()
