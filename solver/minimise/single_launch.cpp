#include "solver/minimise/single_launch.h"

#include <fmt/format.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <set>
#include <vector>

#include "hypotheses/grids.h"
#include "hypotheses/sm_rules.h"
#include "solver/minimise/demand_classes.h"

// Idea. While one kernel is dispatched and nothing is released, an SM is known by the number n
// of blocks that it holds, and the choice among SMs sees no more of the kernel than whether
// another block fits and how much room there is, as functions of n: its *profile*. (Resident
// warps and blocks grow with n whatever the kernel; so does the usage, which is the largest of
// four shares that never shrink.) Kernels of equal profiles under both hypotheses are placed
// alike, so one of them is asked (demand_classes.h).
//
// A grid of b blocks is placed as the first b blocks of a larger one are, except that
// dispatch_batch=pair looks at how many are left; it does so only beyond 2 * sms blocks.

namespace cuvier {
namespace {

constexpr int threads_per_warp = 32;
constexpr int most_predictions = 200'000;
constexpr int at_once = 64;

bool choose_alike(const Hypothesis& a, const Hypothesis& b) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const Part part = axis_info(axis).part;
    const bool of_sms = part == Part::warps || part == Part::shared_memory;
    if (!of_sms && a.values[axis] != b.values[axis]) return false;
  }
  return a.order == b.order;
}

bool pairs(const Hypothesis& hypothesis) {
  return hypothesis.get<DispatchBatch>() == DispatchBatch::pair;
}

/// A pair is placed only while more blocks are left than twice the SMs and a margin.
int fewest_to_show(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const bool of_batches = axis_info(axis).part == Part::batches;
    if (!of_batches && a.values[axis] != b.values[axis]) return 1;
  }
  const auto margin = [](const Hypothesis& h) { return BatchMargin::blocks(h.get<BatchMargin>()); };
  const int least_margin =
      pairs(a) && pairs(b) ? std::min(margin(a), margin(b)) : margin(pairs(a) ? a : b);
  return a.order == b.order ? 2 * device.sms + least_margin + 1 : 1;
}

/// A kernel's grids under both hypotheses.
class BothGrids {
 public:
  BothGrids(const Device& device, const Hypothesis& a, const Hypothesis& b, const Kernel& kernel)
      : a_(device, a, kernel), b_(device, b, kernel) {}

  /// Of each size from the first to the last the first block that goes elsewhere under the other
  /// hypothesis; no size is less than the last time.
  std::vector<std::optional<int>> partings(int first, int last) {
    std::vector<std::vector<int>> in_a;
    std::vector<std::vector<int>> in_b;
    tbb::parallel_invoke(
        [&] {
          for (int blocks = first; blocks <= last; ++blocks) in_a.push_back(a_.sms_of(blocks));
        },
        [&] {
          for (int blocks = first; blocks <= last; ++blocks) in_b.push_back(b_.sms_of(blocks));
        });
    std::vector<std::optional<int>> partings(in_a.size());
    for (std::size_t i = 0; i < in_a.size(); ++i) {
      if (in_a[i] == in_b[i]) continue;
      partings[i] = static_cast<int>(std::ranges::mismatch(in_a[i], in_b[i]).in1 - in_a[i].begin());
    }
    return partings;
  }

 private:
  Grids a_;
  Grids b_;
};

/// The search over kernels of different profiles.
class LaunchSearch {
 public:
  LaunchSearch(const Device& device, const Hypothesis& a, const Hypothesis& b, const Task& task)
      : device_(device),
        a_(a),
        b_(b),
        task_(task),
        choose_alike_(choose_alike(a, b)),
        fewest_(fewest_to_show(device, a, b)) {}

  SingleLaunch run() {
    const std::vector<int> registers = register_classes(device_);
    const std::vector<int> shared = shared_classes(device_);
    for (int threads = threads_per_warp; threads <= device_.max_threads_per_block;
         threads += threads_per_warp) {
      for (const int r : registers) consider({"k1", 1, threads, r, 0, 0, 0, {}}, shared);
    }
    const bool complete = predictions_ <= most_predictions;
    std::string reason =
        complete ? fmt::format(
                       "every probe of a single launch was searched, up to {} kernels that fill "
                       "an SM differently, in grids of any size{}",
                       seen_.size(), best_ ? "" : "; none tells the two apart")
                 : fmt::format("single launches were too many to search: {} predictions were made",
                               most_predictions);
    return {best_, complete, std::move(reason)};
  }

