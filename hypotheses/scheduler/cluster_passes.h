#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/cluster_fit.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/sms.h"
#include "hypotheses/scheduler/tally.h"

namespace cuvier {

/// Where a kernel's clusters go under ClusterGpc::pass_by_pass (scheduler.md section 4), as on an
/// H100 and an H200 (docs/results/hopper.md), over a reading R (reading.h).
template <class R>
class ClusterPasses {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;

  ClusterPasses(R& reading, const Device& device, Sms<R>& sms)
      : reading_(reading), device_(device), sms_(&sms), whole_(largest_tpc(device)) {
    if (device.largest_cluster() == 0) return;
    for (const std::vector<int>& gpc : gpcs_of(device)) {
      gpcs_.push_back(grouped(gpc, [&](int sm) { return device.tpc_of(sm); }));
    }
    std::ranges::stable_partition(gpcs_, [](const auto& tpcs) { return tpcs.size() == 1; });
  }
  /// A copy that asks these SMs.
  ClusterPasses(const ClusterPasses& other, Sms<R>& sms) : ClusterPasses(other) { sms_ = &sms; }

  void begin() {
    boards_.clear();
    latest_.clear();
  }

  /// The kernel's next cluster; none: it must wait.
  std::optional<ClusterTurn> next(int k, int blocks) {
    const auto latest = latest_.find(k);
    const Latest* before = latest == latest_.end() ? nullptr : &latest->second;
    Board& board = board_of(sms_->placing(k));
    std::optional<ClusterTurn> turn =
        reading_.outcome_of([&] { return turn_of(board, blocks, before); });
    if (turn) latest_.insert_or_assign(k, Latest{key_of(board, *turn), turn->gpc});
    return turn;
  }
  /// The kernel must wait: its pass is over.
  void end(int k) { latest_.erase(k); }

 private:
  /// Of a kernel's latest cluster.
  struct Latest {
    Int key{};
    int gpc = 0;
  };
  /// What a kernel finds on SMs. Only where one changed is it asked again.
  struct Board {
    PlacingKernel kernel;  ///< or one like it
    Bool is_alone;         ///< an idle SM has room for one block of it
    std::vector<Bool> takes;
    std::vector<Int> keys;                ///< of SMs by themselves
    std::int64_t at = ChangeLog::kNever;  ///< how far in Sms::changes()
  };
  /// SMs of which a cluster gets all or none: a TPC, or one.
  struct Part {
    std::span<const int> sms;
    Int key{};
  };
  /// What a GPC has for a cluster: the greatest of the keys of its parts.
  struct Offer {
    int gpc = 0;
    std::vector<int> sms = {};
    Int key{};
  };
  static constexpr std::size_t kMostBoards = 64;

  ClusterPasses(const ClusterPasses&) = default;

  Board& board_of(PlacingKernel k) {
    auto board =
        std::ranges::find_if(boards_, [&](const Board& each) { return each.kernel.is_like(k); });
    if (board == boards_.end()) {
      if (boards_.size() == kMostBoards) boards_.clear();
      const Bool is_alone = reading_.apply(IsLess{}, reading_.constant(-2), sms_->idle_room_key(k));
      boards_.push_back(
          {k, is_alone, std::vector<Bool>(device_.sms), std::vector<Int>(device_.sms)});
      board = boards_.end() - 1;
    }
    sms_->changes().catch_up(board->at, [&](int sm) {
      board->takes[sm] = fits_in_cluster(reading_, *sms_, sm, board->kernel);
      board->keys[sm] = key_of(*board, {&sm, 1});
    });
    return *board;
  }

  /// What SMs are compared by that a cluster may get together.
  Int key_of(const Board& board, std::span<const int> sms) {
    Int room_key = sms_->room_key(sms.front(), board.kernel);
    int clustered = 0;
    bool is_busy = false;
    for (const int sm : sms) {
      if (sm != sms.front()) {
        room_key = reading_.apply(Greater{}, room_key, sms_->room_key(sm, board.kernel));
      }
      clustered = std::max(clustered, sms_->clustered_on(sm));
      is_busy = is_busy || sms_->resident_blocks(sm) > 0;
    }
    return reading_.apply(ClusterKey{clustered, is_busy}, room_key);
  }
  /// Of one that it got.
  Int key_of(const Board& board, const ClusterTurn& turn) {
    const auto singles = turn.sms.end() - std::ssize(turn.sms) % whole_;
    auto parts = grouped({turn.sms.begin(), singles}, [&](int sm) { return device_.tpc_of(sm); });
    for (auto sm = singles; sm != turn.sms.end(); ++sm) parts.push_back({*sm});
    std::optional<Int> greatest;
    for (const std::vector<int>& part : parts) {
      Int key = key_of(board, part);
      greatest = greatest ? reading_.apply(Greater{}, *greatest, key) : key;
    }
    return *greatest;
  }

