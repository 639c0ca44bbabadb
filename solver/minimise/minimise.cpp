#include "solver/minimise/minimise.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "hypotheses/simulator.h"
#include "probes/an_error.h"
#include "probes/family.h"
#include "solver/minimise/one_kernel.h"

namespace cuvier {
namespace {

constexpr int most_layers = 3;
constexpr int most_tries = 1000;

/// Small probes from scratch, where descent from a large one has come to its end.
class SmallDraws {
 public:
  SmallDraws(const Device& device, Rng& rng) : device_(device), rng_(rng) {}

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
    // Where there are no clusters, nothing is drawn for them: the same seeds find the same.
    if (device_.largest_cluster() > 0 && chance(10)) {
      const int clusters = std::min(kernel.blocks, 2);
      kernel.cluster = uniform(rng_, 1, device_.largest_cluster());
      kernel.blocks = clusters * *kernel.cluster;
    }
    return kernel;
  }

  /// A probe of at most so many kernels and actions.
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

  /// A kernel that fills the device, another one, and between or after them a release on two
  /// SMs. If the first waits for it, the other may overtake it. No kernels where none is found
  /// that fills it.
  Probe crowded() {
    Probe probe{"", {any_demands(), any_demands()}, {{0, {}}}};
    Kernel& crowd = probe.kernels[0];
    int layers = blocks_on_sm(crowd);
    // Many may fit; or none, where what the runtime takes beside it is more than there is.
    for (int tries = 0; layers < 1 || layers > most_layers; layers = blocks_on_sm(crowd)) {
      if (++tries > most_tries) return {};
      crowd = any_demands();
    }
    const bool waits = chance(50);
    if (!waits) layers = uniform(rng_, 1, layers);
    crowd.blocks = layers * device_.sms + uniform(rng_, 1, 2);
    probe.kernels[1].blocks = uniform(rng_, 1, 2);
    if (waits && chance(75)) probe.kernels[1].priority = -1;
    if (chance(25)) crowd.local = 16;
    Release release{0, {}};
    for (int layer = 0; layer < layers; ++layer) {
      for (int sm = 0; sm < std::min(2, device_.sms); ++sm) {
        if (chance(50)) release.blocks.push_back(layer * device_.sms + sm);
      }
    }
    probe.script.push_back({{}, {std::move(release)}});  // of all, if it lists none
    probe.script.insert(probe.script.end() - (waits ? 1 : 0), {1, {}});
    return probe;
  }

 private:
  bool chance(int percent) { return uniform(rng_, 0, 99) < percent; }
  int few_blocks() { return chance(75) ? uniform(rng_, 1, 4) : some_for_each_sm(); }
  int some_for_each_sm() {
    const int sms = device_.sms;
    const std::array counts{sms / 2, sms - 1, sms, sms + 1, 2 * sms, 2 * sms + 1};
    return std::max(1, counts[uniform(rng_, 0, std::ssize(counts) - 1)]);
  }
  int any_shared() {
    if (chance(50)) return 0;
    const auto& configs = device_.shared_configs;
    const int config = configs[uniform(rng_, 0, static_cast<int>(configs.size()) - 1)];
    const int bytes = config / uniform(rng_, 1, 4) - 512 * uniform(rng_, 0, 4);
    return std::clamp(bytes / 512 * 512, 0, device_.max_shared_per_block);
  }
  int blocks_on_sm(const Kernel& kernel) const {
    return static_cast<int>(profile_of(device_, Hypothesis{}, kernel).size());
  }
  Release any_release(const Probe& probe) {
    const int kernel = uniform(rng_, 0, static_cast<int>(probe.kernels.size()) - 1);
    if (chance(50)) return {kernel, {}};
    if (chance(50)) return {kernel, {0}};
    return {kernel, {uniform(rng_, 0, probe.kernels[kernel].blocks - 1)}};
  }

  const Device& device_;
  Rng& rng_;
};

/// In kernels, actions and blocks.
bool is_larger(const Probe& probe, const Probe& other) {
  const auto measures = [](const ProbeSize& size) {
    return std::tuple(size.kernels, size.actions, size.blocks);
  };
  return measures(size_of(probe)) > measures(size_of(other));
}

/// Descends by single reductions, and escapes from where that ends. What it is given must outlive
/// it.
class Minimiser {
 public:
  Minimiser(const Device& device, const Judge& judge, const MinimiseOptions& options)
      : device_(device),
        judge_(judge),
        options_(options),
        rng_(options.seed),
        draws_(device, rng_) {}

