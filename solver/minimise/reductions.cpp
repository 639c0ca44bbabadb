#include "solver/minimise/reductions.h"

#include <algorithm>

#include "probes/family.h"

namespace cuvier {
namespace {

constexpr int register_step = 8;
constexpr int shared_step = 1024;
constexpr int local_step = 16;

}  // namespace

ProbeSize size_of(const Probe& probe) {
  ProbeSize size;
  size.kernels = static_cast<int>(probe.kernels.size());
  size.actions = static_cast<int>(probe.script.size());
  for (const Action& action : probe.script) {
    for (const Release& release : action.releases) {
      size.released += 1 + static_cast<int>(release.blocks.size());
    }
  }
  for (const Kernel& kernel : probe.kernels) {
    size.blocks += kernel.blocks;
    size.warps += kernel.warps();
    size.registers += kernel.registers;
    size.shared += kernel.shared;
    size.local += kernel.local;
    size.named += kernel.stream.has_value() + (kernel.priority != 0);
    size.clusters += kernel.cluster.value_or(0);
  }
  return size;
}

std::vector<Reduction> reductions_of(const Probe& probe) {
  std::vector<Reduction> reductions;
  const auto add = [&](auto change) {
    reductions.emplace_back([change](Probe reduced) {
      change(reduced);
      return reduced;
    });
  };
  const int kernels = static_cast<int>(probe.kernels.size());
  const int actions = static_cast<int>(probe.script.size());
  for (int count = std::max(1, kernels / 2); count > 0; count /= 2) {
    for (int first = 0; first + count <= kernels && count < kernels; ++first) {
      add([=](Probe& reduced) { reduced = without_kernels(reduced, first, count); });
    }
  }
  for (int a = 0; a < actions; ++a) {
    if (probe.script[a].launch) continue;
    add([=](Probe& reduced) { reduced.script.erase(reduced.script.begin() + a); });
  }
  for (int k = 0; k < kernels; ++k) {
    const int step = probe.kernels[k].cluster.value_or(1);
    for (int blocks = step; blocks < probe.kernels[k].blocks; blocks += step) {
      add([=](Probe& reduced) { reduced = with_blocks(reduced, k, blocks); });
    }
    for (int size = 1; size < step; ++size) {  // as many clusters, of fewer blocks
      add([=](Probe& reduced) {
        reduced = with_blocks(reduced, k, reduced.kernels[k].blocks / step * size);
        reduced.kernels[k].cluster = size;
      });
    }
  }
  for (int a = 0; a < actions; ++a) {
    const auto& releases = probe.script[a].releases;
    for (int r = 0; r < std::ssize(releases); ++r) {
      const auto drop = [&add](auto list, int at) {
        add([=](Probe& reduced) { list(reduced).erase(list(reduced).begin() + at); });
      };
      const auto named = [=](Probe & of) -> auto& { return of.script[a].releases; };
      const auto listed = [=](Probe & of) -> auto& { return of.script[a].releases[r].blocks; };
      const int blocks = static_cast<int>(releases[r].blocks.size());
      if (releases.size() > 1) drop(named, r);
      if (blocks > 0) add([=](Probe& reduced) { listed(reduced).clear(); });  // of all instead
      for (int b = 0; b < blocks && blocks > 1; ++b) drop(listed, b);
    }
  }
  for (int k = 0; k < kernels; ++k) {
    const Kernel& kernel = probe.kernels[k];
    const auto lower = [&](auto what, auto value) {
      add([=](Probe& reduced) { reduced.kernels[k].*what = value; });
    };
    for (int warps = 1; warps < kernel.warps(); ++warps) {
      lower(&Kernel::threads, warps * kThreadsPerWarp);
    }
    for (int r = kFewestRegisters; r < kernel.registers; r += register_step) {
      lower(&Kernel::registers, r);
    }
    for (int s = 0; s < kernel.shared; s += shared_step) lower(&Kernel::shared, s);
    for (int local = 0; local < kernel.local; local = std::max(local_step, 2 * local)) {
      lower(&Kernel::local, local);
    }
    if (kernel.priority != 0) lower(&Kernel::priority, 0);
    if (kernel.stream) lower(&Kernel::stream, std::nullopt);
    if (kernel.cluster) lower(&Kernel::cluster, std::nullopt);
    for (int size = 1; size < kernel.cluster.value_or(0); ++size) {
      if (kernel.blocks % size == 0) lower(&Kernel::cluster, size);
    }
  }
  return reductions;
}

Kernel rounded_up(Kernel kernel) {
  const auto up = [](int value, int step) { return (value + step - 1) / step * step; };
  kernel.registers = std::max(kFewestRegisters, up(kernel.registers, register_step));
  kernel.shared = up(kernel.shared, shared_step);
  return kernel;
}

Probe without_kernels(const Probe& probe, int kernel, int count) {
  std::vector<int> kept;
  for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
    if (k < kernel || k >= kernel + count) kept.push_back(k);
  }
  return with_kernels(probe, kept);
}

Probe with_blocks(const Probe& probe, int kernel, int blocks) {
  Probe result = probe;
  result.kernels[kernel].blocks = blocks;
  const auto is_gone = [&](Release& release) {
    return release.kernel == kernel && !keep_blocks_below(blocks, release);
  };
  std::erase_if(result.script, [&](Action& action) {
    return std::erase_if(action.releases, is_gone) > 0 && action.releases.empty();
  });
  return result;
}

Probe tidied(const Probe& probe, const Device& device) {
  Probe result = with_kernels(probe, launched_in(probe));
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    Kernel& kernel = result.kernels[k];
    kernel.name = "k" + std::to_string(k + 1);
    kernel.threads = std::min(kernel.warps() * kThreadsPerWarp, device.max_threads_per_block);
  }
  return result;
}

}  // namespace cuvier
