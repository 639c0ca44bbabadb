#pragma once

#include <vector>

#include "hypotheses/axes/local_memory.h"
#include "hypotheses/scheduler/flight.h"

namespace cuvier {

/// How far the scheduler is with a kernel.
template <class Warps>
struct KernelState {
  int resident = 0;
  int gone = 0;  ///< the first blocks, which have left
  int places = 0;
  int rank = 0;                     ///< kernels that joined the queue before it
  int latest_sm = -1;               ///< where the latest place is
  std::vector<int> places_at_pick;  ///< just before each
  Flight<Warps> flight;             ///< places that have no block yet
  int joined = 0;                   ///< to the picks in flight, at choices nobody controls
  int may_have_joined = 0;          ///< likewise, those included that do not show
  bool may_count_late = true;       ///< then: until a pick is no pair
  std::vector<int> sm_of_block;     ///< of those that started
  std::vector<int> place_of_block;

  bool operator==(const KernelState&) const = default;

  /// So many blocks will start.
  void expect(int blocks) {
    sm_of_block.reserve(blocks);
    place_of_block.reserve(blocks);
    places_at_pick.reserve(blocks);
  }

  int started() const { return static_cast<int>(sm_of_block.size()); }

  /// All its blocks have left: keeps nothing of each.
  void end() {
    sm_of_block = {};
    place_of_block = {};
    places_at_pick = {};
  }
};

/// All that the next dispatch rests on, beside the SMs and the choice among them.
template <class Warps>
struct DispatchState {
  std::vector<KernelState<Warps>> kernels = {};
  std::vector<int> waiting = {};     ///< launched, not yet in the queue
  std::vector<int> queue = {};       ///< in order of joining
  int in_flight = 0;                 ///< kernels in the queue or with resident blocks
  int joined = 0;                    ///< kernels that ever did
  std::vector<int> giving_out = {};  ///< kernels that had picks in flight since it began
  LocalMemory::Setting local_memory = {};
  bool operator==(const DispatchState&) const = default;
};

}  // namespace cuvier