 private:
  /// Looks at kernels of these warps and registers, and all shared memory.
  void consider(Kernel kernel, const std::vector<int>& shared) {
    if (best_ && best_->blocks == fewest_) return;
    if (!is_legal(kernel, device_)) return;
    task_.still();
    const Profile warps_a = warp_profile(device_, a_, kernel);
    const Profile warps_b = warp_profile(device_, b_, kernel);
    std::set<std::pair<int, int>> counts;
    for (const int bytes : shared) {
      kernel.shared = bytes;
      const int in_a = std::min(device_.max_blocks_per_sm, blocks_in_shared(device_, a_, kernel));
      const int in_b = std::min(device_.max_blocks_per_sm, blocks_in_shared(device_, b_, kernel));
      if (!counts.insert({in_a, in_b}).second) continue;
      const auto [profiles, is_new] =
          seen_.insert({combined(device_, warps_a, in_a), combined(device_, warps_b, in_b)});
      if (is_new && !(choose_alike_ && profiles->first == profiles->second)) {
        ask(kernel, std::max(profiles->first.size(), profiles->second.size()));
      }
    }
  }

  /// Looks for the smallest grid of the kernel, smaller than the best so far, that shows a
  /// difference; `most` blocks fill an SM.
  void ask(const Kernel& kernel, std::size_t most) {
    const int sms = device_.sms;
    const int full = sms * static_cast<int>(most);
    BothGrids grids(device_, a_, b_, kernel);
    if (!pairs(a_) && !pairs(b_)) {
      try_grid(kernel, grids, full);
      return;
    }
    // Beyond this, all that fits is placed while more are left than any rule looks at.
    const int largest = full + 2 * sms + BatchMargin::largest + 2 * BatchLag::longest + 2;
    if (try_grid(kernel, grids, std::min(full, 2 * sms))) return;
    for (int first = 2 * sms + 1; first <= largest; first += at_once) {
      if (try_grids(kernel, grids, first, std::min(first + at_once - 1, largest))) return;
    }
  }

  /// The same for each size from the first to the last.
  bool try_grids(const Kernel& kernel, BothGrids& grids, int first, int last) {
    if (best_) last = std::min(last, best_->blocks - 1);
    if (last < first || (predictions_ += last - first + 1) > most_predictions) return true;
    task_.still();
    const auto parted = grids.partings(first, last);
    const auto smallest =
        std::ranges::find_if(parted, [](const auto& at) { return at.has_value(); });
    if (smallest == parted.end()) return false;
    best_ = kernel;
    best_->blocks = first + static_cast<int>(smallest - parted.begin());
    return true;
  }

  /// True if there is nothing more to find in larger grids. Blocks before the first that goes
  /// elsewhere show it without those behind it, unless pairs are placed: then those may have made
  /// it.
  bool try_grid(const Kernel& kernel, BothGrids& grids, int blocks) {
    if (best_) blocks = std::min(blocks, best_->blocks - 1);
    if (blocks < 1 || ++predictions_ > most_predictions) return true;
    task_.still();
    const std::optional<int> parting = grids.partings(blocks, blocks).front();
    if (!parting) return false;
    best_ = kernel;
    best_->blocks = *parting + 1;
    return true;
  }

  const Device& device_;
  const Hypothesis& a_;
  const Hypothesis& b_;
  const Task& task_;
  const bool choose_alike_;
  const int fewest_;  ///< blocks that may show anything
  std::set<std::pair<Profile, Profile>> seen_;
  std::optional<Kernel> best_;
  int predictions_ = 0;
};

}  // namespace

SingleLaunch smallest_single_launch(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                    const Task& task) {
  return LaunchSearch(device, a, b, task).run();
}

}  // namespace cuvier
