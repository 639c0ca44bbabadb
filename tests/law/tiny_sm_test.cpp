// An SM so small that everything that can happen to it can be tried: what is proved of its warps
// and registers is so, what is so is proved, and few actions show what differs
// (docs/design/proofs.md).

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <set>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/rule.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "solver/proof/equivalence.h"
#include "tests/law/drawn.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using File = WarpFile<Concrete>;

/// Two warp slots and 512 registers in each subpartition; three blocks.
Device tiny_device() {
  Device device = small_device(2);
  device.gpc_of_sm.clear();
  device.max_blocks_per_sm = 3;
  device.max_warps_per_sm = 8;
  device.registers_per_sm = 2048;
  device.max_threads_per_block = 128;
  return device;
}

/// One kernel of each kind that such an SM can tell apart.
std::vector<Kernel> tiny_kernels() {
  std::vector<Kernel> kernels;
  for (int warps = 1; warps <= 4; ++warps) {
    for (const int registers : {8, 16}) {
      Kernel& k = kernels.emplace_back();
      k.blocks = 1;
      k.threads = 32 * warps;
      k.registers = registers;
    }
  }
  return kernels;
}

constexpr std::size_t most_states = 40'000;

std::vector<int> key_of(const File& file) {
  std::vector<int> key{file.pointer};
  key.insert(key.end(), file.used_slots.begin(), file.used_slots.end());
  key.insert(key.end(), file.used_registers.begin(), file.used_registers.end());
  for (const auto& holding : file.holdings) {
    key.insert(key.end(), holding.warps.begin(), holding.warps.end());
    key.push_back(holding.registers_per_warp);
  }
  for (const auto& i : file.registers.intervals) {
    for (const int part : {i.space, i.base, i.size, i.owner}) key.push_back(part);
  }
  return key;
}

struct TinyExploration {
  std::optional<int> difference;  ///< fewest blocks and releases that show one
  bool complete = true;           ///< everything was tried
};

TinyExploration explore(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  struct Pair {
    File a;
    File b;
    int actions = 0;
  };
  const Concrete under_a{a};
  const Concrete under_b{b};
  static const std::vector<Kernel> kernels = tiny_kernels();
  std::set<std::vector<int>> seen;
  std::deque<Pair> open;
  const auto visit = [&](Pair pair) {
    pair.a.last_route.clear();
    pair.b.last_route.clear();
    std::vector<int> key = key_of(pair.a);
    key.push_back(-1);
    for (const int part : key_of(pair.b)) key.push_back(part);
    if (seen.insert(std::move(key)).second) open.push_back(std::move(pair));
  };
  visit({});
  for (; !open.empty(); open.pop_front()) {
    if (seen.size() > most_states) return {std::nullopt, false};
    const Pair& now = open.front();
    const bool full = static_cast<int>(now.a.holdings.size()) >= device.max_blocks_per_sm;
    for (std::size_t k = 0; k < kernels.size() && !full; ++k) {
      const OnKernel on{device, kernels[k]};
      const bool fits = evaluate(FitsWarps{on}, under_a, now.a);
      if (fits != evaluate(FitsWarps{on}, under_b, now.b)) return {now.actions + 1};
      if (evaluate(RoomForWarps{on}, under_a, now.a) !=
          evaluate(RoomForWarps{on}, under_b, now.b)) {
        return {now.actions + 1};
      }
      if (!fits) continue;
      visit({evaluate(PlaceWarps{on}, under_a, now.a), evaluate(PlaceWarps{on}, under_b, now.b),
             now.actions + 1});
    }
    for (int block = 0; block < static_cast<int>(now.a.holdings.size()); ++block) {
      visit({evaluate(ReleaseWarps{block}, under_a, now.a),
             evaluate(ReleaseWarps{block}, under_b, now.b), now.actions + 1});
    }
    if (now.a.holdings.empty()) {  // the rest of the device may be idle, too, or not
      const ResetWarps idle{PointerReset::When::device_idle};
      visit({evaluate(idle, under_a, now.a), evaluate(idle, under_b, now.b), now.actions});
    }
  }
  return {};
}

TEST(TinySm, AnswersAlikeExactlyWhereThatIsProved) {
  const Device device = tiny_device();
  Rng rng(3);
  const int points = drawn(90);
  int proved = 0;
  int not_proved = 0;
  int explored = 0;
  const auto draw = [&](Hypothesis& h, auto axis) {
    const int index = index_of<decltype(axis)>();
    h.values[index] = static_cast<std::uint8_t>(uniform(rng, 0, axis_size(index) - 1));
  };
  for (int point = 0; point < points; ++point) {
    Hypothesis a;  // under most_room, so that room is asked
    draw(a, WarpPlacement{});
    draw(a, RegisterPool{});
    draw(a, RegisterLayout{});
    draw(a, PointerSkip{});
    draw(a, PointerReset{});
    draw(a, RoomWarps{});
    Hypothesis b = a;
    draw(b, PointerSkip{});
    draw(b, PointerReset{});
    if (point % 3 == 0) draw(b, WarpPlacement{});
    if (point % 6 == 1) {  // the first subpartition is the fullest
      a.set<WarpPlacement>(WarpPlacement::fixed_start);
      a.set<RegisterLayout>(RegisterLayout::renamed);
      b = a;
    }
    if (point % 5 == 0 || point % 6 == 1) draw(b, RoomWarps{});
    const auto [difference, complete] = explore(device, a, b);
    const bool alike = classify(device, {a, b}, {}, {}, 2).classes.size() == 1;
    if (alike) {
      EXPECT_FALSE(difference) << describe(a) << " and " << describe(b);
    }
    proved += alike;
    not_proved += !alike && !difference && complete;
    explored += complete || difference;
    const auto placed_by_load = [](const Hypothesis& h) {
      return h.get<WarpPlacement>() == WarpPlacement::skip_full ||
             h.get<WarpPlacement>() == WarpPlacement::least_loaded;
    };
    if (difference) {
      EXPECT_LE(*difference, placed_by_load(a) || placed_by_load(b) ? 5 : 3)
          << describe(a) << " and " << describe(b);
    }
  }
  EXPECT_GT(proved, points / 4);
  EXPECT_GT(explored, points / 2);
  EXPECT_EQ(not_proved, 0);
}

}  // namespace
}  // namespace cuvier
