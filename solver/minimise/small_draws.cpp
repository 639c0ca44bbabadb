#include "solver/minimise/small_draws.h"

#include <algorithm>
#include <array>

#include "hypotheses/hypothesis.h"
#include "solver/minimise/fillings.h"

namespace cuvier {
namespace {

constexpr int most_layers = 3;
constexpr int most_tries = 1000;

}  // namespace

int SmallDraws::few_blocks() { return chance(75) ? uniform(rng_, 1, 4) : some_for_each_sm(); }

int SmallDraws::some_for_each_sm() {
  const int sms = device_.sms;
  const std::array counts{sms / 2, sms - 1, sms, sms + 1, 2 * sms, 2 * sms + 1};
  return std::max(1, counts[uniform(rng_, 0, std::ssize(counts) - 1)]);
}

Kernel SmallDraws::any_demands() {
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

int SmallDraws::any_shared() {
  if (chance(50)) return 0;
  const auto& configs = device_.shared_configs;
  const int config = configs[uniform(rng_, 0, static_cast<int>(configs.size()) - 1)];
  const int bytes = config / uniform(rng_, 1, 4) - 512 * uniform(rng_, 0, 4);
  return std::clamp(bytes / 512 * 512, 0, device_.max_shared_per_block);
}

Probe SmallDraws::tiny(const ProbeSize& most) {
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

int SmallDraws::blocks_on_sm(const Kernel& kernel) const {
  return static_cast<int>(profile_of(device_, Hypothesis{}, kernel).size());
}

Probe SmallDraws::crowded() {
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

Release SmallDraws::any_release(const Probe& probe) {
  const int kernel = uniform(rng_, 0, static_cast<int>(probe.kernels.size()) - 1);
  if (chance(50)) return {kernel, {}};
  if (chance(50)) return {kernel, {0}};
  return {kernel, {uniform(rng_, 0, probe.kernels[kernel].blocks - 1)}};
}

}  // namespace cuvier
