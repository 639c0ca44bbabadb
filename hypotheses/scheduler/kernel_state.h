#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "hypotheses/axes/connection.h"
#include "hypotheses/axes/local_memory.h"
#include "hypotheses/axes/priority.h"
#include "hypotheses/scheduler/cursors.h"
#include "hypotheses/scheduler/flight.h"
#include "hypotheses/scheduler/rounds.h"
#include "probes/probe.h"

namespace cuvier {

/// What of the scheduler outlives a probe, beside what does on its SMs (SmsAtRest).
struct Carry {
  Cursors cursors;
  LocalMemory::Setting local_memory;
  Rounds::Cursors numbering = {};

  bool operator==(const Carry&) const = default;
};

/// How far the scheduler is with a kernel.
template <class Warps>
struct KernelState {
  int resident = 0;
  int gone = 0;  ///< the first blocks, which have left
  int places = 0;
  int rank = 0;                     ///< kernels that joined the queue before it
  int joined_at = 0;                ///< after so many actions
  int slot = -1;                    ///< until it has ended; -1: it has none
  int latest_sm = -1;               ///< where the latest place is
  int first_sm = -1;                ///< and the first
  std::vector<int> places_at_pick;  ///< just before each
  Flight<Warps> flight;             ///< places that have no block yet
  int joined = 0;                   ///< to the picks in flight, at choices nobody controls
  int may_have_joined = 0;          ///< likewise, those included that do not show
  bool may_count_late = true;       ///< then: until a pick is no pair
  std::vector<int> sm_of_block;     ///< of those that started
  std::vector<int> place_of_block;

  bool operator==(const KernelState&) const = default;

  void got_place(int sm) {
    latest_sm = sm;
    if (first_sm < 0) first_sm = sm;
  }

  /// So many blocks will start.
  void expect(int blocks) {
    sm_of_block.reserve(blocks);
    place_of_block.reserve(blocks);
    places_at_pick.reserve(blocks);
  }

  /// Nothing is in flight any more. Of a kernel without a block left the picks do not matter.
  void gave_out_all(int blocks_left) {
    flight.end();
    if (blocks_left > 0) return;
    flight = {};
    places_at_pick = {};
    joined = may_have_joined = 0;
    may_count_late = true;
  }

  int started() const { return static_cast<int>(sm_of_block.size()); }

  /// All its blocks have left: keeps nothing of each.
  void end() {
    sm_of_block = {};
    place_of_block = {};
    slot = -1;
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
  Rounds::Cursors numbering = {};
  // Noted for a queue whose order is another with each block:
  int latest = -1;       ///< the kernel that got the latest block
  int latest_slot = -1;  ///< its slot
  int streak = 0;        ///< the blocks that it got in a row
  int head = -1;         ///< the kernel that was tried first when some were last tried
  bool operator==(const DispatchState&) const = default;

  /// A probe begins, on an idle device.
  void begin(const Probe& probe) {
    kernels.assign(probe.kernels.size(), {});
    waiting.clear();
    queue.clear();
    in_flight = joined = actions = 0;
    giving_out.clear();
    latest = latest_slot = head = -1;
  }

  void will_give_out(int k) {
    if (giving_out.empty() || giving_out.back() != k) giving_out.push_back(k);
  }

  /// Whether no other kernel gets blocks in this dispatch before this one has all or must wait.
  bool is_alone(int k) const {
    return std::ranges::all_of(queue, [k](int each) { return each == k; });
  }

  /// The kernel joins: it has the lowest slot that is free.
  void take_slot(int k) {
    int slot = 0;
    while (std::ranges::count(kernels, slot, &KernelState<Warps>::slot) > 0) ++slot;
    kernels[k].slot = slot;
  }
  void got_block(int k) {
    streak = latest == k ? streak + 1 : 1;
    latest = k;
    latest_slot = kernels[k].slot;
  }
  Priority::Queued queued(const Probe& probe, int k, int slots) const {
    const KernelState<Warps>& state = kernels[k];
    return {.kernel = probe.kernels[k],
            .placed = state.places,
            .joined = state.rank,
            .running = state.resident,
            .waited = actions - state.joined_at,
            .turn = (state.slot - latest_slot - 1 + slots) % slots,
            .streak = latest == k ? streak : 0,
            .is_later = latest < 0 || state.rank > kernels[latest].rank,
            .was_head = head == k};
  }

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

  /// What a formula of `local_memory` reads for the kernel.
  LocalMemory::Asking asks_local_memory(const Probe& probe, int k) const {
    const auto bytes = [&](int of, int blocks) {
      const Kernel& kernel = probe.kernels[of];
      return std::min<std::int64_t>(std::int64_t{kernel.local} * kernel.warps() * blocks,
                                    kMostLocal);
    };
    int users = 0;
    std::int64_t held = 0;
    for (int each = 0; each < std::ssize(kernels); ++each) {
      users += each != k && probe.kernels[each].local > 0 && kernels[each].resident > 0;
      held = std::min<std::int64_t>(held + bytes(each, kernels[each].resident), kMostLocal);
    }
    return {probe.kernels[k].local, users, static_cast<int>(bytes(k, 1)), static_cast<int>(held)};
  }
};

}  // namespace cuvier
