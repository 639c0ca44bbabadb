#include "solver/minimise/reductions.h"

#include <algorithm>

namespace cuvier {
namespace {

constexpr int register_step = 8;
constexpr int shared_step = 1024;
constexpr int local_step = 16;

/// Keeps of a script what `keep` leaves of each release; an action that had releases and
/// has none left goes too.
template <class Keep>
void filter_releases(Probe& probe, Keep keep) {
  std::erase_if(probe.script, [&](Action& action) {
    const bool released = !action.releases.empty();
    std::erase_if(action.releases, [&](Release& release) { return !keep(release); });
    return released && action.releases.empty();
  });
}

/// The kernels in this order; those that it leaves out go, and what the script does to them.
Probe with_kernels(const Probe& probe, const std::vector<int>& order) {
  std::vector<int> place(probe.kernels.size(), -1);
  Probe result{probe.name, {}, probe.script};
  for (const int kernel : order) {
    place[kernel] = static_cast<int>(result.kernels.size());
    result.kernels.push_back(probe.kernels[kernel]);
  }
  std::erase_if(result.script, [&](Action& action) {
    if (!action.launch) return false;
    action.launch = place[*action.launch];
    return *action.launch < 0;
  });
  filter_releases(result, [&](Release& release) {
    release.kernel = place[release.kernel];
    return release.kernel >= 0;
  });
  return result;
}

void add_resources(const Kernel& kernel, int k, std::vector<Reduction>& result) {
  using What = Reduction::What;
  const auto add = [&](What what, int value) { result.push_back({what, k, 0, 0, value}); };
  for (int warps = 1; warps < kernel.warps(); ++warps) {
    add(What::lower_threads, warps * kThreadsPerWarp);
  }
  for (int r = kFewestRegisters; r < kernel.registers; r += register_step) {
    add(What::lower_registers, r);
  }
  for (int s = 0; s < kernel.shared; s += shared_step) add(What::lower_shared, s);
  for (int local = 0; local < kernel.local; local = std::max(local_step, 2 * local)) {
    add(What::lower_local, local);
  }
  if (kernel.priority != 0) add(What::drop_priority, 0);
  if (kernel.stream) add(What::drop_stream, 0);
  for (int size = 0; size < kernel.cluster.value_or(0); size = std::max(1, 2 * size)) {
    add(What::lower_cluster, size);
  }
}

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
  using What = Reduction::What;
  std::vector<Reduction> result;
  const int kernels = static_cast<int>(probe.kernels.size());
  for (int count = std::max(1, kernels / 2); count > 0; count /= 2) {
    for (int first = 0; first + count <= kernels && count < kernels; ++first) {
      result.push_back({What::drop_kernels, first, 0, 0, 0, count});
    }
  }
  for (int a = 0; a < static_cast<int>(probe.script.size()); ++a) {
    if (!probe.script[a].launch) result.push_back({What::drop_action, 0, a});
  }
  for (int k = 0; k < kernels; ++k) {
    const int step = probe.kernels[k].cluster.value_or(1);
    for (int blocks = step; blocks < probe.kernels[k].blocks; blocks += step) {
      result.push_back({What::lower_blocks, k, 0, 0, blocks});
    }
  }
  for (int a = 0; a < static_cast<int>(probe.script.size()); ++a) {
    const auto& releases = probe.script[a].releases;
    for (int r = 0; r < static_cast<int>(releases.size()); ++r) {
      const int listed = static_cast<int>(releases[r].blocks.size());
      if (releases.size() > 1) result.push_back({What::drop_release, 0, a, r});
      if (listed > 0) result.push_back({What::release_all, 0, a, r});
      for (int b = 0; b < listed && listed > 1; ++b) {
        result.push_back({What::drop_block, 0, a, r, b});
      }
    }
  }
  for (int k = 0; k < kernels; ++k) add_resources(probe.kernels[k], k, result);
  return result;
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
  filter_releases(result, [&](Release& release) {
    if (release.kernel != kernel || release.blocks.empty()) return true;
    std::erase_if(release.blocks, [&](int block) { return block >= blocks; });
    return !release.blocks.empty();  // an empty list would mean all
  });
  return result;
}

Probe reduced(const Probe& probe, const Reduction& reduction) {
  using What = Reduction::What;
  const auto& [what, k, a, r, value, count] = reduction;
  if (what == What::drop_kernels) return without_kernels(probe, k, count);
  if (what == What::lower_blocks) return with_blocks(probe, k, value);
  Probe result = probe;
  Kernel& kernel = result.kernels[k];
  auto& releases = result.script[a].releases;
  if (what == What::drop_action) result.script.erase(result.script.begin() + a);
  if (what == What::drop_release) releases.erase(releases.begin() + r);
  if (what == What::release_all) releases[r].blocks.clear();
  if (what == What::drop_block) releases[r].blocks.erase(releases[r].blocks.begin() + value);
  if (what == What::lower_threads) kernel.threads = value;
  if (what == What::lower_registers) kernel.registers = value;
  if (what == What::lower_shared) kernel.shared = value;
  if (what == What::lower_local) kernel.local = value;
  if (what == What::drop_priority) kernel.priority = 0;
  if (what == What::drop_stream) kernel.stream.reset();
  if (what == What::lower_cluster) kernel.cluster = value ? std::optional(value) : std::nullopt;
  return result;
}

Probe tidied(const Probe& probe, const Device& device) {
  std::vector<int> launched;
  for (const Action& action : probe.script) {
    if (action.launch) launched.push_back(*action.launch);
  }
  Probe result = with_kernels(probe, launched);
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    Kernel& kernel = result.kernels[k];
    kernel.name = "k" + std::to_string(k + 1);
    kernel.threads = std::min(kernel.warps() * kThreadsPerWarp, device.max_threads_per_block);
  }
  return result;
}

}  // namespace cuvier
