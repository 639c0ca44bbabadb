#include "solver/minimise/one_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "hypotheses/prediction.h"
#include "solver/minimise/demand_classes.h"
#include "solver/minimise/lone_sm.h"
#include "solver/minimise/minimise.h"

// Idea. Blocks that are placed after a release were waiting for it: so the launch had filled the
// device, with the c blocks of the kernel that each SM takes and at least one that waits. All SMs
// then have the same history, and a release leaves on each some of its 2^c subsets. The choice
// compares keys of SMs, so the hypotheses part first where they order some two SMs differently,
// or where an SM takes a block under one of them only. All pairs of histories of one SM are
// looked at (what is left of the c blocks, and how many came since), of every kernel that fills
// an SM with few blocks; c by c, since it decides the number of blocks.
//
// Where a cursor takes part, or groups, a choice does not compare two SMs alone. Then releases
// on a few SMs are tried, and least is only what the argument above leaves no room below.

namespace cuvier {
namespace {

constexpr int largest_fill = 5;
constexpr int most_tried = 3000;

bool compares_keys(const Hypothesis& h) {
  const Selection::Value selection = h.get<Selection>();
  return h.get<Hierarchy>() == Hierarchy::flat && selection != Selection::paired &&
         h.get<DispatchBatch>() == DispatchBatch::single && !Selection::has_cursor(selection);
}

/// A free SM is chosen by its place in an order that stays while each takes one block at most.
bool keeps_an_order(const Hypothesis& h) {
  const Selection::Value selection = h.get<Selection>();
  return compares_keys(h) ||
         (h.get<Hierarchy>() == Hierarchy::flat &&
          h.get<DispatchBatch>() == DispatchBatch::single &&
          (selection == Selection::round_robin || selection == Selection::next_fit));
}

/// Kernels of which an SM takes so many blocks, one of each kind, the simplest first.
using Kinds = std::map<int, std::vector<Kernel>>;

/// What is left of a full SM's blocks, and what came since.
struct History {
  unsigned released = 0;
  int placed = 0;
  int key_a = 0;
  int key_b = 0;
};

/// Two SMs on which the choice differs; or one, if it takes a block under one hypothesis only.
struct Parting {
  Kernel kernel;
  int blocks = 0;
  int released = 0;  ///< blocks
  std::vector<unsigned> subsets;
};

class ReleaseSearch {
 public:
  ReleaseSearch(const Device& device, const Hypothesis& a, const Hypothesis& b, int most_blocks,
                const Task& task)
      : device_(device), a_(a), b_(b), most_blocks_(most_blocks), task_(task) {}

  OneRelease run() {
    const bool by_keys = compares_keys(a_) && compares_keys(b_);
    OneRelease result = by_keys ? compare_histories() : try_some();
    // With one block more than SMs, all that can happen is that one waits until SMs are idle.
    const bool none_waits = most_blocks_ <= device_.sms && keeps_an_order(a_) && keeps_an_order(b_);
    if (none_waits ||
        (!result.probe && most_blocks_ <= device_.sms + 1 && least_fill_without_ > 1)) {
      result.none = true;
      result.reason = fmt::format(
          "no probe of one kernel and at most {} blocks does: one block at most can wait for an "
          "SM, and goes to the same whichever are idle",
          most_blocks_);
    }
    return result;
  }

 private:
  int full(int fill) const { return device_.sms * fill; }

  // -- kernels --------------------------------------------------------------

  const Kinds& kinds() {
    if (!kinds_.empty()) return kinds_;
    std::set<std::tuple<int, int, int, int, int>> seen;
    const std::vector<int> shared = shared_classes(device_);
    for (int threads = 32; threads <= device_.max_threads_per_block; threads += 32) {
      for (const int registers : register_classes(device_)) {
        Kernel kernel{"k1", 1, threads, registers, 0, 0, 0, std::nullopt};
        if (!is_legal(kernel, device_)) continue;
        task_.still();
        const int in_file = static_cast<int>(warp_profile(device_, a_, kernel).size());
        const int a_warp = RegisterGranularity::per_warp(Concrete{a_}, registers);
        const int b_warp = RegisterGranularity::per_warp(Concrete{b_}, registers);
        for (const int bytes : shared) {
          kernel.shared = bytes;
          const int in_a = blocks_in_shared(device_, a_, kernel);
          const int in_b = blocks_in_shared(device_, b_, kernel);
          const int fill = std::min(in_file, in_a);
          if (fill < 1 || fill > largest_fill) continue;
          // Beyond this the space ends nowhere near.
          const int far = 2 * device_.max_blocks_per_sm;
          const std::tuple kind{threads, a_warp, b_warp, std::min(in_a, far), std::min(in_b, far)};
          if (seen.insert(kind).second) kinds_[fill].push_back(kernel);
        }
      }
    }
    return kinds_;
  }

