#pragma once

#include "hypotheses/axes/demand.h"

namespace cuvier {

/// The order of the SMs that settles ties and that cursors follow.
struct TieBreak {
  enum Value : int {
    tpc_interleaved,
    linear,
    tpc_interleaved_odd_first,
    linear_reversed,
    gpc_major,
    gpc_smallest_first,
    gpc_round_robin,
    learned,
    lone_tpcs_first
  };
  static constexpr std::uint32_t named =
      one_of(tpc_interleaved, linear, tpc_interleaved_odd_first, linear_reversed, gpc_major,
             gpc_smallest_first, gpc_round_robin, lone_tpcs_first);
  static constexpr AxisValue values[] = {
      {"tpc_interleaved", "the first SM of every TPC, then the second: 0, 2, 4, ..., 1, 3, 5, ...",
       "(place_in_tpc, tpc)"},
      {"linear", "0, 1, 2, ...", "sm"},
      {"tpc_interleaved_odd_first", "1, 3, 5, ..., 0, 2, 4, ...",
       "(place_in_tpc == 0 ? sms : place_in_tpc, tpc)"},
      {"linear_reversed", "N-1, ..., 0", "-sm"},
      {"gpc_major", "by GPC, then SM", "(gpc, sm)", Needs::gpc_map},
      {"gpc_smallest_first", "GPCs by ascending number of SMs, then index, then SM",
       "(sms_of_gpc, gpc, sm)", Needs::gpc_map},
      {"gpc_round_robin", "the first TPC of every GPC, then the second of every GPC, ...",
       "(tpc_in_gpc, gpc, sm)", Needs::gpc_map},
      {.name = "learned",
       .meaning = "a fixed order that observations reveal; only where no named order fits",
       .last_resort = true},
      {"lone_tpcs_first", "the SMs of GPCs of one TPC, then all; of either as tpc_interleaved",
       "(sms_of_gpc > 2 ? 1 : 0, place_in_tpc, tpc)", Needs::lone_tpcs, true},
  };
  static constexpr FormulaName names[] = {
      {"sm", "the SM's index", 0, kMostSms - 1},
      nearby::sms,
      {"tpc", "the SM's TPC; TPCs count by their lowest SM", 0, kMostSms - 1},
      {"tpcs", "TPCs of the device", 1, kMostSms},
      {"place_in_tpc", "SMs of the TPC before this one", 0, kMostSms - 1},
      nearby::gpc,
      {"gpcs", "GPCs of the device", 1, kMostSms, Needs::gpc_map},
      nearby::place_in_gpc,
      nearby::sms_of_gpc,
      {"tpc_in_gpc", "TPCs of the GPC before the SM's own", 0, kMostSms - 1, Needs::gpc_map},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::order,
                                       "the SM with the smallest is first; ties by index"};
  static constexpr AxisTitle title{Part::choice, "tie_break",
                                   "the order that settles ties among SMs",
                                   "ties among SMs go by this order:"};
};

}  // namespace cuvier
