#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/cluster_fit.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sms.h"
#include "hypotheses/scheduler/tally.h"

namespace cuvier {

/// Which SMs a cluster goes to (scheduler.md section 4, Clusters), over a reading R (reading.h). Of
/// an SM it asks only which blocks fit there, and how many are there.
template <class R>
class ClusterSelector {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;
  using Option = cuvier::Option<Int, Bool>;

  ClusterSelector(R& reading, const Device& device, Sms<R>& sms)
      : reading_(reading),
        axes_(reading),
        sms_(&sms),
        zero_(reading.constant(0)),
        one_(reading.constant(1)) {
    static_assert(ClusterReading<R>);
    begin();
    if (device.largest_cluster() == 0) return;
    gpcs_ = gpcs_of(device);
    where_ = sms.residents().where();
    // A measured map may have a TPC in two GPCs: here it is one in each.
    for (const std::vector<int>& gpc : gpcs_) {
      for (auto sm = gpc.begin(); sm != gpc.end(); ++sm) {
        const auto is_mate = [&](int other) { return tpc_of(other) == tpc_of(*sm); };
        where_[*sm]["place_in_tpc"] = static_cast<int>(std::count_if(gpc.begin(), sm, is_mate));
      }
    }
  }
  /// A copy that asks these SMs.
  ClusterSelector(const ClusterSelector& other, Sms<R>& sms) : ClusterSelector(other) {
    sms_ = &sms;
  }

  /// The SMs for the kernel's next cluster, ascending, one for each of its blocks; none where it
  /// must wait.
  std::optional<ClusterTurn> select(int k, int blocks) {
    const PlacingKernel kernel = sms_->placing(k);
    const std::optional<int> gpc = reading_.outcome_of([&] { return select_gpc(kernel, blocks); });
    if (!gpc) return std::nullopt;
    std::vector<int> taken = reading_.outcome_of([&] { return taken_of(*gpc, kernel, blocks); });
    if (taken.empty()) return std::nullopt;
    cursors_.fill(*gpc);
    return ClusterTurn{std::move(taken), *gpc};
  }
  /// Whether ClusterPasses chooses instead.
  bool goes_by_passes() const { return axes_.template is<ClusterGpc>(ClusterGpc::pass_by_pass); }

  /// The first cluster of a kernel is tried.
  void kernel_begins() { cursors_[ClusterCursor::kernel] = kStart; }

  /// A block was placed there, whether in a cluster or not.
  void placed(int sm) {
    if (!where_.empty()) cursors_[ClusterCursor::shared] = gpc_of(sm);
  }

  /// Whether blocks that are in no cluster go on behind the latest cluster.
  bool shares_cursor() const {
    const ClusterGpc::Value gpc = axes_.template resolve<ClusterGpc>();
    return (gpc == ClusterGpc::in_turn || formula_reads<ClusterGpc>(gpc, "turn")) &&
           axes_.template is<ClusterCursor>(ClusterCursor::shared);
  }

  void device_idle() {
    cursors_[ClusterCursor::device_idle] = kStart;
    cursors_[ClusterCursor::shared] = kStart;
  }

  /// Whether it goes on here as there, whatever the hypothesis.
  bool goes_on_as(const ClusterSelector& other) const { return cursors_ == other.cursors_; }

  /// Nothing of it outlives a probe.
  void begin() {
    cursors_.fill(kStart);
    boards_.clear();
  }

 private:
  static constexpr int kStart = -1;

  struct Gpc {
    Bool takes{};                     ///< whether it has places for so many blocks of a kernel
    std::optional<Int> fitting = {};  ///< on how many of its SMs a block fits, once that was asked
    bool is_changed = false;          ///< since it was looked at
  };
  /// What a kernel finds in GPCs. Only where an SM changed is it asked again.
  struct Board {
    PlacingKernel kernel;  ///< or one like it
    int blocks;
    ClusterSharing::Value sharing;
    std::vector<Gpc> gpcs;
    std::int64_t at = ChangeLog::kNever;  ///< how far in Sms::changes()
  };

