#include "uses/waves.h"

#include <cstdint>
#include <cstdlib>
#include <map>

#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

std::int64_t divided_up(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

/// The SMs that are left, and what is on them.
class Left {
 public:
  Left(const Device& device, const Hypothesis& hypothesis, const Others& others)
      : part_(without_sms(device, others.reserved.some_of(device.sms))),
        there_(on_partition(device, hypothesis, part_)) {
    for (const Kernel& kernel : others.resident) launch(kernel);
    for (int k = 0; k < std::ssize(probe_.kernels); ++k) {
      if (blocks_placed(k) < probe_.kernels[k].blocks) {
        throw without_place(others, device);
      }
    }
  }

  Waves waves_of(const Kernel& kernel) {
    Kernel many = kernel;
    const int cluster = kernel.cluster.value_or(1);
    many.blocks = part_.device.sms * part_.device.max_blocks_per_sm / cluster * cluster;
    launch(many);
    const Waves waves{kernel, blocks_placed(static_cast<int>(probe_.kernels.size()) - 1)};
    probe_.kernels.pop_back();
    probe_.script.pop_back();
    return waves;
  }

 private:
  void launch(const Kernel& kernel) {
    probe_.script.push_back({static_cast<int>(probe_.kernels.size()), {}});
    probe_.kernels.push_back(kernel);
    probe_.kernels.back().stream.reset();
  }

  int blocks_placed(int kernel) const {
    int blocks = 0;
    for (const Step& step : predict(part_.device, there_, probe_).steps) {
      for (const Started& started : step.started) {
        if (started.kernel == kernel) blocks += static_cast<int>(started.sm.size());
      }
    }
    return blocks;
  }

  const Partition part_;
  const Hypothesis there_;
  Probe probe_{"waves", {}, {}};
};

/// The kernel with blocks of so many threads, and in such clusters; none where that is not legal.
std::optional<Kernel> cut(const Kernel& kernel, int threads, std::optional<int> cluster,
                          const Device& device) {
  Kernel other = kernel;
  other.threads = threads;
  other.cluster = cluster;
  const std::int64_t unit = cluster.value_or(1);
  const std::int64_t blocks =
      divided_up(divided_up(std::int64_t{kernel.blocks} * kernel.threads, threads), unit) * unit;
  const std::int64_t shared = divided_up(std::int64_t{kernel.shared} * threads, kernel.threads);
  if (blocks > largest_number || shared > largest_number) return std::nullopt;
  other.blocks = static_cast<int>(blocks);
  other.shared = static_cast<int>(shared);
  return is_legal(other, device) ? std::optional(other) : std::nullopt;
}

}  // namespace

KernelWaves waves(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel,
                  const Others& others) {
  Left left(device, hypothesis, others);
  KernelWaves found{left.waves_of(kernel), {}};
  const int given = found.given.count();
  const auto is_fewer = [&](const Waves& waves) {
    return waves.count() > 0 && (given == 0 || waves.count() < given);
  };
  if (given == 1) return found;

  std::map<int, Waves, std::greater<>> nearest;  // by how many waves
  const auto distance = [&](const Waves& waves) {
    return std::abs(waves.kernel.threads - kernel.threads);
  };
  for (int threads = kThreadsPerWarp; threads <= device.max_threads_per_block;
       threads += kThreadsPerWarp) {
    const auto other = cut(kernel, threads, kernel.cluster, device);
    if (!other || threads == kernel.threads) continue;
    const Waves waves = left.waves_of(*other);
    if (!is_fewer(waves)) continue;
    const auto [known, is_new] = nearest.try_emplace(waves.count(), waves);
    if (!is_new && distance(waves) < distance(known->second)) known->second = waves;
  }
  for (const auto& [count, waves] : nearest) found.fewer.push_back(waves);

  std::vector<std::optional<int>> clusters = {std::nullopt};
  for (int blocks = 2; blocks <= device.largest_cluster(); ++blocks) clusters.emplace_back(blocks);
  for (const std::optional<int> cluster : clusters) {
    const auto other = cut(kernel, kernel.threads, cluster, device);
    if (!other || cluster == kernel.cluster) continue;
    const Waves waves = left.waves_of(*other);
    if (is_fewer(waves)) found.fewer.push_back(waves);
  }
  return found;
}

}  // namespace cuvier
