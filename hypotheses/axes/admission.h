#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/axes/mark.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which SMs refuse a block although they have what it asks for. No rule of that kind was ever
/// seen, so the table names none; a formula can say one.
struct Admission {
  enum Value : int { any };
  static constexpr AxisValue values[] = {
      {.name = "any", .meaning = "any SM that has what it asks for", .formula = "0 == 0"},
  };
  static constexpr int kMostThreads = 32 * kMostOfAnSm;
  // Places among the names.
  static constexpr int blocks = 0;
  static constexpr int warps = 1;
  static constexpr int priority = 2;
  static constexpr int sm = 6;
  static constexpr int device_blocks = 9;
  static constexpr int mark = 19;
  static constexpr int own_sms = 20;
  static constexpr int marked = 21;
  static constexpr int gpc_clusters = 28;
  static constexpr FormulaName names[] = {
      {"blocks", "resident on the SM", 0, kMostOfAnSm},
      {"warps", "resident on the SM", 0, kMostOfAnSm},
      asked::priority,
      asked::warps,
      asked::registers,
      asked::bytes,
      {"sm", "the SM's index", 0, kMostSms - 1},
      {"own", "blocks of this kernel resident on the SM", 0, kMostOfAnSm},
      nearby::tpc_blocks,
      nearby::device_blocks,
      {"kernels", "other kernels with blocks resident on the SM", 0, kMostOfAnSm},
      {.name = "own_on_device",
       .meaning = "blocks of this kernel resident on the device",
       .least = 0,
       .most = kMostBlocks,
       .is_fleeting = true},
      asked::joined,
      {"urgent", "the least priority of the blocks resident on the SM; 4096 where there is none",
       -kMostBlocks, kMostBlocks},
      {"threads", "of a block", 1, kMostThreads},
      {"held_threads", "of the blocks resident on the SM", 0, kMostThreads},
      asked::local,
      asked::grid,
      nearby::sms,
      nearby::mark,
      {.name = "own_sms",
       .meaning = "SMs on which blocks of this kernel are resident",
       .least = 0,
       .most = kMostSms,
       .is_fleeting = true},
      nearby::marked,
      asked::cluster,
      nearby::gpc_blocks,
      nearby::gpc,
      nearby::place_in_gpc,
      nearby::sms_of_gpc,
      {.name = "tpc_clustered",
       .meaning = "blocks of clusters resident on the SM's TPC",
       .least = 0,
       .most = kMostOfAGroup,
       .is_fleeting = true},
      {.name = "gpc_clusters",
       .meaning = "clusters with blocks resident on the SM's GPC",
       .least = 0,
       .most = kMostOfAGroup,
       .is_fleeting = true},
  };
  static constexpr int urgent_of_none = 4096;
  /// What an SM has when it is asked.
  template <class Int>
  struct Held {
    Int sm{};
    Int blocks{};
    Int warps{};
    Int own{};            ///< of these blocks, the kernel's
    Int tpc_blocks{};     ///< blocks on its TPC
    Int device_blocks{};  ///< blocks on the device
    Int kernels{};        ///< others with blocks on the SM
    Int own_on_device{};  ///< of the kernel
    Int joined{};         ///< kernels before the kernel
    Int urgent{};         ///< the least priority
    Int threads{};        ///< of the block
    Int held_threads{};   ///< of those on the SM
    Int sms{};            ///< of the device
    Int mark{};           ///< of the SM
    Int own_sms{};        ///< where the kernel has blocks
    Int marked{};         ///< with another mark than 0
    Int cluster{};        ///< blocks of each of the kernel's
    Int gpc_blocks{};     ///< blocks on its GPC
    Int gpc{};            ///< of the SM
    Int place_in_gpc{};   ///< of the SM
    Int sms_of_gpc{};     ///< SMs
    Int tpc_clustered{};  ///< blocks of clusters on its TPC
    Int gpc_clusters{};   ///< with blocks on its GPC
    bool operator==(const Held&) const = default;
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether the SM takes the block, if it has what it asks for"};
  static constexpr AxisInfo info{
      Part::admission, "admission", "which SMs refuse a block", "a block may go to", values, {},
      &formula};

  template <class C, class D>
  static typename D::Bool admits(const C& d, const Held<typename D::Int>& held,
                                 const typename D::Int& priority, const Demand<D>& k) {
    using Bool = typename D::Bool;
    return d.template choose<Admission>([&](Value v) -> Bool {
      if (v == any) return Bool(true);
      return condition_by_formula<Admission, D>(v, {held.blocks,      held.warps,
                                                    priority,         k.warps,
                                                    k.registers,      k.shared,
                                                    held.sm,          held.own,
                                                    held.tpc_blocks,  held.device_blocks,
                                                    held.kernels,     held.own_on_device,
                                                    held.joined,      held.urgent,
                                                    held.threads,     held.held_threads,
                                                    k.local,          k.grid,
                                                    held.sms,         held.mark,
                                                    held.own_sms,     held.marked,
                                                    held.cluster,     held.gpc_blocks,
                                                    held.gpc,         held.place_in_gpc,
                                                    held.sms_of_gpc,  held.tpc_clustered,
                                                    held.gpc_clusters});
    });
  }
};

}  // namespace cuvier
