#include "solver/minimise/one_kernel.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <vector>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

constexpr int allocated_together = 8;  // registers of a thread

/// By what warps and registers alone allow.
Profile warp_profile(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  const Concrete domain{hypothesis};
  const OnKernel on{device, kernel};
  WarpFile<Concrete> file;
  Profile profile;
  for (int n = 0; n < device.max_blocks_per_sm && evaluate(FitsWarps{on}, domain, file); ++n) {
    profile.push_back(evaluate(RoomForWarps{on}, domain, file));
    file = evaluate(PlaceWarps{on}, domain, std::move(file));
  }
  return profile;
}

/// How many blocks shared memory holds, up to what the SM has slots for. They lie side by side,
/// and a carve-out that only this kernel uses is the one that idle SMs take for it.
int blocks_in_shared(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  const Concrete domain{hypothesis};
  const OnKernel on{device, kernel};
  const int bytes = evaluate(SharedBytes{on}, domain);
  if (bytes == 0) return device.max_blocks_per_sm;
  const bool scoped = hypothesis.get<ConfigScope>() != ConfigScope::none;
  const int config = scoped
                         ? evaluate(TargetConfig{on}, domain, evaluate(PreferredConfig{on}, domain))
                         : device.largest_config();
  return std::min(config / bytes, device.max_blocks_per_sm);
}

Profile combined(const Profile& by_warps, int most) {
  Profile profile;
  for (int n = 0; n < most && n < std::ssize(by_warps); ++n) {
    profile.push_back(std::min(by_warps[n], most - n));
  }
  return profile;
}

constexpr int largest_fill = 4;  // blocks on an SM of which some are released
constexpr int most_late = 2;     // blocks that come after the release
constexpr int most_released = 4;
constexpr int most_tried = 200'000;  // on two TPCs
constexpr int most_judged = 1'000;   // of these

/// Two TPCs of the device, where a probe is predicted in a fraction of the time: they show what is
/// in SMs, and of the choice among them what two or three SMs show.
Device two_tpcs(Device device) {
  device.sms = std::min(device.sms, 2 * device.sms_per_tpc);
  if (!device.gpc_of_sm.empty()) device.gpc_of_sm.assign(device.sms, 0);
  device.tpc_of_sm.clear();
  return device;
}

Hypothesis on(const Device& device, Hypothesis hypothesis) {
  std::erase_if(hypothesis.order, [&](int sm) { return sm >= device.sms; });
  return hypothesis;
}

Probe launch_of(const Kernel& kernel) { return {"", {kernel}, {{0, {}}}}; }

/// The blocks that the SMs which are filled first hold of a kernel, and those of the SM halfway if
/// each holds one: they are the first SMs of their TPCs, or not.
std::vector<int> blocks_on_some_sms(Simulator& simulator, const Kernel& kernel, int fill) {
  const Observation seen = simulator.preview(launch_of(kernel));
  if (seen.steps[0].started.empty()) return {};
  const Started& started = seen.steps[0].started[0];
  std::vector<int> in_order;
  std::map<int, std::vector<int>> on_sm;
  for (std::size_t i = 0; i < started.sm.size(); ++i) {
    std::vector<int>& here = on_sm[started.sm[i]];
    if (here.empty()) in_order.push_back(started.sm[i]);
    here.push_back(started.block[i]);
  }
  std::set<int> places{0, 1};
  if (fill == 1) places.insert(simulator.device().sms / 2);
  std::vector<int> blocks;
  for (const int place : places) {
    if (place >= std::ssize(in_order)) continue;
    const auto& here = on_sm[in_order[place]];
    blocks.insert(blocks.end(), here.begin(), here.end());
  }
  return blocks;
}

class OneKernelSearch {
 public:
  OneKernelSearch(const Device& device, const Hypothesis& a, const Hypothesis& b,
                  const Judge& judge, int most_blocks)
      : judge_(judge),
        // Of larger grids nothing is certain where a hypothesis drifts.
        largest_grid_(leaves_open(a) || leaves_open(b)
                          ? std::min(most_blocks, PairsInFlight::fewest(device))
                          : most_blocks),
        under_a_(device, a),
        under_b_(device, b),
        few_(two_tpcs(device)),
        few_under_a_(few_, on(few_, a)),
        few_under_b_(few_, on(few_, b)),
        fillings_(fillings(device, a, b)) {}

