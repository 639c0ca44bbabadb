#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "probes/rng.h"

namespace cuvier::by_the_page {

/// One grid of small blocks on an idle device, placed in pairs under `pairs_in_flight=drifting`:
/// what docs/reference/scheduler.md says of that, once more, and as plainly as it goes. It takes
/// nothing from the product, so that it can judge it.
struct Setting {
  enum Policy { fewest_blocks, round_robin, first_fit };
  int sms = 2;
  int slots = 16;  ///< blocks on an SM
  int blocks = 8;  ///< of the grid, which goes on when all that fitted have left
  int margin = 0;
  int lag = 0;
  bool from_two = false;
  Policy policy = fewest_blocks;  ///< ties: the lowest SM
};

/// One outcome after another, by trying every way at every moment.
class Outcomes {
 public:
  explicit Outcomes(const Setting& setting) : setting_(setting) {}

  /// Whether the grid's blocks, in order, may go to these SMs.
  bool have(const std::vector<int>& sms) {
    seen_ = &sms;
    rng_ = nullptr;
    failed_.clear();
    return go_on(start());
  }

  /// Any outcome. A pick joins others at one moment of so many that it could.
  std::vector<int> draw(Rng& rng, int one_in) {
    seen_ = nullptr;
    rng_ = &rng;
    one_in_ = one_in;
    failed_.clear();
    go_on(start());
    return drawn_;
  }

 private:
  struct Pick {
    int sm;
    int blocks;  ///< that it still gives out
    auto operator<=>(const Pick&) const = default;
  };
  struct State {
    std::vector<int> started;      ///< the SM of each block
    std::vector<Pick> in_flight;   ///< whose turn it is first
    std::vector<int> left_before;  ///< each pick: blocks without a place
    std::vector<int> held;         ///< blocks on each SM, by place
    int placed = 0;
    int cursor = 0;  ///< of round_robin
    int joined = 0;  ///< more than may be in flight anyway
    bool pairs_are_over = false;
    auto operator<=>(const State&) const = default;
  };

  State start() const { return {{}, {}, {}, std::vector<int>(setting_.sms)}; }

  /// What may be in flight anyway once so many picks were made.
  int anyway(int picks) const { return setting_.from_two && picks >= 4 ? 2 : 1; }
  int left(const State& s) const { return setting_.blocks - s.placed; }
  bool fits(const State& s, int sm) const { return s.held[sm] < setting_.slots; }

  std::optional<int> choice(const State& s) const {
    std::optional<int> best;
    for (int i = 0; i < setting_.sms; ++i) {
      const int sm = setting_.policy == Setting::round_robin ? (s.cursor + i) % setting_.sms : i;
      if (!fits(s, sm)) continue;
      if (!best || (setting_.policy == Setting::fewest_blocks && s.held[sm] < s.held[*best])) {
        best = sm;
      }
    }
    return best;
  }

  /// Tries what may happen next; true once an outcome was reached.
  bool go_on(State s) {
    if (!failed_.insert(s).second) return false;  // it was here before
    if (seen_ && !std::equal(s.started.begin(), s.started.end(), seen_->begin())) return false;
    if (std::ssize(s.started) == setting_.blocks) {
      drawn_ = s.started;
      return true;
    }
    const std::optional<int> sm = left(s) > 0 ? choice(s) : std::nullopt;
    if (s.in_flight.empty()) {
      if (sm) return join(s, *sm);
      // All wait: those that are there leave, and the idle device returns the cursor.
      std::ranges::fill(s.held, 0);
      s.cursor = 0;
      return go_on(s);
    }
    const bool may_join = sm && left(s) >= 2 * setting_.sms &&
                          std::ranges::find(s.in_flight, *sm, &Pick::sm) == s.in_flight.end();
    if (!may_join) return give_out(s);
    const int picks = static_cast<int>(s.left_before.size());
    if (std::ssize(s.in_flight) < anyway(picks) + s.joined) return join(s, *sm);
    if (rng_ && uniform(*rng_, 1, one_in_) > 1) return give_out(s);
    return join(s, *sm) || give_out(s);
  }

  bool give_out(State s) {
    Pick pick = s.in_flight.front();
    s.in_flight.erase(s.in_flight.begin());
    s.started.push_back(pick.sm);
    if (--pick.blocks > 0) s.in_flight.push_back(pick);
    return go_on(s);
  }

  /// The next pick, to that SM.
  bool join(State s, int sm) {
    s.left_before.push_back(left(s));
    const int pick = static_cast<int>(s.left_before.size()) - 1;
    const auto are_many = [&](int picks_earlier) {
      return s.left_before[std::max(0, pick - picks_earlier)] > 2 * setting_.sms + setting_.margin;
    };
    bool may_be_late = false;
    for (int age = setting_.lag; s.joined > 0 && age <= anyway(pick + 1) + s.joined; ++age) {
      may_be_late |= are_many(age);
    }
    if (left(s) <= 1) return place(s, sm, false);
    if (are_many(setting_.lag)) return place(s, sm, true);
    if (may_be_late && !s.pairs_are_over) {
      if (rng_ && uniform(*rng_, 0, 1) == 1) return place(s, sm, true);
      if (!rng_ && place(s, sm, true)) return true;
    }
    s.pairs_are_over = true;
    return place(s, sm, false);
  }

  bool place(State s, int sm, bool pair) {
    const auto take = [&] {
      ++s.held[sm];
      ++s.placed;
    };
    take();
    Pick pick{sm, 1};
    if (pair && fits(s, sm)) {
      take();
      ++pick.blocks;
    }
    s.cursor = (sm + 1) % setting_.sms;
    s.in_flight.push_back(pick);
    const int picks = static_cast<int>(s.left_before.size());
    s.joined = std::max(s.joined, static_cast<int>(s.in_flight.size()) - anyway(picks));
    return go_on(s);
  }

  Setting setting_;
  const std::vector<int>* seen_ = nullptr;  ///< what it has to be; none: whatever is drawn
  Rng* rng_ = nullptr;
  int one_in_ = 1;
  std::vector<int> drawn_;
  std::set<State> failed_;
};

}  // namespace cuvier::by_the_page
