#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "probes/families/families.h"
#include "probes/family.h"

namespace cuvier {
namespace {

// Chains of mutations must not grow without end: probes are simulated often.
constexpr int most_actions = 24;
constexpr int most_layers = 8;  // blocks per SM, over all kernels

int change_threads(int threads, Rng& rng) {
  const std::array simple{threads + 32, threads - 32, threads * 2, threads / 2};
  const std::size_t way = uniform(rng, 0, 5);
  if (way < simple.size()) return simple[way];
  return way == 4 ? threads + pick(rng, {-1, 1}) : 32 * uniform(rng, 1, 8);
}

int change_registers(int registers, const Device& device, Rng& rng) {
  const std::array simple{registers + 8, registers - 8, registers * 2, registers / 2};
  const std::size_t way = uniform(rng, 0, 5);
  if (way < 2) return simple[way];
  if (way == 2) return registers + pick(rng, {-1, 1});
  if (way < 5) return simple[way - 1];
  return registers_for(uniform(rng, 2, device.warps_per_subpartition()), device);
}

int change_shared(int shared, const Device& device, Rng& rng) {
  const std::array simple{shared * 2, shared / 2, 0, device.max_shared_per_block};
  const std::size_t way = uniform(rng, 0, 6);
  if (way == 0) return shared + pick(rng, {-1, 1});
  if (way == 1) return shared + pick(rng, {-1024, -512, -256, -128, 128, 256, 512, 1024});
  if (way < 6) return simple[way - 2];
  const int config = pick_from(rng, device.shared_configs);
  const int parts = uniform(rng, 1, 8);
  return shared_edge(config, parts, rng);
}

int change_blocks(int blocks, const Device& device, Rng& rng) {
  const std::array simple{blocks + 1, blocks - 1, blocks * 2, blocks / 2};
  const std::size_t way = uniform(rng, 0, 6);
  if (way < simple.size()) return simple[way];
  if (way == 4) return uniform(rng, 1, 6);
  return way == 5 ? device.sms * uniform(rng, 1, 2) : device.sms / 2 + uniform(rng, -1, 1);
}

void change_cluster(Kernel& kernel, Rng& rng) {
  constexpr int none = 0;
  const int size = pick(rng, {none, 1, 2, 2, 3, 4, 6, 8, 16});
  kernel.cluster = size == none ? std::nullopt : std::optional(size);
}

void change_kernel(Kernel& kernel, const Device& device, Rng& rng) {
  // Where there are no clusters, nothing is drawn for them: the same seeds ask the same.
  if (device.largest_cluster() > 0 && chance(rng, kernel.cluster ? 25 : 5)) {
    change_cluster(kernel, rng);
    kernel = to_legal(std::move(kernel), device);
    return;
  }
  const int what = uniform(rng, 0, 99);
  if (what < 24) {
    kernel.threads = change_threads(kernel.threads, rng);
  } else if (what < 48) {
    kernel.registers = change_registers(kernel.registers, device, rng);
  } else if (what < 70) {
    kernel.shared = change_shared(kernel.shared, device, rng);
  } else if (what < 90) {
    kernel.blocks = change_blocks(kernel.blocks, device, rng);
  } else if (what < 94) {
    const int least = local_of_level(1);
    const int local = chance(rng, 50) ? kernel.local / 2 : std::max(2 * kernel.local, least);
    kernel.local = chance(rng, 30) ? 0 : local;
  } else if (what < 97) {
    kernel.priority = -uniform(rng, 0, 2);
  } else {
    kernel.stream = kernel.stream ? std::nullopt : std::optional<std::string>("a");
  }
  kernel = to_legal(std::move(kernel), device);
}

int any_index(std::size_t size, Rng& rng) { return uniform(rng, 0, static_cast<int>(size) - 1); }

Release some_release(const Probe& probe, int kernel, Rng& rng) {
  if (chance(rng, 40)) return {kernel, {}};
  const int blocks = probe.kernels[kernel].blocks;
  const int some = uniform(rng, 1, std::min(blocks, 4));
  return {kernel, choose_some(rng, some, blocks)};
}

void insert_release(Probe& probe, Rng& rng) {
  const int kernel = any_index(probe.kernels.size(), rng);
  const Release release = some_release(probe, kernel, rng);
  const int at = uniform(rng, 1, static_cast<int>(probe.script.size()));
  probe.script.insert(probe.script.begin() + at, Action{{}, {release}});
}

// Single blocks rather than all, or others, or one kernel more or fewer.
void change_release(Probe& probe, Rng& rng) {
  std::vector<int> releases;
  for (std::size_t i = 0; i < probe.script.size(); ++i) {
    if (!probe.script[i].releases.empty()) releases.push_back(static_cast<int>(i));
  }
  if (releases.empty()) return insert_release(probe, rng);
  std::vector<Release>& changed = probe.script[pick_from(rng, releases)].releases;
  const int which = any_index(changed.size(), rng);
  const int kind = uniform(rng, 0, 3);
  if (kind == 0) {
    changed.push_back(some_release(probe, any_index(probe.kernels.size(), rng), rng));
  } else if (kind == 1 && changed.size() > 1) {
    changed.erase(changed.begin() + which);
  } else {
    changed[which] = some_release(probe, changed[which].kernel, rng);
  }
}

void swap_actions(Probe& probe, Rng& rng) {
  if (probe.script.size() < 2) return;
  const int at = any_index(probe.script.size() - 1, rng);
  std::swap(probe.script[at], probe.script[at + 1]);
}

// Like one that is there, a little changed.
void add_kernel(Probe& probe, const Device& device, Rng& rng) {
  Kernel kernel = probe.kernels[any_index(probe.kernels.size(), rng)];
  if (chance(rng, 30)) kernel = small_block(rng, 1);
  change_kernel(kernel, device, rng);
  kernel.name.clear();  // named anew below, where the names in use are known
  for (int number = 1; kernel.name.empty() || probe.find(kernel.name); ++number) {
    kernel.name = "k" + std::to_string(number);
  }
  const auto index = static_cast<int>(probe.kernels.size());
  probe.kernels.push_back(std::move(kernel));
  const int at = chance(rng, 60) ? static_cast<int>(probe.script.size())
                                 : uniform(rng, 0, static_cast<int>(probe.script.size()));
  probe.script.insert(probe.script.begin() + at, Action{index, {}});
}

void change_something(Probe& probe, const Device& device, Rng& rng) {
  const int what = uniform(rng, 0, 99);
  if (what < 55) {
    change_kernel(probe.kernels[any_index(probe.kernels.size(), rng)], device, rng);
  } else if (what < 67) {
    add_kernel(probe, device, rng);
  } else if (what < 77) {
    probe.script.erase(probe.script.begin() + any_index(probe.script.size(), rng));
  } else if (what < 84) {
    insert_release(probe, rng);
  } else if (what < 92) {
    change_release(probe, rng);
  } else {
    swap_actions(probe, rng);
  }
}

// What of a release makes sense after the given launches: kernels once each,
// blocks that exist.
std::vector<Release> tidied(const std::vector<Release>& releases, const Probe& probe,
                            const std::vector<bool>& launched) {
  std::vector<Release> kept;
  for (Release release : releases) {
    const bool again = std::any_of(kept.begin(), kept.end(), [&](const Release& other) {
      return other.kernel == release.kernel;
    });
    if (!launched[release.kernel] || again) continue;
    if (keep_blocks_below(probe.kernels[release.kernel].blocks, release)) {
      kept.push_back(std::move(release));
    }
  }
  return kept;
}

// Drops actions that a change elsewhere has made meaningless, then the kernels
// that nothing launches.
Probe tidied(const Probe& probe) {
  Probe result{probe.name, probe.kernels, {}};
  std::vector<bool> launched(probe.kernels.size());
  for (const Action& action : probe.script) {
    Action kept;
    if (action.launch) {
      if (launched[*action.launch]) continue;
      launched[*action.launch] = true;
      kept.launch = action.launch;
    } else {
      kept.releases = tidied(action.releases, probe, launched);
      if (kept.releases.empty()) continue;
    }
    result.script.push_back(std::move(kept));
  }
  std::vector<int> kept = launched_in(result);
  std::ranges::sort(kept);
  return with_kernels(result, kept);
}

}  // namespace

Probe mutate(const Probe& probe, const Device& device, Rng& rng) {
  // What was larger from the start may stay so, not grow.
  const auto most_blocks = std::max<std::int64_t>(most_layers * device.sms, probe.blocks());
  const std::size_t most_script = std::max<std::size_t>(most_actions, probe.script.size());
  constexpr int tries = 32;
  for (int i = 0; i < tries; ++i) {
    Probe changed = probe;
    const int changes = pick(rng, {1, 1, 1, 2, 2, 3});
    for (int change = 0; change < changes && !changed.script.empty(); ++change) {
      change_something(changed, device, rng);
    }
    changed = tidied(changed);
    if (changed == probe || changed.kernels.empty()) continue;
    if (changed.script.size() > most_script || changed.blocks() > most_blocks) continue;
    if (!changed.name.ends_with('~')) changed.name += '~';
    return changed;
  }
  return probe;
}

Probe with_odd_blocks(Probe probe, const Device& device, Rng& rng) {
  for (int i = 0; i < std::ssize(probe.kernels); ++i) {
    Kernel kernel = probe.kernels[i];
    if (i > 0 && chance(rng, 30)) {
      const Kernel& before = probe.kernels[i - 1];
      kernel.threads = before.threads;
      kernel.registers = before.registers;
      kernel.shared = before.shared;
      kernel.local = before.local;
    }
    if (chance(rng, 25)) kernel.threads -= uniform(rng, 1, 31);
    if (chance(rng, 15)) kernel.local = local_of_level(pick(rng, {1, 1, 1, 2}));
    kernel = to_legal(kernel, device);
    if (auto changed = with_kernel(probe, i, kernel, device)) probe = *std::move(changed);
  }
  return probe;
}

std::optional<Probe> with_kernel(Probe probe, int index, Kernel kernel, const Device& device) {
  if (kernel != to_legal(kernel, device)) return std::nullopt;
  probe.kernels[index] = std::move(kernel);
  return tidied(probe);
}

bool keep_blocks_below(int blocks, Release& release) {
  const bool of_all = release.blocks.empty();
  std::erase_if(release.blocks, [&](int block) { return block >= blocks; });
  return of_all || !release.blocks.empty();
}

Probe with_kernels(const Probe& probe, const std::vector<int>& order) {
  Probe result{probe.name, {}, {}};
  std::vector<int> place(probe.kernels.size(), -1);
  for (const int kernel : order) {
    place[kernel] = static_cast<int>(result.kernels.size());
    result.kernels.push_back(probe.kernels[kernel]);
  }
  for (Action action : probe.script) {
    if (action.launch) action.launch = place[*action.launch];
    for (Release& release : action.releases) release.kernel = place[release.kernel];
    const bool left_out = action.launch == -1;
    const bool released = !action.releases.empty();
    std::erase_if(action.releases, [](const Release& release) { return release.kernel < 0; });
    if (left_out || (released && action.releases.empty())) continue;
    result.script.push_back(std::move(action));
  }
  return result;
}

std::vector<int> launched_in(const Probe& probe) {
  std::vector<int> launched;
  for (const Action& action : probe.script) {
    if (action.launch) launched.push_back(*action.launch);
  }
  return launched;
}

std::optional<int> ahead_in_stream(const Probe& probe, int kernel) {
  const auto& stream = probe.kernels[kernel].stream;
  std::optional<int> ahead;
  for (const int launched : launched_in(probe)) {
    if (launched == kernel) break;
    if (stream && probe.kernels[launched].stream == stream) ahead = launched;
  }
  return ahead;
}

bool asks_the_same(const Kernel& a, const Kernel& b) {
  return a.threads == b.threads && a.registers == b.registers && a.shared == b.shared &&
         a.local == b.local;
}

}  // namespace cuvier
