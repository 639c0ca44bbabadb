#include "solver/minimise/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "hypotheses/prediction.h"
#include "hypotheses/scope.h"
#include "probes/error.h"
#include "probes/family.h"
#include "solver/ending/cut_short.h"
#include "solver/minimise/least_resources.h"
#include "solver/minimise/one_release.h"
#include "solver/minimise/single_launch.h"
#include "solver/minimise/size_bounds.h"
#include "solver/minimise/small_draws.h"

namespace cuvier {
namespace {

/// Descends by single reductions, and escapes from where that ends.
class Minimiser {
 public:
  Minimiser(const Device& device, const Judge& judge, const MinimiseOptions& options,
            std::function<Minimality(const ProbeSize&)> bounds)
      : device_(device),
        judge_(judge),
        options_(options),
        bounds_(std::move(bounds)),
        rng_(options.seed),
        draws_(device, rng_) {}

  int judged() const { return judged_; }

  bool holds(const Probe& probe) {
    constexpr int between_looks = 16;
    if (++judged_ % between_looks == 0) {
      options_.doing(fmt::format("making it smaller: {} probes tried", judged_));
    }
    return size_of(probe).blocks <= options_.most_blocks && judge_(probe);
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
    Minimality least = bounds_(size_of(best));
    // Where only resources can still shrink, it is worth less to look.
    const auto most = [&] { return least.blocks.least ? options_.escapes / 10 : options_.escapes; };
    for (int missed = 0; missed < most(); ++missed) {
      const int way = uniform(rng_, 0, size_of(best).actions > 2 ? 2 : 1);
      Probe candidate = way == 0   ? draws_.tiny(size_of(best))
                        : way == 1 ? jump(walker)
                                   : draws_.crowded();
      if (candidate.kernels.empty() || !may_be_smaller(candidate, best, least)) continue;
      if (!holds(candidate)) continue;
      if (size_of(candidate) < size_of(best)) {
        best = merge(descend(std::move(candidate)));
        walker = best;
        missed = 0;
        least = bounds_(size_of(best));
      } else {
        walker = std::move(candidate);
      }
    }
    return best;
  }

 private:
  void tell(const Probe& probe) {
    options_.found(probe);
    const ProbeSize size = size_of(probe);
    options_.doing(
        fmt::format("making it smaller: kernels {}, actions {}, blocks {}; probes tried {}",
                    size.kernels, size.actions, size.blocks, judged_));
  }

  /// In kernels, actions and blocks it is no larger, and in none smaller than is possible.
  static bool may_be_smaller(const Probe& probe, const Probe& best, const Minimality& least) {
    const ProbeSize size = size_of(probe);
    const ProbeSize most = size_of(best);
    if (size.kernels != most.kernels) return size.kernels < most.kernels && !least.kernels.least;
    if (size.actions != most.actions) return size.actions < most.actions && !least.actions.least;
    return size.blocks == most.blocks || (size.blocks < most.blocks && !least.blocks.least);
  }

