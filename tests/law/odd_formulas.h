#pragma once

#include <string>
#include <vector>

#include "hypotheses/axes.h"

namespace cuvier {

/// Formulas that no table has: together they read every name of every axis that takes them.
struct OddFormula {
  std::string axis;
  std::string text;
};

inline const std::vector<OddFormula>& odd_formulas() {
  static const std::vector<OddFormula> formulas = {
      {"queue", "w < head_warps or left == 1"},
      {"queue", "behind < 2 and bytes + registers < head_bytes + 2 * head_registers"},
      {"queue", "head_left < 3 or head_blocks < 2 * blocks or head_priority < priority"},
      {"priority", "(priority, -w, -blocks)"},
      {"priority", "(running - w, -joined)"},
      {"priority", "(placed / 3, bytes - registers, -joined)"},
      {"priority", "(priority - waited, local)"},
      {"priority", "(priority, streak mod 3 > 0 ? 0 : 1, turn)"},
      {"priority", "(priority, streak mod 4 > 0 ? 0 : 1, later == 1 ? joined : joined + 100)"},
      {"priority", "(head > 0 ? 0 : 1, -joined)"},
      {"connection", "(stream + launched / 4 + priority) mod 2"},
      {"local_memory", "local > 2 * latest"},
      {"local_memory", "users > 0 and local > grown"},
      {"local_memory", "power(local + 1) > latest"},
      {"local_memory", "local > 0 and held + wanted > 4096"},
      {"admission", "blocks < 9 or w < 3 or warps mod 5 == priority"},
      {"admission", "registers < 60 and bytes < 8192 or blocks < 2"},
      {"admission", "own < 2 or sm mod 3 == 1 or device_blocks < 20 and tpc_blocks < 4"},
      {"admission", "kernels < 2 or w > 4"},
      {"admission", "held_threads + threads <= 700"},
      {"admission", "kernels == 0 and own < (grid + sms - 1) / sms or local > 0"},
      {"admission", "placed > 2 or blocks == 0 or placed == own_on_device and w > 6"},
      {"admission", "own_on_device < 5 or w < 4"},
      {"admission", "blocks > 0 or device_urgent >= priority or sm == 2"},
      {"admission", "urgent >= priority and (joined mod 2 == sm mod 2 or blocks < 2)"},
      {"admission", "mark < 3 or kernels == 0 and warps < 12"},
      {"admission", "own > 0 or own_sms < 4 or w > 8"},
      {"mark", "chosen == 1 ? mark / 2 + w : gone > 0 ? most + gone : mark - mark mod 3"},
      {"mark", "abs(sm - at) == 1 ? max(0, mark + more * w) : device_blocks > 7 ? 1 : mark"},
      {"mark", "blocks >= 5 ? 4 : warps <= 4 ? 0 : marked + 1 < sms ? mark : mark - (sm mod 2)"},
      {"mark", "chosen == 1 ? registers + bytes / 1024 + 2 * joined - min(priority, 9) : mark"},
      {"admission", "mark == joined + 1 or warps < 9 or marked > 2"},
      {"admission", "gpc_blocks < 5 + sms_of_gpc or place_in_gpc < 3 and gpc > 0"},
      {"admission", "cluster < 2 or place_in_gpc < 2 or gpc_blocks < cluster"},
      {"admission", "cluster < 1 or gpc_clusters < 2"},
      {"admission", "tpc_blocks == tpc_clustered and cluster > 0 or tpc_clustered + cluster == 0"},
      {"hierarchy", "(sm / 3 mod 2, sm == 1 ? 1 : 0)"},
      {"hierarchy",
       "((gpcs - gpc) * sms_of_gpc + tpc_in_gpc) mod 3 + (place_in_gpc + tpc) mod tpcs / max(sms / "
       "4, 1) + place_in_tpc"},
      {"cursor_reset", "left mod 5 == 2 or placed == 0 and priority < 0"},
      {"cursor_reset",
       "w > 4 or cluster > 0 and placed > 0 or joined mod 2 == 0 and device_blocks < sms"},
      {"group_selection", "(warps + blocks - eligible, -sms)"},
      {"group_selection", "(warps, -turn)"},
      {"group_selection", "(-least, -room)"},
      {"tie_break", "(sm * 7 mod sms, sm)"},
      {"tie_break",
       "((gpcs - gpc) * sms_of_gpc mod 3 + tpc_in_gpc, (place_in_gpc + tpc) mod tpcs, "
       "place_in_tpc)"},
      {"selection", "(warps + blocks, -sm)"},
      {"selection", "registers > 40 or left < 5 ? (sm + placed) mod sms : turn + w"},
      {"selection", "(tpc_blocks + (bytes > 0 ? own : 0), turn)"},
      {"selection", "(held_registers / 2048 + held_bytes / 8192, (sm + joined) mod sms)"},
      {"selection", "(blocks, -since)"},
      {"selection", "(-freed, warps)"},
      {"selection", "(tpc_own > 0 ? 0 : 1, device_blocks > 9 ? -warps : -room)"},
      {"selection", "(received / 3 + blocks, -abs(sm - previous))"},
      {"selection", "(-room, picks mod 2 == 0 ? rank : -rank)"},
      {"selection", "(-room, (rank + 3 * joined + (priority < 0 ? 1 : 0)) mod sms)"},
      {"selection", "(mark, -room)"},
      {"selection", "-mark"},
      {"selection", "(sm / 3 == home / 3 ? 0 : 1, abs(sm - home) + warps)"},
      {"selection", "(gpc_blocks, -room)"},
      {"selection", "(gpc == home_gpc ? 0 : 1, blocks * 16 / sms_of_gpc, -sm)"},
      {"selection", "(kernels, previous / 2 == sm / 2 and previous != sm ? 0 : 1, -room)"},
      {"dispatch_batch", "left > 3 * sms"},
      {"dispatch_batch", "blocks > 12 and left > margin"},
      {"pairs_in_flight", "picks >= 3 ? 3 : 1"},
      {"batch_size", "resident == 0 or blocks > 20 and left < sms ? 2 : 1"},
      {"batch_size", "w > 4 or registers + bytes > 9000 ? 3 : 1 + left mod 2"},
      {"register_granularity", "(registers + (w >= 8 ? 6 : 2)) * 32 + (bytes > 0 ? 256 : 0)"},
      {"warp_placement", "p + 3 * i + w / 3 + (registers > 40 ? 1 : 0)"},
      {"warp_placement", "w > 3 ? emptiest : lightest + i / 2 * roomiest"},
      {"warp_placement", "bytes > 8192 ? emptiest : p + (i mod 3) * w"},
      {"warp_placement", "w > 2 ? onward : p + 1 - i"},
      {"warp_layout", "w > 5 ? w : registers / 32"},
      {"warp_layout", "bytes > 8192 ? 3 : 1"},
      {"pointer_skip", "next + w / 2 + (bytes > 0 ? 1 : 0) + registers / 64"},
      {"pointer_skip", "p + next * (w mod 3)"},
      {"pointer_reset", "warps < 6 and idle == 0"},
      {"room_warps",
       "(min(strict, pool) + min(free, bytes > 0 ? 4 * scarcest : pool)) / (registers > 64 ? w : 2 "
       "* w)"},
      {"config_occupancy", "min(blocks, 2 * slots / w, in_space)"},
      {"config_occupancy", "local > 0 ? 1 : min(blocks, in_space)"},
      {"config_occupancy",
       "bytes > 4096 or registers > 64 ? 1 : min(blocks, file / warp_registers * 4 / w, in_space)"},
      {"config_occupancy", "min(in_space, (grid + sms - 1) / sms)"},
      {"config_rounding", "w == 1 or up - wanted < wanted - down ? up : down"},
      {"config_rounding", "registers > 40 ? up : bytes > 8192 ? down : largest"},
      {"config_gate", "preferred <= 2 * current or bytes < 1024 or w < 3 and registers > 40"},
      {"config_change",
       "idle == 1 and w < 9 and registers < 60 ? max(current, preferred) : current + 4096"},
      {"config_change", "w mod 3 == device_idle ? preferred : max(current, 2 * bytes)"},
      {"config_change", "emptied == 1 ? min(current, target) : max(current, preferred)"},
      {"config_target", "wanted > 4096 ? min(wanted, 40000) + 256 * w : 65536 - bytes / 2"},
      {"config_target", "registers > 40 ? 65536 : 4 * block_bytes"},
      {"shared_granularity", "w > 4 ? power(bytes) : (bytes + 127) / 128 * 128"},
      {"shared_granularity", "(bytes + 383) / 384 * 384 + (w > 16 or registers > 40 ? 128 : 0)"},
      {"runtime_shared", "512 + 128 * w + 2 * registers + (bytes > 4096 ? 256 : 0)"},
      {"shared_placement",
       "2 * length > config or bytes > 9000 or w > 6 and registers < 48 ? -start : length mod "
       "2048"},
      {"shared_room", "(longest + (w < 4 and registers > 30 ? free : 0)) / (2 * bytes)"},
      {"shared_room", "(whole + config / (bytes + 1)) / 2"},
      {"cluster_gpc", "(fitting + blocks) * 2 - turn"},
      {"cluster_gpc", "cluster > 2 ? -warps : 64 * own / sms + gpc"},
      {"cluster_gpc_order", "((gpc + gpcs) mod 2, sms)"},
      {"cluster_gpc_order", "cluster > 3 ? -sms : gpc"},
      {"cluster_sms", "(blocks, -place_in_gpc)"},
      {"cluster_sms", "(tpc_blocks, gpc mod 2 == 0 ? place_in_gpc : -place_in_gpc)"},
      {"cluster_sms", "(warps, cluster > 3 ? sms - place_in_gpc : tpc mod 2, -place_in_tpc, -sm)"},
  };
  return formulas;
}

/// Makes them values of this process.
inline void give_odd_formulas() {
  for (const OddFormula& formula : odd_formulas()) {
    formula_value(*find_axis(formula.axis), formula.text);
  }
}

}  // namespace cuvier