  ClusterSelector(const ClusterSelector&) = default;

  int gpc_of(int sm) const { return where_[sm]["gpc"]; }
  int tpc_of(int sm) const { return where_[sm]["tpc"]; }

  /// The GPC for the kernel's next cluster; none where it must wait.
  std::optional<int> select_gpc(PlacingKernel k, int blocks) {
    // Each axis is read only where it matters: where one block would, any sharing does.
    for (const int enough : {1, blocks}) {
      Tally<R> some(reading_);
      for (const Gpc& gpc : board_of(k, enough).gpcs) some.add(gpc.takes);
      if (!reading_.decide(some.any())) return std::nullopt;
    }
    Board& board = board_of(k, blocks);
    const std::vector<int>& ranks = gpc_ranks(blocks);
    std::vector<Option> gpcs;
    for (int g = 0; g < std::ssize(gpcs_); ++g) {
      gpcs.push_back({g, board.gpcs[g].takes, key_of(g, k, ranks, board), ranks[g]});
    }
    const auto allowed = [&](int g) {
      return std::ranges::any_of(gpcs_[g],
                                 [&](int sm) { return reading_.may_place_among(sm, blocks); });
    };
    return reading_.pick_ranked(gpcs, entry(ranks), allowed);
  }

  const std::vector<int>& gpc_ranks(int cluster) {
    const auto by = axes_.template resolve<ClusterGpcOrder>();
    const bool reads_size = formula_reads<ClusterGpcOrder>(by, "cluster");
    std::vector<int>& ranks = gpc_ranks_[{by, reads_size ? cluster : 0}];
    if (ranks.empty()) ranks = ranks_of(order_of_gpcs(gpcs_, by, cluster));
    return ranks;
  }

  Entry entry(const std::vector<int>& ranks) const {
    if (axes_.template resolve<ClusterGpc>() != ClusterGpc::in_turn) return {};
    const int gpc = cursor();
    return gpc == kStart ? Entry{} : Entry{gpc, ranks[gpc], 1};
  }

  /// The cursor in force; where all are in one place, it does not matter which is.
  int cursor() const {
    if (std::ranges::count(cursors_, cursors_[0]) == std::ssize(cursors_)) return cursors_[0];
    return cursors_[axes_.template resolve<ClusterCursor>()];
  }

  /// What the choice of a GPC compares.
  Int key_of(int gpc, PlacingKernel k, const std::vector<int>& ranks, Board& board) {
    const std::vector<int>& sms = gpcs_[gpc];
    const ClusterGpc::Value policy = axes_.template resolve<ClusterGpc>();
    switch (policy) {
      case ClusterGpc::most_room:
        return reading_.apply(Negate{}, fitting(gpc, board));
      case ClusterGpc::fewest_blocks:
        return sms_->blocks_on(sms);
      case ClusterGpc::in_turn:
      case ClusterGpc::first_fit:
      case ClusterGpc::pass_by_pass:  // ClusterPasses
        return zero_;
    }
    const bool counts = formula_reads<ClusterGpc>(policy, "fitting");
    const bool takes_turns = formula_reads<ClusterGpc>(policy, "turn");
    const auto sum = [&](auto of) {
      int all = 0;
      for (const int sm : sms) all += of(sm);
      return all;
    };
    const Seen<ClusterGpc, int> seen{{takes_turns ? turn_of(gpc, ranks) : 0, 0,
                                      sum([&](int sm) { return sms_->resident_blocks(sm); }),
                                      static_cast<int>(sms.size()),
                                      sum([&](int sm) { return sms_->resident_warps(sm); }),
                                      sms_->own_on(sms, k), gpc, board.blocks}};
    return reading_.apply(KeyOfGpc{policy, seen}, counts ? fitting(gpc, board) : one_);
  }