  // -- by all histories of an SM --------------------------------------------

  OneRelease compare_histories() {
    OneRelease result;
    std::vector<Parting> partings;
    int looked_at = 0;
    for (const auto& [fill, kernels] : kinds()) {
      if (full(fill) + 1 > most_blocks_) break;
      if (!partings.empty() && full(fill) + 1 > partings.front().blocks) break;
      for (const Kernel& kernel : kernels) {
        task_.still();
        add_partings(kernel, fill, partings);
      }
      looked_at += static_cast<int>(kernels.size());
      std::ranges::stable_sort(partings, {}, [&](const Parting& p) {
        const Kernel& k = p.kernel;
        return std::tuple(p.blocks, p.released, !is_simple(k, device_), k.warps(), k.registers,
                          k.shared);
      });
      if (partings.empty()) least_fill_without_ = fill + 1;
    }
    for (const Parting& parting : partings) {
      if (parting.blocks > most_blocks_ || tried_ > most_tried) break;
      result.probe = realised(parting);
      if (!result.probe) continue;
      result.blocks = parting.blocks == partings.front().blocks;
      result.resources = &parting == &partings.front();
      result.reason = fmt::format(
          "a single launch shows nothing; of one release, all histories of an SM under {} kernels "
          "were "
          "compared in pairs",
          looked_at);
      return result;
    }
    result.reason = fmt::format(
        "a single launch shows nothing; histories of an SM that takes up to {} blocks of one "
        "kernel show "
        "no difference to one release",
        largest_fill);
    return result;
  }

  /// The least of this kernel's.
  void add_partings(const Kernel& kernel, int fill, std::vector<Parting>& partings) const {
    LoneSm full_a(device_, a_, kernel);
    LoneSm full_b(device_, b_, kernel);
    for (int block = 0; block < fill; ++block) {
      full_a.place();
      full_b.place();
    }
    std::vector<Parting> found;
    std::vector<History> histories;
    const auto add = [&](int placed, std::vector<unsigned> subsets) {
      int released = 0;
      for (const unsigned subset : subsets) released += std::popcount(subset);
      found.push_back({kernel, full(fill) + 1 + placed, released, std::move(subsets)});
    };
    for (unsigned subset = 1; subset < (1U << fill); ++subset) {
      LoneSm a = full_a;
      LoneSm b = full_b;
      for (int position = fill - 1; position >= 0; --position) {
        if ((subset >> position) % 2 == 0) continue;
        a.release(position);
        b.release(position);
      }
      int placed = 0;
      for (; a.fits() && b.fits(); ++placed) {
        histories.push_back({subset, placed, a.key(), b.key()});
        a.place();
        b.place();
      }
      if (a.fits() != b.fits()) add(placed, {subset});
    }
    for (const History& one : histories) {
      for (const History& other : histories) {
        if ((one.key_a < other.key_a) != (one.key_b < other.key_b)) {
          add(one.placed + other.placed, {one.released, other.released});
        }
      }
    }
    const auto size = [](const Parting& p) { return std::tuple(p.blocks, p.released); };
    std::ranges::stable_sort(found, {}, size);
    for (const Parting& parting : found) {
      if (size(parting) == size(found.front())) partings.push_back(parting);
    }
  }

  std::optional<Probe> realised(const Parting& parting) {
    Kernel kernel = parting.kernel;
    kernel.blocks = parting.blocks;
    const auto blocks = blocks_by_sm(kernel);
    if (blocks.size() < 2) return std::nullopt;
    for (const bool swapped : {false, true}) {
      std::map<int, unsigned> released;
      for (std::size_t i = 0; i < parting.subsets.size(); ++i) {
        released[swapped ? 1 - static_cast<int>(i) : static_cast<int>(i)] = parting.subsets[i];
      }
      if (auto probe = telling(kernel, blocks, released)) return probe;
    }
    return std::nullopt;
  }

  // -- by trial ---------------------------------------------------------------

