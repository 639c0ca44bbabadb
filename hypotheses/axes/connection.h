#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/probe.h"

namespace cuvier {

/// Through which of the device's connections a kernel is launched: a launch that waits for its
/// stream holds up those behind it on the same one ("false serialisation"). No recording shows two
/// streams on one, so the table names no such rule; a formula can say one (`stream mod 8`).
struct Connection {
  enum Value : int { per_stream };
  static constexpr AxisValue values[] = {
      {"per_stream", "one of its stream's own", "stream"},
  };
  static constexpr FormulaName names[] = {
      {"stream", "streams of the probe that were launched into before the kernel's was", 0,
       kMostBlocks},
      {"launched", "kernels of the probe that were launched before it", 0, kMostBlocks},
      asked::priority,
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "the connection; a launch that waits to join the queue holds up those behind it on its own",
      -kMostBlocks, kMostBlocks};
  static constexpr AxisTitle title{Part::queue, "connection",
                                   "through which connection a kernel is launched",
                                   "a kernel is launched through"};

  /// Of a kernel of the probe. One without a stream has one of its own.
  static int of(Value value, const Probe& probe, int kernel) {
    std::vector<int> firsts;  // of each stream
    int launched = 0;
    for (const Action& action : probe.script) {
      if (!action.launch) continue;
      const auto& stream = probe.kernels[*action.launch].stream;
      const auto is_its = [&](int first) {
        return stream && probe.kernels[first].stream == stream;
      };
      const auto first = std::ranges::find_if(firsts, is_its);
      const int number = static_cast<int>(first - firsts.begin());
      if (first == firsts.end()) firsts.push_back(*action.launch);
      if (*action.launch == kernel) {
        return number_by_formula<Connection, PlainIntegers>(
            value, {number, launched, probe.kernels[kernel].priority});
      }
      ++launched;
    }
    return 0;
  }
};

}  // namespace cuvier