  /// How many GPCs come between the cursor and this one.
  int turn_of(int gpc, const std::vector<int>& ranks) const {
    const int count = static_cast<int>(gpcs_.size());
    const int from = cursor();
    return from == kStart ? ranks[gpc] : (ranks[gpc] - ranks[from] - 1 + count) % count;
  }

  Bool takes(int sm, PlacingKernel k, int more = 0) {
    return fits_in_cluster(reading_, *sms_, sm, k, more);
  }

  static constexpr std::size_t kMostBoards = 64;

  Board& board_of(PlacingKernel k, int blocks) {
    const auto sharing =
        blocks == 1 ? ClusterSharing::Value{} : axes_.template resolve<ClusterSharing>();
    auto board = std::ranges::find_if(boards_, [&](const Board& b) {
      return b.kernel.is_like(k) && b.blocks == blocks && b.sharing == sharing;
    });
    if (board == boards_.end()) {
      if (boards_.size() == kMostBoards) boards_.clear();
      boards_.push_back({k, blocks, sharing, std::vector<Gpc>(gpcs_.size())});
      board = boards_.end() - 1;
    }
    sms_->changes().catch_up(board->at, [&](int sm) { board->gpcs[gpc_of(sm)].is_changed = true; });
    for (std::size_t g = 0; g < gpcs_.size(); ++g) {
      if (!board->gpcs[g].is_changed) continue;
      board->gpcs[g] = {takes_all(gpcs_[g], k, blocks, sharing)};
    }
    return *board;
  }

  const Int& fitting(int gpc, Board& board) {
    std::optional<Int>& known = board.gpcs[gpc].fitting;
    if (!known) {
      Tally<R> places(reading_);
      for (const int sm : gpcs_[gpc]) places.add(takes(sm, board.kernel));
      known = places.count();
    }
    return *known;
  }

  /// Whether the GPC has places for so many blocks of the kernel.
  Bool takes_all(const std::vector<int>& gpc, PlacingKernel k, int blocks,
                 ClusterSharing::Value sharing) {
    Tally<R> places(reading_);
    std::vector<int> counted_tpcs;
    for (const int sm : gpc) {
      Bool fits = takes(sm, k);
      if (sharing == ClusterSharing::tpc_apart) {
        const int tpc = tpc_of(sm);
        if (std::ranges::find(counted_tpcs, tpc) != counted_tpcs.end()) continue;
        counted_tpcs.push_back(tpc);
        for (const int mate : gpc) {
          if (tpc_of(mate) == tpc) fits = reading_.apply(Either{}, fits, takes(mate, k));
        }
      }
      places.add(fits);
      for (int more = 1; sharing == ClusterSharing::shared && more < blocks; ++more) {
        fits = reading_.apply(Both{}, fits, takes(sm, k, more));
        places.add(fits);
      }
    }
    const Bool any = places.any();
    if (blocks == 1) return any;
    return reading_.apply(Beats{Beats::at_most}, any, reading_.constant(blocks), places.count());
  }

  /// The SMs of a GPC in an order that hangs on no blocks.
  const std::vector<int>& in_order(int gpc, ClusterSms::Value by) {
    std::vector<int>& order = orders_[{by, gpc}];
    if (!order.empty()) return order;
    order = gpcs_[gpc];
    if (by == ClusterSms::tpc_interleaved) {
      std::ranges::stable_sort(order, {}, [&](int sm) {
        return std::pair(where_[sm]["place_in_tpc"], where_[sm]["tpc_in_gpc"]);
      });
    } else if (by != ClusterSms::ascending) {
      std::ranges::stable_sort(order, {}, [&](int sm) { return key_by_formula(sm, by, {}); });
    }
    return order;
  }

