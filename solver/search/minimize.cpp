#include "solver/search/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "hypotheses/prediction.h"
#include "probes/error.h"
#include "probes/family.h"
#include "solver/search/single_launch.h"

namespace cuvier {
namespace {

/// Descends by single reductions, and escapes from where that ends.
class Minimiser {
 public:
  Minimiser(const Device& device, const Judge& judge, const MinimiseOptions& options)
      : device_(device), judge_(judge), options_(options), rng_(options.seed) {}

  int judged() const { return judged_; }

  bool holds(const Probe& probe) {
    ++judged_;
    return judge_(probe);
  }

  /// Reduces until no single reduction has the property. After a success it goes on from
  /// there instead of from the start: what failed before seldom holds now.
  Probe descend(Probe probe) {
    probe = tidied(probe, device_);
    std::vector<Reduction> reductions = reductions_of(probe);
    std::size_t at = 0;
    for (std::size_t failed = 0; failed < reductions.size();) {
      at %= reductions.size();
      Probe smaller = reduced(probe, reductions[at]);
      if (holds(smaller)) {
        probe = tidied(smaller, device_);
        reductions = reductions_of(probe);
        failed = 0;
        tell(probe);
      } else {
        ++failed;
        ++at;
      }
    }
    return probe;
  }

  /// Prefers round numbers, where they do as well. Nothing but resources grows.
  Probe with_round_numbers(Probe probe) {
    for (std::size_t k = 0; k < probe.kernels.size(); ++k) {
      Probe rounder = probe;
      rounder.kernels[k] = rounded_up(rounder.kernels[k]);
      const bool differs = rounder != probe && is_legal(rounder.kernels[k], device_);
      if (differs && holds(rounder)) probe = std::move(rounder);
    }
    return descend(std::move(probe));
  }

  /// Tries to leave the local minimum for a smaller probe, by a walk among others that are
  /// not larger in what counts most.
  Probe escape(Probe best) {
    best = merge(one_kernel(std::move(best)));
    Probe walker = best;
    for (int missed = 0; missed < options_.escapes; ++missed) {
      Probe candidate = chance(50) ? tiny(size_of(best)) : jump(walker);
      if (candidate.kernels.empty() || !no_larger(candidate, best)) continue;
      if (!holds(candidate)) continue;
      if (size_of(candidate) < size_of(best)) {
        best = merge(descend(std::move(candidate)));
        walker = best;
        missed = 0;
      } else {
        walker = std::move(candidate);
      }
    }
    return best;
  }

 private:
  bool chance(int percent) { return uniform(rng_, 0, 99) < percent; }

  int any_kernel(const Probe& probe) {
    return uniform(rng_, 0, static_cast<int>(probe.kernels.size()) - 1);
  }

  void tell(const Probe& probe) {
    const ProbeSize size = size_of(probe);
    options_.doing(fmt::format("{} kernels, {} actions, {} blocks; {} probes tried", size.kernels,
                               size.actions, size.blocks, judged_));
  }

  /// In kernels, actions and blocks.
  static bool no_larger(const Probe& probe, const Probe& best) {
    ProbeSize most = size_of(best);
    const ProbeSize size = size_of(probe);
    return std::tie(size.kernels, size.actions, size.blocks) <=
           std::tie(most.kernels, most.actions, most.blocks);
  }

