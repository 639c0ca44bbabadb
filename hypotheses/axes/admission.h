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
      {"any", "any SM that has what it asks for", "0 == 0"},
  };
  static constexpr int kMostThreads = 32 * kMostOfAnSm;
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
      {"own_on_device", "blocks of this kernel resident on the device", 0, kMostBlocks, fleeting},
      asked::joined,
      {"urgent", "the least priority of the blocks resident on the SM; 4096 where there is none",
       -kMostBlocks, kMostBlocks},
      {"threads", "of a block", 1, kMostThreads},
      {"held_threads", "of the blocks resident on the SM", 0, kMostThreads},
      asked::local,
      asked::grid,
      nearby::sms,
      nearby::mark,
      {"own_sms", "SMs on which blocks of this kernel are resident", 0, kMostSms, fleeting},
      nearby::marked,
      asked::cluster,
      nearby::gpc_blocks,
      nearby::gpc,
      nearby::place_in_gpc,
      nearby::sms_of_gpc,
      {"tpc_clustered", "blocks of clusters resident on the SM's TPC", 0, kMostOfAGroup, fleeting},
      {"gpc_clusters", "clusters with blocks resident on the SM's GPC", 0, kMostOfAGroup, fleeting},
      {"device_urgent",
       "the least priority of the blocks resident on the device; 4096 where there is none",
       -kMostBlocks, kMostBlocks, fleeting},
      {"placed", "blocks of the kernel that have a place", 0, kMostBlocks, fleeting},
  };
  static constexpr int urgent_of_none = 4096;
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether the SM takes the block, if it has what it asks for"};
  static constexpr AxisTitle title{Part::admission, "admission", "which SMs take a block",
                                   "a block may go to"};

  template <class C, class D>
  static typename D::Bool admits(const C& d, const Seen<Admission, typename D::Int>& seen) {
    using Bool = typename D::Bool;
    return d.template choose<Admission>([&](Value v) -> Bool {
      return v == any ? Bool(true) : evaluation_of<Admission, D>(v, seen.values).condition();
    });
  }
};

}  // namespace cuvier