  bool is_less(const Int& a, const Int& b) {
    return !same_at_once(a, b) && reading_.decide(reading_.apply(IsLess{}, a, b));
  }
  bool are_equal(const Int& a, const Int& b) { return !is_less(a, b) && !is_less(b, a); }

  std::optional<ClusterTurn> turn_of(const Board& board, int blocks, const Latest* before) {
    // This is asked first: where it must wait, it is nearly always why.
    Tally<R> some(reading_);
    for (const Bool& takes : board.takes) some.add(takes);
    if (!reading_.decide(some.any())) return std::nullopt;
    const bool is_alone = reading_.decide(board.is_alone);
    std::vector<Offer> best;  // equals
    for (int gpc = 0; gpc < std::ssize(gpcs_); ++gpc) {
      std::optional<Offer> offer =
          is_alone ? lowest_of(board, gpc, blocks) : offer_of(board, gpc, blocks);
      if (!offer || (!best.empty() && is_less(best.front().key, offer->key))) continue;
      if (!best.empty() && is_less(offer->key, best.front().key)) best.clear();
      best.push_back(std::move(*offer));
    }
    if (best.empty()) return std::nullopt;
    auto next = best.end();
    if (before && (is_alone || are_equal(best.front().key, before->key))) {
      next = std::ranges::find_if(best, [&](const Offer& each) { return each.gpc > before->gpc; });
    }
    const bool begins = next == best.end();
    if (begins) next = best.begin();
    return ClusterTurn{std::move(next->sms), next->gpc, begins};
  }

  /// The lowest SMs on which a block fits. GPCs are equals then.
  std::optional<Offer> lowest_of(const Board& board, int gpc, int blocks) {
    std::vector<int> sms;
    for (const auto& tpc : gpcs_[gpc]) {
      std::ranges::copy_if(tpc, std::back_inserter(sms),
                           [&](int sm) { return reading_.decide(board.takes[sm]); });
    }
    if (std::ssize(sms) < blocks) return std::nullopt;
    std::ranges::sort(sms);
    sms.resize(blocks);
    return Offer{gpc, std::move(sms), reading_.constant(0)};
  }

  /// Whole TPCs, and single SMs for the blocks that are left.
  std::optional<Offer> offer_of(const Board& board, int gpc, int blocks) {
    std::vector<Part> whole;
    for (const auto& tpc : gpcs_[gpc]) {
      const auto takes = [&](int sm) { return reading_.decide(board.takes[sm]); };
      if (std::ssize(tpc) == whole_ && std::ranges::all_of(tpc, takes)) {
        whole.push_back({tpc, key_of(board, tpc)});
      }
    }
    const int tpcs = blocks / whole_;
    if (std::ssize(whole) < tpcs) return std::nullopt;
    const auto goes_before = [&](const Part& a, const Part& b) { return is_less(a.key, b.key); };
    std::ranges::stable_sort(whole, goes_before);
    whole.resize(tpcs);
    std::vector<Part> parts = whole;
    for (int left = blocks % whole_; left > 0; --left) {
      const std::optional<Part> single = single_of(board, gpc, parts);
      if (!single) return std::nullopt;
      parts.push_back(*single);
    }
    Offer offer{gpc, {}, parts.front().key};
    for (const Part& part : parts) {
      offer.sms.insert(offer.sms.end(), part.sms.begin(), part.sms.end());
      if (is_less(offer.key, part.key)) offer.key = part.key;
    }
    std::sort(offer.sms.begin(), offer.sms.begin() + tpcs * whole_);
    return offer;
  }

  /// An SM beside those: of equals, none whose TPC has another such.
  std::optional<Part> single_of(const Board& board, int gpc, const std::vector<Part>& taken) {
    std::optional<Part> best;
    bool has_mate = false;
    const auto is_taken = [&](int sm) {
      return std::ranges::any_of(
          taken, [&](const Part& part) { return std::ranges::count(part.sms, sm) > 0; });
    };
    for (const auto& tpc : gpcs_[gpc]) {
      for (const int& sm : tpc) {
        if (is_taken(sm) || !reading_.decide(board.takes[sm])) continue;
        const Int& key = board.keys[sm];
        if (best && is_less(best->key, key)) continue;
        const bool has_one = std::ranges::any_of(tpc, [&](int mate) {
          return mate != sm && reading_.decide(board.takes[mate]) &&
                 are_equal(board.keys[mate], key);
        });
        if (best && !(has_mate && !has_one) && !is_less(key, best->key)) continue;
        best = Part{{&sm, 1}, key};
        has_mate = has_one;
      }
    }
    return best;
  }

  R& reading_;
  const Device& device_;
  Sms<R>* sms_;
  int whole_;  ///< SMs of a whole TPC
  /// In the order of a pass: the SMs of each TPC.
  std::vector<std::vector<std::vector<int>>> gpcs_;
  std::vector<Board> boards_;
  std::map<int, Latest> latest_;  ///< by kernel
};

}  // namespace cuvier