  OneRelease try_some() {
    OneRelease result;
    const bool some_order = keeps_an_order(a_) && keeps_an_order(b_);
    for (const auto& [fill, kernels] : kinds()) {
      // Where each SM takes one block, it does not matter of which kernel it is.
      const bool one_each_alike = fill == 1 && some_order && same_order(kernels.front());
      if (one_each_alike) least_fill_without_ = 2;
      if (one_each_alike || tried_ > most_tried) continue;
      for (const Kernel& kernel : kernels) {
        result.probe = try_releases(kernel, fill);
        if (!result.probe) continue;
        const auto waits = [](const Hypothesis& h) {
          return h.get<Selection>() == Selection::sticky_round_robin;
        };
        result.blocks = !(waits(a_) && waits(b_)) && fill <= least_fill_without_ &&
                        result.probe->kernels[0].blocks == full(fill) + 1;
        result.reason = fmt::format(
            "a single launch shows nothing; before a block waits for a release, every SM has {} of "
            "its "
            "kernel",
            fill);
        return result;
      }
    }
    result.reason = "a single launch shows nothing";
    return result;
  }

  /// Whether SMs of which each takes one block of the kernel are gone through in one order, all
  /// but one of them at a time; three show the order of all.
  bool same_order(Kernel kernel) {
    kernel.blocks = 2 * device_.sms;
    const auto blocks = blocks_by_sm(kernel);
    if (static_cast<int>(blocks.size()) != device_.sms) return false;
    for (int kept = 0; kept < std::min(3, device_.sms); ++kept) {
      std::map<int, unsigned> released;
      for (int sm = 0; sm < device_.sms; ++sm) {
        if (sm != kept) released[sm] = 1;
      }
      if (telling(kernel, blocks, released)) return false;
    }
    return true;
  }

  /// Releases on some of the first SMs that blocks go to.
  std::optional<Probe> try_releases(Kernel kernel, int fill) {
    kernel.blocks = full(fill) + 1;
    if (kernel.blocks > most_blocks_) return std::nullopt;
    const auto blocks = blocks_by_sm(kernel);
    std::vector<int> pool;
    for (const int sm : {0, 1, device_.sms / 2, device_.sms / 2 + 1}) {
      if (sm < static_cast<int>(blocks.size()) && std::ranges::find(pool, sm) == pool.end()) {
        pool.push_back(sm);
      }
    }
    const unsigned subsets = 1U << fill;
    unsigned ways = 1;
    for (std::size_t i = 0; i < pool.size(); ++i) ways *= subsets;
    std::vector<std::pair<int, unsigned>> in_order;
    for (unsigned way = 1; way < ways; ++way) in_order.push_back({std::popcount(way), way});
    std::ranges::sort(in_order);
    for (const auto& [count, way] : in_order) {
      std::map<int, unsigned> released;
      unsigned rest = way;
      for (const int sm : pool) {
        if (rest % subsets != 0) released[sm] = rest % subsets;
        rest /= subsets;
      }
      if (tried_ > most_tried) break;
      if (auto probe = telling(kernel, blocks, released)) return probe;
    }
    return std::nullopt;
  }

  // -- probes -----------------------------------------------------------------

  /// The blocks on each SM once the device is full, SMs in the order in which they get their
  /// first.
  std::vector<std::vector<int>> blocks_by_sm(const Kernel& kernel) const {
    const Observation seen = predict(device_, a_, Probe{"", {kernel}, {{0, {}}}});
    std::vector<std::vector<int>> blocks;
    if (seen.steps[0].started.empty()) return blocks;
    const Started& started = seen.steps[0].started[0];
    std::map<int, std::size_t> place;
    for (std::size_t i = 0; i < started.sm.size(); ++i) {
      const auto [at, is_new] = place.try_emplace(started.sm[i], blocks.size());
      if (is_new) blocks.emplace_back();
      blocks[at->second].push_back(started.block[i]);
    }
    return blocks;
  }

  /// The probe that releases these subsets of the SMs' blocks, if it tells the two apart.
  std::optional<Probe> telling(const Kernel& kernel, const std::vector<std::vector<int>>& blocks,
                               const std::map<int, unsigned>& released) {
    Release release;
    for (const auto& [sm, subset] : released) {
      for (std::size_t i = 0; i < blocks[sm].size(); ++i) {
        if ((subset >> i) % 2 == 1) release.blocks.push_back(blocks[sm][i]);
      }
    }
    std::ranges::sort(release.blocks);
    task_.still();
    ++tried_;
    Probe probe{"", {kernel}, {{0, {}}, {{}, {std::move(release)}}}};
    if (!distinction_by(probe, device_, a_, b_)) return std::nullopt;
    return probe;
  }

  const Device& device_;
  const Hypothesis& a_;
  const Hypothesis& b_;
  const int most_blocks_;
  const Task& task_;
  Kinds kinds_;
  int least_fill_without_ = 1;  ///< SMs that take fewer blocks of the kernel show nothing
  int tried_ = 0;
};

}  // namespace

OneRelease smallest_one_release(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                int most_blocks, const Task& task) {
  return ReleaseSearch(device, a, b, most_blocks, task).run();
}

}  // namespace cuvier