  std::optional<Probe> run() {
    if (auto launch = launched()) return launch;
    for (int fill = 1; fill <= largest_fill; ++fill) {
      for (int late = 1; late <= most_late; ++late) {
        for (const Filling& filling : fillings_) {
          if (std::ssize(filling.under_a) != fill) continue;
          if (auto found = released(filling.kernel, fill, late)) return found;
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// Each kernel fills the device once, or as much of it as is still worth looking at.
  std::optional<Probe> launched() {
    std::optional<Probe> best;
    int most = largest_grid_;
    std::set<std::pair<Profile, Profile>> seen;
    for (const auto& [kernel, under_a, under_b] : fillings_) {
      if (!seen.insert({under_a, under_b}).second) continue;
      Probe probe = launch_of(kernel);
      int& blocks = probe.kernels[0].blocks;
      const auto held = static_cast<int>(std::max(under_a.size(), under_b.size()));
      blocks = std::min(most, under_a_.device().sms * held);
      if (blocks < 1 || !judge_(probe)) continue;
      // It needs no blocks behind the first that goes elsewhere, unless pairs are placed.
      blocks = first_parting(under_a_, under_b_, probe, {})->block + 1;
      while (!judge_(probe)) ++blocks;
      most = blocks - 1;
      best = probe;
    }
    return best;
  }

  /// With some blocks more than the device takes, and a release of a few.
  std::optional<Probe> released(Kernel kernel, int fill, int late) {
    kernel.blocks = under_a_.device().sms * fill + late;
    if (kernel.blocks > largest_grid_) return std::nullopt;
    Kernel few = kernel;
    few.blocks = few_.sms * fill + late;
    const std::vector<int> blocks = blocks_on_some_sms(few_under_a_, few, fill);
    for (int count = 1; count <= most_released; ++count) {
      for (unsigned subset = 1; subset < 1U << blocks.size(); ++subset) {
        if (std::popcount(subset) != count) continue;
        if (++tried_ > most_tried || judged_ > most_judged) return std::nullopt;
        const Probe on_few = releasing(few, blocks, subset);
        if (!first_parting(few_under_a_, few_under_b_, on_few, {})) continue;
        ++judged_;
        Probe probe = releasing(kernel, blocks_on_some_sms(under_a_, kernel, fill), subset);
        if (judge_(probe)) return probe;
      }
    }
    return std::nullopt;
  }

  static Probe releasing(const Kernel& kernel, const std::vector<int>& blocks, unsigned subset) {
    Probe probe = launch_of(kernel);
    Release release{0, {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (subset >> i & 1) release.blocks.push_back(blocks[i]);
    }
    std::ranges::sort(release.blocks);
    probe.script.push_back({{}, {std::move(release)}});
    return probe;
  }

  const Judge& judge_;
  const int largest_grid_;
  Simulator under_a_;
  Simulator under_b_;
  const Device few_;
  Simulator few_under_a_;
  Simulator few_under_b_;
  const std::vector<Filling> fillings_;
  int tried_ = 0;
  int judged_ = 0;
};

}  // namespace

Profile profile_of(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  return combined(warp_profile(device, hypothesis, kernel),
                  blocks_in_shared(device, hypothesis, kernel));
}

std::vector<Filling> fillings(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  std::vector<Filling> fillings;
  const int most_registers = device.max_registers_per_thread;
  for (int threads = kThreadsPerWarp; threads <= device.max_threads_per_block;
       threads += kThreadsPerWarp) {
    for (int r = kFewestRegisters; r < most_registers + allocated_together;
         r += allocated_together) {
      Kernel kernel{"k1", 1, threads, std::min(r, most_registers), 0, 0, 0, std::nullopt};
      if (!is_legal(kernel, device)) continue;
      const Profile warps_a = warp_profile(device, a, kernel);
      const Profile warps_b = warp_profile(device, b, kernel);
      std::set<std::pair<int, int>> seen;
      for (const int step : {1024, 128}) {  // whole KiB where these do
        for (int bytes = 0; bytes <= device.max_shared_per_block; bytes += step) {
          kernel.shared = bytes;
          const int in_a = blocks_in_shared(device, a, kernel);
          const int in_b = blocks_in_shared(device, b, kernel);
          // Beyond what warps allow it makes no difference how many there would be.
          const auto most = [](const Profile& warps) { return static_cast<int>(warps.size()) + 1; };
          if (!seen.insert({std::min(in_a, most(warps_a)), std::min(in_b, most(warps_b))}).second) {
            continue;
          }
          fillings.push_back({kernel, combined(warps_a, in_a), combined(warps_b, in_b)});
        }
      }
    }
  }
  return fillings;
}

std::optional<Probe> one_kernel(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                const Judge& judge, int most_blocks) {
  return OneKernelSearch(device, a, b, judge, most_blocks).run();
}

}  // namespace cuvier
