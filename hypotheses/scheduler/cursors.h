#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/axes/selection.h"
#include "hypotheses/scheduler/placing_kernel.h"

namespace cuvier {

/// What the choice among SMs remembers of earlier blocks: where round-robin selections are, that is
/// the SM or group last chosen (-1: at the start), and what formulas read of it.
struct Cursors {
  std::vector<int> sm;  ///< by group of the hierarchy in force; one if flat
  int group = -1;
  std::vector<int> since{};     ///< by SM, those that were chosen since it was; none: nobody was
  std::vector<int> freed{};     ///< likewise, releases since a block left it
  std::vector<int> received{};  ///< likewise, warps that came to it
  int picks = 0;                ///< times that one was chosen

  bool at_start() const {
    return group < 0 && since.empty() && freed.empty() && received.empty() && picks == 0 &&
           std::ranges::all_of(sm, [](int cursor) { return cursor < 0; });
  }
  /// Of so many SMs this one was chosen.
  void choose(int chosen, int sms) {
    since.resize(sms, sms);
    const int before = std::exchange(since[chosen], -1);
    for (int& each : since) each += each < before;
  }
  /// Of so many SMs this one got a block of so many warps.
  void receive(int sm, int warps, int sms) {
    received.resize(sms);
    received[sm] = std::min(received[sm] + warps, Selection::kMostReceived);
  }
  /// Blocks leave, together; and one of them leaves that SM, of so many.
  void release_begins() {
    for (int& each : freed) each = std::min(each + 1, kMostSms);
  }
  void leave(int sm, int sms) {
    freed.resize(sms, kMostSms);
    freed[sm] = 0;
  }
  /// What a formula of the selection reads of them, of an SM of so many.
  Seen<Selection, int> seen(int of_sm, int sms) const {
    Seen<Selection, int> seen;
    seen["sm"] = of_sm;
    seen["since"] = since.empty() ? sms : since[of_sm];
    seen["freed"] = freed.empty() ? kMostSms : freed[of_sm];
    seen["received"] = received.empty() ? 0 : received[of_sm];
    seen["picks"] = picks;
    return seen;
  }
  bool operator==(const Cursors&) const = default;
};

/// A group's turn under GroupTurn::each_sm_once.
struct TurnOfGroup {
  std::optional<PlacingKernel> kernel;
  int group = -1;
  std::vector<int> used;

  void begin(PlacingKernel k, int whose) {
    kernel = k;
    group = whose;
    used.clear();
  }
  bool has_used(int sm) const { return std::ranges::find(used, sm) != used.end(); }
  bool operator==(const TurnOfGroup&) const = default;
};

}  // namespace cuvier
