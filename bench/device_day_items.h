#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/exact_steps.h"
#include "probes/family.h"

/// What bench_device_day asks a device, as docs/howto/device-day.md lists it.
namespace cuvier::device_day {

inline Kernel kernel_of(const std::string& name, int blocks, int threads, int registers) {
  return {.name = name, .blocks = blocks, .threads = threads, .registers = registers};
}

/// Gives probes one after the other; nullopt: there are no more.
using Source = std::function<std::optional<Probe>(int index)>;

struct Item {
  std::string name;
  double share;  ///< of the time that is left when its turn comes
  int repeat;
  Source source;
  bool times = false;            ///< whether it is kept when each block started
  std::chrono::seconds idle{0};  ///< the device, before each probe
};

inline Source from(std::vector<Probe> probes) {
  return [probes = std::move(probes)](int index) {
    return index < std::ssize(probes) ? std::optional(probes[index]) : std::nullopt;
  };
}

inline Source drawn(const Device& device, Rng& seeds, std::vector<std::string> names, int count) {
  std::vector<ProbeFamily> families = probe_families(device);
  std::erase_if(families, [&](const ProbeFamily& family) {
    return std::ranges::find(names, family.name) == names.end();
  });
  return [&device, families, count, rng = Rng(seeds())](int index) mutable {
    if (index >= count) return std::optional<Probe>();
    return std::optional(families[index % families.size()].draw(device, rng));
  };
}

/// How wide the blocks of a grid are, and how far its size is from the round one.
struct Shape {
  int threads;
  std::vector<int> offsets;
};

/// The plainest first; with another seed any other.
inline Shape shape_of(const Device& device, int seed, Rng& rng, int plain_threads) {
  if (seed == 0) return {plain_threads, {-2, -1, 0, 1, 2}};
  Shape shape{32 << uniform(rng, 0, 3), {}};
  for (int i = 0; i < 5; ++i) {
    shape.offsets.push_back(uniform(rng, -device.sms / 2, device.sms / 2));
  }
  return shape;
}

inline std::vector<Probe> order(const Device& device, int seed, Rng& rng) {
  const int sms = device.sms;
  const int threads = shape_of(device, seed, rng, 32).threads;
  const int most = sms * std::min(device.max_blocks_per_sm, device.max_warps_per_sm * 32 / threads);
  std::vector<Probe> probes;
  for (const int blocks : {sms, sms / 2, 2 * sms, 3 * sms, most}) {
    probes.push_back(launch_all(fmt::format("order-{}-of-{}", blocks, threads),
                                {kernel_of("k", blocks, threads, 16)}));
  }
  for (const int blocks : {1, sms / 2, sms}) {
    probes.push_back(launch_all(
        fmt::format("order-{}-of-{}-twice", blocks, 2 * threads),
        {kernel_of("k1", blocks, 2 * threads, 32), kernel_of("k2", blocks, 2 * threads, 32)}));
  }
  return probes;
}

/// Of narrow and of wide blocks, as far as all of a grid is resident at once.
inline std::vector<Probe> large_grids(const Device& device, int seed, Rng& rng) {
  const Shape plain = shape_of(device, seed, rng, 128);
  std::set<int> widths = {32, plain.threads, 512};
  std::vector<Probe> probes;
  for (int multiple = 1; multiple <= 8; ++multiple) {
    for (const int threads : widths) {
      if (multiple * threads > 32 * device.max_warps_per_sm) continue;
      for (const int off : plain.offsets) {
        const int blocks = multiple * device.sms + off;
        probes.push_back(launch_all(fmt::format("large-grid-{}-of-{}", blocks, threads),
                                    {kernel_of("k", blocks, threads, 32)}));
      }
    }
  }
  return probes;
}

/// As many clusters of each size as there is room for, an SM a block or several; then any.
inline std::vector<Probe> clusters(const Device& device, Rng& rng) {
  std::vector<Probe> probes;
  for (int size = 1; size <= device.largest_cluster(); size *= 2) {
    for (const int shared : {device.max_shared_per_block, 0}) {
      Kernel kernel = kernel_of("k", device.sms / size * size, 32, 32);
      kernel.shared = shared;
      kernel.cluster = size;
      probes.push_back(launch_all(
          fmt::format("clusters-of-{}-{}", size, shared > 0 ? "apart" : "together"), {kernel}));
    }
  }
  for (const ProbeFamily& family : probe_families(device)) {
    for (int i = 0; family.needs_clusters && i < 100; ++i) {
      probes.push_back(family.draw(device, rng));
    }
  }
  return probes;
}

/// As many clusters as an SM's room for so many of their blocks gives, and half as many.
inline std::vector<Probe> crowded_clusters(const Device& device) {
  std::vector<Probe> probes;
  for (int size = 1; size <= device.largest_cluster(); size *= 2) {
    for (int each = 4; each <= device.max_blocks_per_sm; each *= 2) {
      for (const int part : {2, 1}) {
        Kernel kernel = kernel_of("k", device.sms * each / part / size * size, 32, 32);
        kernel.shared = (device.largest_config() / each - 1024) / 128 * 128;
        kernel.cluster = size;
        probes.push_back(launch_all(
            fmt::format("clusters-of-{}-{}-an-sm-{}", size, each, part == 1 ? "full" : "half"),
            {kernel}));
      }
    }
  }
  return probes;
}

/// A kernel on all SMs that leaves half of each, then another that prefers another
/// shared-memory configuration: does it wait, and which blocks of the first for?
inline std::vector<Probe> carve_outs(const Device& device) {
  const int threads = 32 * device.max_warps_per_sm / 2;
  const auto on_all = [&](const std::string& name, int config) {
    Kernel kernel = kernel_of(name, device.sms, std::min(threads, device.max_threads_per_block),
                              device.registers_per_sm / (2 * threads) / 8 * 8);
    kernel.shared = std::max(config / 2 - 1024, 0);
    return kernel;
  };
  std::vector<Probe> probes;
  for (const int before : device.shared_configs) {
    for (const int after : device.shared_configs) {
      if (before == after) continue;
      Probe probe = launch_all(fmt::format("carve-out-{}-after-{}", after, before),
                               {on_all("before", before), on_all("after", after)});
      for (const int block : {0, 1, 2, 3}) probe.script.push_back({{}, {{0, {block}}}});
      probes.push_back(std::move(probe));
    }
  }
  return probes;
}

/// Every block leaves alone and, as the plain model has it, none waits at the end: then all of a
/// run counts, and its session goes on. None where that cannot be, or takes long.
inline std::optional<Probe> one_at_a_time(const Device& device, const Probe& drawn) {
  constexpr std::size_t most_actions = 250;
  Probe probe = drawn;
  probe.script.clear();
  const auto release_all = [&](int kernel) {
    for (int block = 0; block < probe.kernels[kernel].blocks; ++block) {
      probe.script.push_back({{}, {{kernel, {block}}}});
    }
  };
  for (const Action& action : drawn.script) {
    if (action.launch) probe.script.push_back(action);
    for (const Release& release : action.releases) {
      if (release.blocks.empty()) release_all(release.kernel);
      for (const int block : release.blocks) {
        probe.script.push_back({{}, {{release.kernel, {block}}}});
      }
    }
  }
  const auto is_calm = [&] { return !leaves_unknown(predict(device, {}, probe), probe); };
  if (!is_calm()) release_all(0);  // the first kernel is what keeps others out
  return probe.script.size() <= most_actions && is_calm() ? std::optional(probe) : std::nullopt;
}

inline Source one_at_a_time(const Device& device, Source source) {
  return [&device, source, next = 0](int) mutable {
    for (;;) {
      const std::optional<Probe> drawn = source(next++);
      if (!drawn) return drawn;
      if (const auto probe = one_at_a_time(device, *drawn)) return probe;
    }
  };
}

/// After some seconds, in which a device may fall asleep.
inline std::vector<Probe> after_idle(const Device& device) {
  std::vector<Probe> probes;
  for (const int blocks : {device.sms, 2 * device.sms, device.sms / 2}) {
    probes.push_back(
        launch_all(fmt::format("after-idle-{}", blocks), {kernel_of("k", blocks, 32, 16)}));
  }
  return probes;
}

/// The paper's table on another device: grids by the number of SMs, shared memory by the
/// largest block's.
inline std::vector<Probe> scaled_table(const Device& device, const std::string& path) {
  const RecordingSet table = read_recordings(path);
  std::vector<Probe> probes;
  for (const Recording& recording : table.recordings) {
    Probe probe = recording.probe;
    for (Kernel& kernel : probe.kernels) {
      if (kernel.blocks >= table.device.sms / 2) {
        kernel.blocks = kernel.blocks * device.sms / table.device.sms;
      }
      kernel.shared =
          static_cast<int>(static_cast<long long>(kernel.shared) * device.max_shared_per_block /
                           table.device.max_shared_per_block / 1024 * 1024);
    }
    for (Action& action : probe.script) {
      const auto is_gone = [&](const Release& release, int block) {
        return block >= probe.kernels[release.kernel].blocks;
      };
      // Without a block it would be of all.
      std::erase_if(action.releases, [&](const Release& release) {
        return !release.blocks.empty() && is_gone(release, std::ranges::min(release.blocks));
      });
      for (Release& release : action.releases) {
        std::erase_if(release.blocks, [&](int block) { return is_gone(release, block); });
      }
    }
    std::erase_if(probe.script,
                  [](const Action& action) { return !action.launch && action.releases.empty(); });
    probes.push_back(std::move(probe));
  }
  return probes;
}

/// One more kernel than may be resident, then room for it.
inline std::vector<Probe> many_kernels(const Device& device) {
  std::vector<Kernel> kernels;
  for (int k = 0; k <= device.max_resident_kernels; ++k) {
    kernels.push_back(kernel_of(fmt::format("k{}", k), 1, 32, 16));
  }
  Probe probe = launch_all("resident-kernels", std::move(kernels));
  probe.script.push_back({{}, {{0, {}}}});
  return {probe};
}

/// Per start position of the pointer: so many warps first, then blocks of one warp and most
/// registers until a subpartition is full.
inline std::vector<Probe> warp_pointers(const Device& device) {
  std::vector<Probe> probes;
  for (int start = 0; start < device.subpartitions; ++start) {
    for (const int warps : {1, 2, 3, 4, 5, 8}) {
      std::vector<Kernel> kernels;
      if (start > 0) kernels.push_back(kernel_of("start", device.sms, 32 * start, 16));
      kernels.push_back(kernel_of("wide", device.sms, 32 * warps, 16));
      for (int k = 0; k < 8; ++k) {
        kernels.push_back(kernel_of(fmt::format("k{}", k), device.sms, 32, 255));
      }
      probes.push_back(
          launch_all(fmt::format("warp-pointer-{}-{}", start, warps), std::move(kernels)));
    }
  }
  return probes;
}

inline std::vector<Item> programme(const Device& device, const std::string& table, int seed) {
  Rng rng(seed);
  using std::chrono::seconds;
  return {
      {"order", 0.3, 20, from(order(device, seed, rng)), true},
      {"large-grids", 0.3, 10, from(large_grids(device, seed, rng)), true},
      {"clusters", 0.2, 3, from(clusters(device, rng)), true},
      {"table2", 0.2, 3, from(scaled_table(device, table))},
      {"crowded-clusters", 0.15, 3, from(crowded_clusters(device)), true},
      {"one-at-a-time", 0.25, 2,
       one_at_a_time(device,
                     drawn(device, rng, {"order", "room", "selection", "waiting_grid"}, 400))},
      {"fragmentation", 0.1, 2, drawn(device, rng, {"fragmentation", "granularity"}, 200)},
      {"carve-out", 0.15, 2, drawn(device, rng, {"carve_out"}, 200)},
      {"carve-outs", 0.15, 2, from(carve_outs(device))},
      {"queueing", 0.15, 2, drawn(device, rng, {"queueing"}, 100)},
      {"resident-kernels", 0.1, 3, from(many_kernels(device))},
      {"local-memory", 0.1, 2, drawn(device, rng, {"local_memory"}, 100)},
      {"warp-pointer", 0.2, 2, from(warp_pointers(device))},
      {"after-idle", 1.0, 3, from(after_idle(device)), true, seconds(5)},
      {"random", 1.0, 1, drawn(device, rng, {"paper_random"}, 100'000)},
  };
}

}  // namespace cuvier::device_day
