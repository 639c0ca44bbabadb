#include "solver/minimise/minimiser.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "probes/error.h"

namespace cuvier {
namespace {

/// In kernels, actions and blocks it is no larger, and in none smaller than is possible.
bool may_be_smaller(const Probe& probe, const Probe& best, const Minimality& least) {
  const ProbeSize size = size_of(probe);
  const ProbeSize most = size_of(best);
  if (size.kernels != most.kernels) return size.kernels < most.kernels && !least.kernels.least;
  if (size.actions != most.actions) return size.actions < most.actions && !least.actions.least;
  return size.blocks == most.blocks || (size.blocks < most.blocks && !least.blocks.least);
}

}  // namespace

Minimiser::Minimiser(const Device& device, const Judge& judge, const MinimiseOptions& options,
                     Bounds bounds)
    : device_(device),
      judge_(judge),
      options_(options),
      bounds_(std::move(bounds)),
      rng_(options.seed),
      draws_(device, rng_) {}

bool Minimiser::holds(const Probe& probe) {
  constexpr int between_looks = 16;
  if (++judged_ % between_looks == 0) {
    options_.task.doing(fmt::format("making it smaller: {} probes tried", judged_));
  }
  return size_of(probe).blocks <= options_.most_blocks && judge_(probe);
}

/// Reduces until no single reduction has the property. After a success it goes on from
/// there instead of from the start: what failed before seldom holds now.
Probe Minimiser::descend(Probe probe) {
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
Probe Minimiser::with_round_numbers(Probe probe) {
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
Probe Minimiser::escape(Probe best) {
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

void Minimiser::tell(const Probe& probe) {
  options_.found(probe);
  const ProbeSize size = size_of(probe);
  options_.task.doing(
      fmt::format("making it smaller: kernels {}, actions {}, blocks {}; probes tried {}",
                  size.kernels, size.actions, size.blocks, judged_));
}

/// Tries the simplest probes of one kernel and a release: a block waits for a full device,
/// and gets the place of one that leaves the first SM.
Probe Minimiser::one_kernel(const Probe& probe) {
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
Probe Minimiser::merge(Probe probe) {
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
Probe Minimiser::jump(const Probe& from) {
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

Minimised Minimiser::run(const Probe& probe) {
  if (!holds(probe)) {
    throw Error(probe.name + ": does not have the property that a smaller probe is to keep");
  }
  Minimised result;
  result.probe = with_round_numbers(escape(descend(probe)));
  result.probe.name = probe.name;
  result.judged = judged_;
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

Minimised Minimiser::run_from(Probe found, const std::string& name, const Minimality& least) {
  found.name = name;
  Minimised result{descend(std::move(found)), least, 0};
  result.judged = judged_;
  return result;
}

}  // namespace cuvier
