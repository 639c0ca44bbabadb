#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/groups.h"

namespace cuvier {

/// How a kernel's blocks are numbered under Numbering::by_gpc, and its clusters under
/// ClusterGpc::pass_by_pass (scheduler.md section 4), as an H100 and an H200 do
/// (docs/results/hopper.md). Where picks go does not depend on it.
class Rounds {
 public:
  explicit Rounds(const Device& device) : of_sm_(device.sms) {
    if (device.gpc_of_sm.empty()) return;
    for (const std::vector<int>& gpc : gpcs_of(device)) {
      const int kind = is_one_tpc(device, gpc) ? lone : wide;
      const int group = gpcs_[kind] / in_a_group(kind);
      for (const int sm : gpc) of_sm_[sm] = {kind, gpcs_[kind], group};
      auto& groups = members_[kind];
      if (gpcs_[kind]++ % in_a_group(kind) == 0) groups.emplace_back();
      groups.back().insert(groups.back().end(), gpc.begin(), gpc.end());
    }
    for (auto& groups : members_) {
      for (std::vector<int>& group : groups) std::ranges::sort(group);
    }
  }

  /// Whether anything could be numbered otherwise than it is chosen.
  bool has_groups() const { return !members_[lone].empty() || !members_[wide].empty(); }

  /// Of each kind of SMs, by its number among those, the GPC that had the latest turn; -1: none.
  struct Cursors {
    std::array<int, 2> gpc{-1, -1};
    bool operator==(const Cursors&) const = default;
  };

  /// A block went to that SM in a share of a round that is not the first.
  void adopt(Cursors& cursors, int sm) const {
    const auto [kind, gpc, group] = of_sm_[sm];
    cursors.gpc[kind] = group * in_a_group(kind);
  }

  /// How far a kernel is with its picks in flight.
  struct Progress {
    int begun = 0;    ///< rounds of SMs that were equals
    int time = 0;     ///< in shares: turns of a group, one block for each of its SMs that waits
    int rounds = 0;   ///< that take part in these
    int behind = -1;  ///< the lone GPC behind which the kernel began
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
      const At& at_sm = of_sm_[picks[pick].sm];
      waiting[picks[pick].sm].push_back(pick);
      ++counts[at_sm.kind][at_sm.group];
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
      const int found = cursors.gpc[lone];
      const Turn turn = in_turn(counts, cursors, is_first && at.time == 0);
      if (at.time == 0) at.behind = turn.passed_over ? first_lone(waiting, found) : found;
      std::vector<int> gpcs;
      for (const int sm : members_[turn.kind][turn.group]) {
        if (waiting[sm].empty()) continue;
        ordered.push_back(waiting[sm].front());
        waiting[sm].erase(waiting[sm].begin());
        --counts[turn.kind][turn.group];
        gpcs.push_back(of_sm_[sm].gpc);
      }
      cursors.gpc[turn.kind] = left_at(gpcs, turn.kind, at);
    }
    put_first(ordered, picks);
    return static_cast<int>(ordered.size());
  }

  /// Puts the picks of clusters of so many blocks, each on SMs of a GPC of its own, in the order in
  /// which they get the kernel's blocks.
  template <class Picks>
  void order_clusters(Picks& picks, int blocks, Cursors& cursors) const {
    const auto turn_of = [&](int first) {
      const At& at = of_sm_[picks[first].sm];
      return std::pair(at.kind, in_ring(at.gpc, cursors.gpc[at.kind], at.kind));
    };
    std::vector<int> clusters;  // the first pick of each
    for (int first = 0; first < std::ssize(picks); first += blocks) clusters.push_back(first);
    std::ranges::sort(clusters, {}, turn_of);
    std::vector<int> ordered;
    for (const int first : clusters) {
      for (int block = 0; block < blocks; ++block) ordered.push_back(first + block);
      const At& at = of_sm_[picks[first].sm];
      cursors.gpc[at.kind] = at.gpc;
    }
    put_first(ordered, picks);
  }

 private:
  /// SMs of GPCs that have a single TPC, and others. Groups of the former are two such GPCs each,
  /// those of the latter one GPC.
  enum Kind { lone, wide };
  struct At {
    int kind = wide;
    int gpc = 0;
    int group = 0;
  };
  static constexpr int in_a_group(int kind) { return kind == lone ? 2 : 1; }
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
  struct Turn {
    int kind = wide;
    int group = 0;
    bool passed_over = false;  ///< another of the kind
  };
  static Turn in_turn(const Counts& counts, const Cursors& cursors, bool passes_over) {
    const int kind = waits(counts[lone]) ? lone : wide;
    const auto after = [&](int group) {
      do group = (group + 1) % static_cast<int>(counts[kind].size());
      while (counts[kind][group] == 0);
      return group;
    };
    const int cursor = cursors.gpc[kind];
    const int next = after(cursor < 0 ? cursor : cursor / in_a_group(kind));
    const int group = passes_over ? after(next) : next;
    return {kind, group, group != next};
  }

  /// The first GPC behind that one on whose SMs a place waits; of the lone ones.
  int first_lone(const std::vector<std::vector<int>>& waiting, int behind) const {
    int first = behind;
    for (std::size_t sm = 0; sm < of_sm_.size(); ++sm) {
      const auto [kind, gpc, group] = of_sm_[sm];
      if (kind == wide || waiting[sm].empty()) continue;
      if (first == behind || in_ring(gpc, behind, lone) < in_ring(first, behind, lone)) first = gpc;
    }
    return first;
  }

  /// The GPC of those in a share at which it leaves the cursor.
  int left_at(const std::vector<int>& gpcs, int kind, const Progress& at) const {
    if (kind == wide || at.rounds > 1) return std::ranges::min(gpcs);
    return *std::ranges::max_element(gpcs, {},
                                     [&](int gpc) { return in_ring(gpc, at.behind, kind); });
  }
  /// How many GPCs of the kind come between two, round and round.
  int in_ring(int gpc, int behind, int kind) const {
    return (gpc - behind - 1 + gpcs_[kind]) % gpcs_[kind];
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
  std::array<int, 2> gpcs_{};                             ///< of each kind
  std::array<std::vector<std::vector<int>>, 2> members_;  ///< by kind and group, ascending
};

}  // namespace cuvier