  /// Tries the simplest probes of one kernel and a release: a block waits for a full device,
  /// and gets the place of one that leaves the first SM.
  Probe one_kernel(const Probe& probe) {
    const ProbeSize size = size_of(probe);
    if (std::tuple(size.kernels, size.actions) <= std::tuple(1, 2)) return probe;
    for (int warps = 1; warps <= device_.max_threads_per_block / 32; ++warps) {
      for (int fit = 1; fit <= device_.warps_per_subpartition(); ++fit) {
        const int registers = device_.registers_per_subpartition() / fit / 256 * 8;
        Kernel kernel{"k1", 1, warps * 32, std::min(registers, device_.max_registers_per_thread),
                      0,    0, 0,          std::nullopt};
        if (!is_legal(kernel, device_)) continue;
        const int held = std::min(4 * fit / warps, device_.max_blocks_per_sm);
        kernel.blocks = device_.sms * held + 1;
        for (int layer = 0; layer < held; ++layer) {
          const Release release{0, {device_.sms * layer}};
          Probe candidate{probe.name, {kernel}, {{0, {}}, {{}, {release}}}};
          if (holds(candidate)) return descend(std::move(candidate));
        }
      }
    }
    return probe;
  }

  /// Makes two kernels one that has the blocks of both and the demands of either.
  Probe merge(Probe probe) {
    const int kernels = static_cast<int>(probe.kernels.size());
    for (int kept = 0; kept < kernels; ++kept) {
      for (int other = 0; other < kernels; ++other) {
        if (other == kept) continue;
        Probe merged = probe;
        merged.kernels[kept].blocks += merged.kernels[other].blocks;
        merged = without_kernels(merged, other);
        if (holds(merged)) return merge(descend(std::move(merged)));
      }
    }
    return probe;
  }

  int few_blocks() { return chance(75) ? uniform(rng_, 1, 4) : some_for_each_sm(); }

  int some_for_each_sm() {
    const int sms = device_.sms;
    const std::array counts{sms / 2, sms - 1, sms, sms + 1, 2 * sms, 2 * sms + 1};
    return std::max(1, counts[uniform(rng_, 0, std::ssize(counts) - 1)]);
  }

  /// Demands of which a few blocks fill an SM, or nearly: that is where rules differ.
  Kernel any_demands() {
    static constexpr std::array warps{1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32};
    static constexpr std::array registers{16, 16, 32, 64, 80, 96, 128, 160, 168, 208, 255};
    Kernel kernel;
    kernel.blocks = few_blocks();
    do {
      kernel.threads = 32 * warps[uniform(rng_, 0, std::ssize(warps) - 1)];
      kernel.registers = registers[uniform(rng_, 0, std::ssize(registers) - 1)];
      kernel.shared = any_shared();
    } while (!is_legal(kernel, device_));
    if (chance(5)) kernel.local = 16 << uniform(rng_, 0, 4);
    if (chance(5)) kernel.priority = -1;
    if (chance(5)) kernel.stream = "a";
    return kernel;
  }

  int any_shared() {
    if (chance(50)) return 0;
    const auto& configs = device_.shared_configs;
    const int config = configs[uniform(rng_, 0, static_cast<int>(configs.size()) - 1)];
    const int bytes = config / uniform(rng_, 1, 4) - 512 * uniform(rng_, 0, 4);
    return std::clamp(bytes / 512 * 512, 0, device_.max_shared_per_block);
  }

  /// A probe from scratch, of at most so many kernels and actions.
  Probe tiny(const ProbeSize& most) {
    Probe probe;
    const int kernels = std::max(1, std::min(most.kernels, 4) - uniform(rng_, 0, 1));
    int releases = uniform(rng_, 0, std::min(2, most.actions - kernels));
    for (int k = 0; k < kernels; ++k) {
      probe.kernels.push_back(any_demands());
      // A kernel less is worth many blocks.
      if (kernels < most.kernels && chance(25)) probe.kernels[k].blocks = some_for_each_sm();
      probe.script.push_back({k, {}});
      if (releases > 0 && chance(50)) {
        probe.script.push_back({{}, {any_release(probe)}});
        --releases;
      }
    }
    if (releases > 0) probe.script.push_back({{}, {any_release(probe)}});
    return probe;
  }

  Release any_release(const Probe& probe) {
    const int kernel = any_kernel(probe);
    if (chance(50)) return {kernel, {}};
    if (chance(50)) return {kernel, {0}};
    return {kernel, {uniform(rng_, 0, probe.kernels[kernel].blocks - 1)}};
  }