  /// From `simple`, if it is there, which nothing found elsewhere is likely to undercut; or else
  /// from the probe.
  Minimised run(const Probe& probe, const std::function<std::optional<Probe>()>& simple = {}) {
    smallest_ = probe;
    std::string cut_short;
    try {
      std::optional<Probe> found;
      if (simple) found = simple();
      smallest_ = found ? descend(*std::move(found)) : with_round_numbers(escape(descend(probe)));
    } catch (const Stopped& early) {
      cut_short = early.why;
    }
    smallest_.name = probe.name;
    return {std::move(smallest_), judged_, std::move(cut_short)};
  }

  bool holds(const Probe& probe) {
    constexpr int between_looks = 16;
    if (++judged_ % between_looks == 0) {
      options_.task.doing("making it smaller: {} probes tried", judged_);
    }
    return size_of(probe).blocks <= options_.most_blocks && judge_(probe);
  }

 private:
  /// Reduces until no single reduction has the property. After a success it goes on from
  /// there instead of from the start: what failed before seldom holds now.
  Probe descend(Probe probe) {
    probe = tidied(probe, device_);
    std::vector<Reduction> reductions = reductions_of(probe);
    std::size_t at = 0;
    for (std::size_t failed = 0; failed < reductions.size();) {
      at %= reductions.size();
      Probe smaller = reductions[at](probe);
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

  void tell(const Probe& probe) {
    const ProbeSize size = size_of(probe);
    if (size < size_of(smallest_)) smallest_ = probe;
    options_.task.doing("making it smaller: kernels {}, actions {}, blocks {}; probes tried {}",
                        size.kernels, size.actions, size.blocks, judged_);
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
    best = merge(std::move(best));
    Probe walker = best;
    for (int missed = 0; missed < options_.escapes; ++missed) {
      const int way = uniform(rng_, 0, size_of(best).actions > 2 ? 2 : 1);
      Probe candidate = way == 0   ? draws_.tiny(size_of(best))
                        : way == 1 ? jump(walker)
                                   : draws_.crowded();
      if (candidate.kernels.empty() || is_larger(candidate, best)) continue;
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

  /// Makes two kernels one that has the blocks of both and the demands of either.
  Probe merge(Probe probe) {
    const int kernels = static_cast<int>(probe.kernels.size());
    for (int kept = 0; kept < kernels; ++kept) {
      for (int other = 0; other < kernels; ++other) {
        if (other == kept) continue;
        Probe merged = probe;
        merged.kernels[kept].blocks += merged.kernels[other].blocks;
        if (!is_legal(merged.kernels[kept], device_)) continue;  // no whole clusters
        merged = without_kernels(merged, other);
        if (holds(merged)) return merge(descend(std::move(merged)));
      }
    }
    return probe;
  }

  /// A neighbour some mutations away, with fewer blocks.
  Probe jump(const Probe& from) {
    Probe probe = from;
    for (int steps = uniform(rng_, 1, 3); steps > 0; --steps) {
      if (uniform(rng_, 0, 99) < 50) {
        probe = mutate(probe, device_, rng_);
      } else {
        const int k = uniform(rng_, 0, static_cast<int>(probe.kernels.size()) - 1);
        const Kernel demands = draws_.any_demands();
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
  SmallDraws draws_;
  Probe smallest_;  ///< so far
  int judged_ = 0;
};

}  // namespace

Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options) {
  if (!judge(probe)) {
    throw Error(probe.name + ": does not have the property that a smaller probe is to keep");
  }
  return Minimiser(device, judge, options).run(probe);
}

Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Simulator one(device, a);
  Simulator other(device, b);
  const Judge judge = [&](const Probe& candidate) {
    return first_parting(one, other, candidate, {}).has_value();
  };
  if (!judge(probe)) {
    throw an_error("{}: {} and {} predict the same for it; name two that differ on it", probe.name,
                   describe(a), describe(b));
  }
  Minimiser minimiser(device, judge, options);
  return minimiser.run(probe, [&] {
    const Judge holds = [&](const Probe& candidate) { return minimiser.holds(candidate); };
    return one_kernel(device, a, b, holds, options.most_blocks);
  });
}

void make_smaller(Distinction& distinction, const Device& device, const Hypothesis& a,
                  const Hypothesis& b, std::uint64_t seed, const Task& task) {
  if (distinction.likelihood) return;
  MinimiseOptions options;
  options.seed = seed;
  options.task = task;
  const Minimised minimised = minimise_between(distinction.probe, device, a, b, options);
  const std::string why = distinction.why + ", then made smaller";
  distinction = distinction_by(minimised.probe, device, a, b).value();
  distinction.why = why;
  if (!minimised.cut_short.empty()) throw Stopped{minimised.cut_short};
}

std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b) {
  Simulator one(device, a);
  Simulator other(device, b);
  const std::optional<Parting> parting = first_parting(one, other, probe, {});
  if (!parting) return std::nullopt;
  return Distinction{probe, seen_through({}, one.preview(probe)),
                     seen_through({}, other.preview(probe)), *parting, "minimising"};
}

}  // namespace cuvier
