#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/groups.h"

namespace cuvier {

/// How a kernel's blocks are numbered under Numbering::by_gpc (scheduler.md section 4), as an H100
/// and an H200 do (docs/results/hopper.md). Where picks go does not depend on it.
class Rounds {
 public:
  explicit Rounds(const Device& device) : of_sm_(device.sms) {
    if (device.gpc_of_sm.empty()) return;
    int lone_gpcs = 0;
    for (const std::vector<int>& gpc : gpcs_of(device)) {
      const int kind = is_one_tpc(device, gpc) ? lone : wide;
      auto& groups = members_[kind];
      if (kind == wide || lone_gpcs++ % 2 == 0) groups.emplace_back();
      groups.back().insert(groups.back().end(), gpc.begin(), gpc.end());
      for (const int sm : gpc) of_sm_[sm] = {kind, static_cast<int>(groups.size()) - 1};
    }
    for (auto& groups : members_) {
      for (std::vector<int>& group : groups) std::ranges::sort(group);
    }
  }

  /// Whether anything could be numbered otherwise than it is chosen.
  bool has_groups() const { return !members_[lone].empty() || !members_[wide].empty(); }

  /// Of each kind of SMs the group that got the latest block; -1: none did.
  struct Cursors {
    std::array<int, 2> group{-1, -1};
    bool operator==(const Cursors&) const = default;
  };

  void adopt(Cursors& cursors, int sm) const { cursors.group[of_sm_[sm].kind] = of_sm_[sm].group; }

  /// How far a kernel is with its picks in flight.
  struct Progress {
    int begun = 0;   ///< rounds of SMs that were equals
    int time = 0;    ///< in shares: turns of a group, one block for each of its SMs that waits
    int rounds = 0;  ///< that take part in these
    bool operator==(const Progress&) const = default;
  };

  /// What follows the latest of the picks.
  enum class Next {
    round,    ///< a pick of a further round
    nothing,  ///< to no SM that was its equal a block could go
    no_block  ///< to some it could, if the kernel had one more
  };

  /// Puts picks, which have an `sm` and the number of their `round`, in the order in which they get
  /// the kernel's blocks, as far as that is certain, and says how far. `is_first`: it has no block
  /// yet.
  template <class Picks>
  int order(Picks& picks, bool is_first, Next then, Progress& at, Cursors& cursors) const {
    std::vector<std::vector<int>> waiting(of_sm_.size());  // by SM, picks without a block
    Counts counts{std::vector<int>(members_[lone].size()), std::vector<int>(members_[wide].size())};
    const auto await = [&](int pick) {
      const auto [kind, group] = of_sm_[picks[pick].sm];
      waiting[picks[pick].sm].push_back(pick);
      ++counts[kind][group];
    };
    const int end = static_cast<int>(picks.size());
    int next = 0;
    for (; next < end && picks[next].round < at.rounds; ++next) await(next);
    std::vector<int> ordered;
    for (;; ++at.time) {
      while (next < end) {
        int behind = next;
        while (behind < end && picks[behind].round == picks[next].round) ++behind;
        const bool is_rest = behind == end && then == Next::no_block;
        const int ready = planned(at.rounds, is_rest ? behind - next : 0);
        if (at.time < ready && waits(counts)) break;
        at.time = std::max(at.time, ready);
        for (; next < behind; ++next) await(next);
        ++at.rounds;
      }
      // Another round may take part from here on.
      if (!waits(counts) || (then == Next::round && at.time >= planned(at.rounds, 0))) break;
      const auto [kind, group] = in_turn(counts, is_first && ordered.empty(), cursors);
      for (const int sm : members_[kind][group]) {
        if (waiting[sm].empty()) continue;
        ordered.push_back(waiting[sm].front());
        waiting[sm].erase(waiting[sm].begin());
        --counts[kind][group];
      }
    }
    put_first(ordered, picks);
    return static_cast<int>(ordered.size());
  }

 private:
  /// SMs of GPCs that have a single TPC, and others. Groups of the former are two such GPCs each,
  /// those of the latter one GPC.
  enum Kind { lone, wide };
  struct At {
    int kind = wide;
    int group = 0;
  };
  using Counts = std::array<std::vector<int>, 2>;  ///< picks that wait, by kind and group

  template <class Picks>
  static void put_first(const std::vector<int>& ordered, Picks& picks) {
    Picks all;
    std::vector<bool> is_ordered(picks.size());
    for (const int pick : ordered) {
      all.push_back(std::move(picks[pick]));
      is_ordered[pick] = true;
    }
    for (std::size_t pick = 0; pick < picks.size(); ++pick) {
      if (!is_ordered[pick]) all.push_back(std::move(picks[pick]));
    }
    picks = std::move(all);
  }

  static bool waits(const std::vector<int>& counts) {
    return std::ranges::any_of(counts, [](int count) { return count > 0; });
  }
  static bool waits(const Counts& counts) { return waits(counts[lone]) || waits(counts[wide]); }

  /// The group that gives a block to each of its SMs for which one waits. Lone TPCs go first; a
  /// kernel passes over one group as it begins.
  At in_turn(const Counts& counts, bool passes_over, Cursors& cursors) const {
    const int kind = waits(counts[lone]) ? lone : wide;
    const auto after = [&](int group) {
      do group = (group + 1) % static_cast<int>(counts[kind].size());
      while (counts[kind][group] == 0);
      return group;
    };
    int& cursor = cursors.group[kind];
    cursor = after(cursor);
    if (passes_over) cursor = after(cursor);
    return {kind, cursor};
  }

  /// When a round is planned, behind so many others. A whole one takes as long as eight shares, a
  /// rest as long as each block. Measured.
  static int planned(int rounds, int rest) {
    if (rounds == 0) return 0;
    return 8 * rounds - 1 + (rest == 0 ? 0 : for_a_rest_of(rest));
  }
  static int for_a_rest_of(int blocks) {
    if (blocks <= 3) return blocks + 3;
    if (blocks == 4) return 6;
    if (blocks <= 9) return blocks + 4;
    if (blocks <= 12) return 14;
    return blocks <= 40 ? (blocks + 32) / 3 : 24 + 2 * (blocks - 40) / 5;
  }

  std::vector<At> of_sm_;
  std::array<std::vector<std::vector<int>>, 2> members_;  ///< by kind and group, ascending
};

}  // namespace cuvier