  /// A neighbour some mutations away, with fewer blocks.
  Probe jump(const Probe& from) {
    Probe probe = from;
    for (int steps = uniform(rng_, 1, 3); steps > 0; --steps) {
      if (chance(50)) {
        probe = mutate(probe, device_, rng_);
      } else {
        const int k = any_kernel(probe);
        const Kernel demands = any_demands();
        probe = with_blocks(probe, k, demands.blocks);
        probe.kernels[k] = demands;
      }
    }
    return tidied(probe, device_);
  }

  const Device& device_;
  const Judge& judge_;
  const MinimiseOptions& options_;
  Rng rng_;
  int judged_ = 0;
};

bool same_placements(const Observation& a, const Observation& b) {
  return std::ranges::equal(a.steps, b.steps, [](const Step& one, const Step& other) {
    return std::ranges::equal(one.started, other.started, [](const Started& s, const Started& t) {
      return s.kernel == t.kernel && s.block == t.block && s.sm == t.sm;
    });
  });
}

Observation placements_only(Observation observation) {
  for (Step& step : observation.steps) {
    step.shared_config.clear();
    for (Started& started : step.started) started.warp_slot.clear();
  }
  return observation;
}

Minimised minimised_by(Minimiser& minimiser, const Probe& probe) {
  if (!minimiser.holds(probe)) {
    throw Error(probe.name + ": does not have the property that a smaller probe is to keep");
  }
  Minimised result;
  result.probe = minimiser.with_round_numbers(minimiser.escape(minimiser.descend(probe)));
  result.probe.name = probe.name;
  result.judged = minimiser.judged();
  const ProbeSize size = size_of(result.probe);
  result.least.kernels = size.kernels == 1;
  result.least.actions = result.least.kernels && size.actions == 1;
  result.least.blocks = result.least.actions && size.blocks == 1;
  return result;
}

}  // namespace

Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options) {
  Minimiser minimiser(device, judge, options);
  return minimised_by(minimiser, probe);
}

std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b) {
  Observation under_a = placements_only(predict(device, a, probe));
  Observation under_b = placements_only(predict(device, b, probe));
  const std::optional<Parting> parting = first_parting(under_a, under_b);
  if (!parting) return std::nullopt;
  return Distinction{probe, std::move(under_a), std::move(under_b), *parting, "minimising"};
}

Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Simulator one(device, a);
  Simulator other(device, b);
  const Judge judge = [&](const Probe& candidate) {
    return !same_placements(one.preview(candidate), other.preview(candidate));
  };
  if (!judge(probe)) {
    throw Error(fmt::format("{}: {} and {} predict the same for it; name two that differ on it",
                            probe.name, describe(a), describe(b)));
  }
  Minimiser minimiser(device, judge, options);
  options.doing("trying every probe of a single launch");
  const SingleLaunch single = smallest_single_launch(device, a, b);
  if (single.kernel) {
    Probe launch{probe.name, {*single.kernel}, {{0, {}}}};
    Minimised result{minimiser.descend(launch),
                     {true, true, single.complete, single.reason},
                     minimiser.judged()};
    result.probe.name = probe.name;
    return result;
  }
  Minimised result = minimised_by(minimiser, probe);
  result.least.reason = single.reason;
  const ProbeSize size = size_of(result.probe);
  if (const auto reason = why_one_kernel_shows_nothing(a, b); reason && size.kernels == 2) {
    result.least.kernels = true;
    result.least.reason = *reason;
  }
  // Every kernel has a launch, and a block.
  const int fewest_actions = size.kernels == 1 && single.complete ? 2 : size.kernels;
  result.least.actions = result.least.kernels && size.actions == fewest_actions;
  result.least.blocks = result.least.actions && size.blocks == size.kernels;
  return result;
}

}  // namespace cuvier