  /// Tries the simplest probes of one kernel and a release: a block waits for a full device,
  /// and gets the place of one that leaves the first SM.
  Probe one_kernel(const Probe& probe) {
    const ProbeSize size = size_of(probe);
    if (std::tuple(size.kernels, size.actions) <= std::tuple(1, 2)) return probe;
    if (bounds_(size).kernels.least) return probe;
    for (int warps = 1; warps <= device_.max_threads_per_block / 32; ++warps) {
      for (int fit = 1; fit <= device_.warps_per_subpartition(); ++fit) {
        const int registers = device_.registers_per_subpartition() / fit / 256 * 8;
        if (registers == 0) break;
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
  const std::function<Minimality(const ProbeSize&)> bounds_;
  Rng rng_;
  SmallDraws draws_;
  int judged_ = 0;
};

Minimised minimised_by(Minimiser& minimiser, const Probe& probe) {
  if (!minimiser.holds(probe)) {
    throw Error(probe.name + ": does not have the property that a smaller probe is to keep");
  }
  Minimised result;
  result.probe = minimiser.with_round_numbers(minimiser.escape(minimiser.descend(probe)));
  result.probe.name = probe.name;
  result.judged = minimiser.judged();
  const ProbeSize size = size_of(result.probe);
  const std::string no_bound = "nothing can be left out by itself, and search found none smaller";
  auto& [kernels, actions, blocks, resources] = result.least;
  kernels = {size.kernels == 1, size.kernels == 1 ? "a probe has a kernel" : no_bound};
  actions = {kernels.least && size.actions == 1, no_bound};
  if (actions.least) actions.why = "a kernel has to be launched";
  blocks = {actions.least && size.blocks == 1, no_bound};
  if (blocks.least) blocks.why = "a kernel has a block";
  resources = {false, no_bound};
  return result;
}

/// A probe that a search has found, of which it knows this.
Minimised minimised_from(Minimiser& minimiser, Probe found, const std::string& name,
                         const Minimality& least) {
  found.name = name;
  Minimised result{minimiser.descend(std::move(found)), least, 0};
  result.judged = minimiser.judged();
  return result;
}

/// No argument of minimality was written for `outside`, which one of the hypotheses has, or in
/// which they differ.
Minimised minimised_without_arguments(const Probe& probe, const Device& device, const Judge& judge,
                                      const MinimiseOptions& options, const std::string& outside) {
  Minimised result = minimise(probe, device, judge, options);
  auto& [kernels, actions, blocks, resources] = result.least;
  for (Measure* measure : {&kernels, &actions, &blocks, &resources}) {
    if (!measure->least) {
      measure->why = fmt::format("search found none smaller; no proof was written for {}", outside);
    }
  }
  return result;
}

bool differ_in_clusters(const Hypothesis& a, const Hypothesis& b) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).part == Part::clusters && a.values[axis] != b.values[axis]) return true;
  }
  return false;
}

/// The arguments are about probes without clusters; on a device that launches them there are more.
void say_without_clusters(Minimised& minimised) {
  const ProbeSize size = size_of(minimised.probe);
  auto& [kernels, actions, blocks, resources] = minimised.least;
  for (const auto& [measure, value] :
       {std::pair{&kernels, size.kernels}, std::pair{&actions, size.actions},
        std::pair{&blocks, size.blocks}, std::pair{&resources, 2}}) {
    if (measure->least && value > 1) measure->why += ", of probes without clusters";
  }
}

void prove(Measure& measure, const std::optional<std::string>& why) {
  if (why) measure = {true, *why};
}

}  // namespace

Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options) {
  Minimiser minimiser(device, judge, options, [](const ProbeSize&) { return Minimality{}; });
  return minimised_by(minimiser, probe);
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

namespace {

Minimised smallest_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Simulator one(device, a);
  Simulator other(device, b);
  const Judge judge = [&](const Probe& candidate) {
    return first_parting(one, other, candidate, {}).has_value();
  };
  if (!judge(probe)) {
    throw Error(fmt::format("{}: {} and {} predict the same for it; name two that differ on it",
                            probe.name, describe(a), describe(b)));
  }
  for (const Hypothesis* h : {&a, &b}) {
    if (const auto outside = outside_of_claims(*h)) {
      return minimised_without_arguments(probe, device, judge, options, *outside);
    }
    if (leaves_open(*h)) {
      return minimised_without_arguments(probe, device, judge, options, "what drifts");
    }
  }
  if (differ_in_clusters(a, b)) {
    return minimised_without_arguments(probe, device, judge, options, "clusters");
  }
  const Measure one_at_least{true, "a probe has a kernel"};
  const auto trying_every = [&](const char* what) {
    return
        [&options, doing = fmt::format("trying every probe of {}", what)] { options.doing(doing); };
  };
  const std::optional<std::string> alone = why_one_kernel_shows_nothing(a, b);
  const SingleLaunch single =
      alone ? SingleLaunch{{}, true, *alone}
            : smallest_single_launch(device, a, b, trying_every("a single launch"));
  OneRelease release;
  std::map<std::tuple<int, int, int>, Minimality> known;
  const auto known_of = [&](const ProbeSize& size) -> const Minimality& {
    const auto [at, is_new] =
        known.try_emplace(std::tuple(size.kernels, size.actions, size.blocks));
    auto& [kernels, actions, blocks, resources] = at->second;
    if (!is_new) return at->second;
    if (size.kernels == 1) {
      kernels = one_at_least;
      if (single.complete && size.actions == 2) prove(actions, single.reason);
    } else if (size.kernels == 2) {
      prove(kernels, alone);
      if (release.none) prove(kernels, release.reason);
      if (kernels.least && size.actions == 2) prove(actions, "every kernel is launched");
      if (kernels.least && size.actions == 3) prove(actions, why_two_launches_show_nothing(a, b));
      if (actions.least) prove(blocks, why_fewer_blocks_show_nothing(device, a, b, size));
    }
    return at->second;
  };
  Minimiser minimiser(device, judge, options, known_of);
  if (single.kernel && single.kernel->blocks <= options.most_blocks) {
    const Measure searched{single.complete, single.reason};
    return minimised_from(minimiser, {"", {*single.kernel}, {{0, {}}}}, probe.name,
                          {one_at_least, one_at_least, searched, searched});
  }
  if (!alone && single.complete) {
    release = smallest_one_release(device, a, b, options.most_blocks,
                                   trying_every("one kernel and one release"));
    if (release.probe) {
      return minimised_from(minimiser, *release.probe, probe.name,
                            {one_at_least,
                             {true, single.reason},
                             {release.blocks, release.reason},
                             {release.resources, release.reason}});
    }
  }
  Minimised result = minimised_by(minimiser, probe);
  const Minimality& bounds = known_of(size_of(result.probe));
  for (const auto measure : {&Minimality::kernels, &Minimality::actions, &Minimality::blocks}) {
    if ((bounds.*measure).least) result.least.*measure = bounds.*measure;
  }
  const ProbeSize size = size_of(result.probe);
  if (size.kernels == 2 && size.actions == 2) {
    const Judge watched =
        [&, looking = trying_every("two launches with less resources")](const Probe& candidate) {
          looking();
          return judge(candidate);
        };
    LeastResources least = least_resources(result.probe, device, watched);
    for (; least.probe; least = least_resources(result.probe, device, watched)) {
      result.probe = std::move(*least.probe);
    }
    result.least.resources =
        least.complete
            ? Measure{true, "every smaller probe of two launches and simple demands was tried"}
            : Measure{false, "probes of two launches with less resources are too many to try"};
  }
  return result;
}

}  // namespace

Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options) {
  Probe smallest = probe;
  MinimiseOptions watched = options;
  watched.found = [&](const Probe& found) {
    if (size_of(found) < size_of(smallest)) smallest = found;
  };
  try {
    Minimised minimised = smallest_between(probe, device, a, b, watched);
    if (device.largest_cluster() > 0) say_without_clusters(minimised);
    return minimised;
  } catch (const CutShort& cut_short) {
    smallest.name = probe.name;
    return {smallest, {}, 0, cut_short.why};
  }
}

}  // namespace cuvier
