#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// So many kernels are launched in one probe, each when the one before has ended.
constexpr std::size_t kInOneProbe = 40;

/// What the open SM has left beside the block.
Device beside(const Kernel& block, Device device) {
  device.max_blocks_per_sm -= 1;
  device.max_warps_per_sm -= block.warps();
  device.registers_per_sm -= block.warps() * 32 * block.registers;
  return device;
}

/// Each kernel has one block more than the only open SM has capacity for; then one block ends,
/// and then all others. Beside them stays the block of `resident`, if there is one.
void sweep(std::vector<Probe>& probes, const Device& device, std::string_view what,
           const std::vector<Kernel>& kernels, const std::optional<Kernel>& resident = {}) {
  const Device left = resident ? beside(*resident, device) : device;
  for (std::size_t first = 0; first < kernels.size(); first += kInOneProbe) {
    Draft draft(what, device);
    Rng rng(1);
    if (device.sms > 1) plug(draft, device, rng, Plug::everything, 1);
    if (resident) draft.launch(*resident);
    for (std::size_t i = first; i < std::min(first + kInOneProbe, kernels.size()); ++i) {
      Kernel kernel = to_legal(kernels[i], device);
      kernel.blocks = std::max(nominal_fit(kernel, left), 1) + 1;
      const int launched = draft.launch(kernel);
      draft.release_blocks({{launched, {0}}});
      draft.release({launched});
    }
    probes.push_back(draft.finish());
  }
}

/// Up to what three quarters of the registers leave, and up to all of them.
void each_register_count(std::vector<Probe>& probes, const Device& device) {
  std::vector<Kernel> kernels;
  for (int count = kFewestRegisters; count <= device.max_registers_per_thread; ++count) {
    kernels.push_back({.threads = 32 * device.subpartitions, .registers = count});
  }
  constexpr int warps = 2;  // on each subpartition
  const int three_quarters = device.registers_per_subpartition() * 3 / 4 / (warps * 32);
  const Kernel resident =
      to_legal({.threads = 32 * warps * device.subpartitions, .registers = three_quarters}, device);
  sweep(probes, device, "each register count", kernels);
  std::erase_if(kernels, [&](const Kernel& kernel) {
    return nominal_fit(to_legal(kernel, device), beside(resident, device)) < 1;
  });
  sweep(probes, device, "each register count", kernels, resident);
}

void each_width(std::vector<Probe>& probes, const Device& device) {
  std::vector<Kernel> kernels;
  for (int threads = 32; threads <= device.max_threads_per_block; threads += 32) {
    kernels.push_back({.threads = threads, .registers = kFewestRegisters});
  }
  sweep(probes, device, "each width", kernels);
}

void each_kib(std::vector<Probe>& probes, const Device& device) {
  std::vector<Kernel> kernels;
  for (int bytes = kKiB; bytes <= device.max_shared_per_block; bytes += kKiB) {
    Kernel& kernel = kernels.emplace_back(narrow_block(1));
    kernel.shared = bytes;
  }
  sweep(probes, device, "each KiB", kernels);
}

/// Grids of ever more waves, each on an idle device.
void ever_larger_grids(std::vector<Probe>& probes, const Device& device) {
  constexpr int largest = 64;
  Kernel half = narrow_block(1);
  half.threads = device.max_warps_per_sm / 2 * 32;
  const int wave = device.sms * std::max(nominal_fit(to_legal(half, device), device), 1);
  for (int waves = 2; waves <= largest; waves *= 2) {
    Draft draft("ever larger grids", device);
    half.blocks = wave * waves;
    draft.launch(half);
    probes.push_back(draft.finish());
  }
}

/// A kernel that needs more than any before it, while one, two, three others with local memory are
/// there, and so on: each level can be asked for once in a session.
void each_number_of_users(std::vector<Probe>& probes, const Device& device) {
  Draft draft("each number of kernels with local memory", device);
  Kernel kernel = narrow_block(1);
  for (int level = 2; level <= highest_local_level; ++level) {
    std::vector<int> users;
    kernel.local = local_of_level(1);
    while (std::ssize(users) < level - 1) users.push_back(draft.launch(kernel));
    kernel.local = local_of_level(level);
    const int needs_more = draft.launch(kernel);
    draft.release(users);
    draft.release({needs_more});
  }
  probes.push_back(draft.finish());
}

}  // namespace

std::vector<Probe> sweep_probes(const Device& device) {
  std::vector<Probe> probes;
  each_number_of_users(probes, device);  // first: no other probe has grown it yet
  each_register_count(probes, device);
  each_width(probes, device);
  each_kib(probes, device);
  ever_larger_grids(probes, device);
  return probes;
}

}  // namespace cuvier
