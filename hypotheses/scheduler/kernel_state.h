#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "hypotheses/axes/connection.h"
#include "hypotheses/axes/local_memory.h"
#include "hypotheses/scheduler/flight.h"
#include "probes/probe.h"

namespace cuvier {

/// How far the scheduler is with a kernel.
template <class Warps>
struct KernelState {
  int resident = 0;
  int gone = 0;  ///< the first blocks, which have left
  int places = 0;
  int rank = 0;                     ///< kernels that joined the queue before it
  int joined_at = 0;                ///< after so many actions
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
  int actions = 0;                   ///< launches and releases
  std::vector<int> giving_out = {};  ///< kernels that had picks in flight since it began
  LocalMemory::Setting local_memory = {};
  bool operator==(const DispatchState&) const = default;

  /// The kernel that it waits for in its stream, if there is one.
  std::optional<int> incomplete_before(const Probe& probe, int k) const {
    const auto& stream = probe.kernels[k].stream;
    if (!stream) return std::nullopt;
    for (const Action& action : probe.script) {
      if (!action.launch) continue;
      const int earlier = *action.launch;
      if (earlier == k) break;
      const Kernel& other = probe.kernels[earlier];
      const bool has_ended =
          kernels[earlier].places == other.blocks && kernels[earlier].resident == 0;
      if (other.stream == stream && !has_ended) return earlier;
    }
    return std::nullopt;
  }

  /// The first of those that wait before it on its connection.
  std::optional<int> waits_before(const Probe& probe, std::vector<int>::const_iterator k,
                                  Connection::Value value) const {
    if (value == Connection::per_stream) return std::nullopt;
    const auto connection = [&](int of) { return Connection::of(value, probe, of); };
    const auto first = std::ranges::find(waiting.begin(), k, connection(*k), connection);
    return first == k ? std::nullopt : std::optional(*first);
  }

  /// Other kernels with blocks on the device that need local memory.
  int local_memory_users(const Probe& probe, int k) const {
    int users = 0;
    for (int other = 0; other < std::ssize(kernels); ++other) {
      users += other != k && probe.kernels[other].local > 0 && kernels[other].resident > 0;
    }
    return users;
  }
};

}  // namespace cuvier
