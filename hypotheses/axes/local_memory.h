#pragma once

#include <algorithm>

#include "hypotheses/axis.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// How a kernel that needs more local memory than the device is set up for is treated.
struct LocalMemory {
  enum Value : int { grow_when_idle, set_when_idle, ignored };
  static constexpr AxisValue values[] = {
      {"grow_when_idle", "waits for an idle device, whose setting then grows to what it needs",
       "local > grown"},
      {"set_when_idle", "waits for an idle device, whose setting then becomes what it needs",
       "local > latest"},
      {"ignored", "never waits", "0 == 1"},
  };
  static constexpr FormulaName names[] = {
      {"local", "bytes of a thread that the kernel needs", 0, kMostLocal},
      {"grown", "the most that a block needed which did not have to wait, the device idle or not",
       0, kMostLocal},
      {"latest", "what the latest block needed that found the device idle", 0, kMostLocal},
      {"users", "other kernels with blocks on the device that need local memory", 0, kMostBlocks},
      {"wanted", "bytes of a thread times the warps of a block", 0, kMostLocal},
      {"held", "the same, of all blocks that are on the device together", 0, kMostLocal},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether the kernel waits, asked at each try unless the device is idle"};
  static constexpr AxisTitle title{Part::queue, "local_memory",
                                   "when a kernel waits for local memory",
                                   "a kernel that needs more local memory than is set"};

  /// A kernel that may have to wait, and what it finds on the device.
  struct Asking {
    int local;
    int users;   ///< others that need any
    int wanted;  ///< bytes of a thread times the warps of a block
    int held;    ///< the same, of all blocks
  };

  /// What the device is set up for, bytes a thread, whichever value holds.
  struct Setting {
    int grown = 0;   ///< under grow_when_idle
    int latest = 0;  ///< under set_when_idle; never more

    /// A block that needs so much found the device idle.
    void found_idle(int local) {
      grown = std::max(grown, local);
      latest = local;
    }
    /// Whether a kernel need not wait, where the device is not idle. Whoever a formula lets go has
    /// what it needs from then on.
    bool lets(Value value, const Asking& asking) {
      const auto& [local, users, wanted, held] = asking;
      switch (value) {
        case grow_when_idle:
          return local <= grown;
        case set_when_idle:
          return local <= latest;
        case ignored:
          return true;
      }
      if (condition_by_formula<LocalMemory, PlainIntegers>(
              value, {local, grown, latest, users, wanted, held})) {
        return false;
      }
      grown = std::max(grown, local);
      return true;
    }
    /// What it is under that value; of a formula, which has none, the most that it was.
    int in_force(Value value) const { return value == set_when_idle ? latest : grown; }

    bool operator==(const Setting&) const = default;
  };
};

}  // namespace cuvier