  /// What changes of an SM, and with the cluster.
  struct Found {
    int blocks = 0;
    int warps = 0;
    int tpc_blocks = 0;
    int cluster = 0;
  };
  std::vector<int> key_by_formula(int sm, ClusterSms::Value by, const Found& found) const {
    const Whereabouts& at = where_[sm];
    return order_by_formula<ClusterSms>(
        by, {sm, at["place_in_gpc"], at["tpc_in_gpc"], at["place_in_tpc"], found.blocks,
             found.warps, found.tpc_blocks, at["gpc"], at["sms_of_gpc"], found.cluster});
  }

  /// The SMs of a GPC that has places for so many blocks of the kernel.
  std::vector<int> taken_of(int gpc, PlacingKernel k, int blocks) {
    const ClusterSharing::Value sharing = axes_.template resolve<ClusterSharing>();
    const ClusterSms::Value by = axes_.template resolve<ClusterSms>();
    const auto reads = [&](NameOf<ClusterSms> name) { return formula_reads(by, name); };
    const bool by_formula =
        reads("blocks") || reads("warps") || reads("tpc_blocks") || reads("cluster");
    const bool is_fixed = by != ClusterSms::fewest_blocks && !by_formula;
    std::vector<int> open = is_fixed ? in_order(gpc, by) : gpcs_[gpc];
    std::vector<int> taken;
    const auto taken_on = [&](int sm) { return static_cast<int>(std::ranges::count(taken, sm)); };
    const auto blocks_on = [&](int sm) { return sms_->resident_blocks(sm) + taken_on(sm); };
    const auto taken_near = [&](int sm) {
      return static_cast<int>(
          std::ranges::count(taken, tpc_of(sm), [&](int of) { return tpc_of(of); }));
    };
    std::vector<std::vector<int>> keys(by_formula ? open.size() : 0);  // as far as they are known
    const auto key = [&](int sm) -> const std::vector<int>& {
      std::vector<int>& known = keys[where_[sm]["place_in_gpc"]];
      if (known.empty()) {
        known = key_by_formula(sm, by,
                               {blocks_on(sm), sms_->resident_warps(sm),
                                sms_->residents().on_tpc(sm) + taken_near(sm), blocks});
      }
      return known;
    };
    const auto next = [&] {
      if (is_fixed) return open.front();
      return by_formula ? *std::ranges::min_element(open, {}, key)
                        : *std::ranges::min_element(open, {}, blocks_on);
    };
    while (static_cast<int>(taken.size()) < blocks) {
      if (open.empty()) return {};  // only where a reading does not see that no hypothesis is left
      const int sm = next();
      const bool fits =
          reading_.decide_as_seen(takes(sm, k, taken_on(sm)), reading_.may_place_among(sm, blocks));
      if (fits) taken.push_back(sm);
      if (fits && by_formula) keys.assign(keys.size(), {});
      if (fits && sharing == ClusterSharing::shared) continue;
      const bool with_mates = fits && sharing == ClusterSharing::tpc_apart;
      std::erase_if(open, [&](int other) {
        return other == sm || (with_mates && tpc_of(other) == tpc_of(sm));
      });
    }
    std::ranges::sort(taken);
    return taken;
  }

  R& reading_;
  const AxisReader<R, Part::clusters> axes_;
  Sms<R>* sms_;
  std::vector<Board> boards_;
  Int zero_;
  Int one_;
  std::vector<std::vector<int>> gpcs_;  ///< the SMs of each; none where there are no clusters
  /// In each order; by the size of clusters, where it asks for that.
  std::map<std::pair<ClusterGpcOrder::Value, int>, std::vector<int>> gpc_ranks_;
  std::vector<Whereabouts> where_;                                        ///< by SM, likewise
  std::map<std::pair<ClusterSms::Value, int>, std::vector<int>> orders_;  ///< by GPC
  /// By ClusterCursor value: the GPC behind which to go on.
  std::array<int, std::size(ClusterCursor::values)> cursors_;
};

}  // namespace cuvier
