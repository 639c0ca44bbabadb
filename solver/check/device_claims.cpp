#include "solver/check/device_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

/// All at once.
Probe launch(const std::string& what, std::vector<Kernel> kernels) {
  for (std::size_t k = 0; k < kernels.size(); ++k) kernels[k].name = fmt::format("k{}", k + 1);
  return launch_all(what, std::move(kernels));
}

Kernel kernel_of(int blocks, int warps, int shared = 0) {
  const int threads = warps * kThreadsPerWarp;
  return {"k1", blocks, threads, kFewestRegisters, shared, 0, 0, std::nullopt};
}

std::set<int> sms_of(const Device& device, const std::vector<Fact>& facts) {
  std::set<int> sms = sms_in(facts);
  std::erase_if(sms, [&](int sm) { return sm >= device.sms; });
  return sms;
}

int sms_reached(const Device& device, const std::vector<Fact>& facts) {
  return static_cast<int>(sms_of(device, facts).size());
}

int tpcs_reached(const Device& device, const std::vector<Fact>& facts) {
  std::set<int> tpcs;
  for (const int sm : sms_of(device, facts)) tpcs.insert(device.tpc_of(sm));
  return static_cast<int>(tpcs.size());
}

class Claims {
 public:
  Claims(const Device& device, const Hypothesis& hypothesis)
      : device_(device),
        reserved_(RuntimeShared::bytes(Concrete{hypothesis},
                                       Demand<Concrete>{1, kFewestRegisters, 0, 1})) {}

  std::vector<LimitCheck> all() && {
    const int most_warps = device_.max_threads_per_block / kThreadsPerWarp;
    fill("block slots of an SM", "max_blocks_per_sm", kernel_of(0, 1),
         std::min(device_.max_blocks_per_sm, device_.max_warps_per_sm));
    // A warp a subpartition: however warps are placed, none is left over.
    fill("warp slots of an SM", "max_warps_per_sm", kernel_of(0, device_.subpartitions),
         std::min(device_.warps_per_subpartition(), device_.max_blocks_per_sm));
    fill("shared memory of an SM", "max_shared_per_block", kernel_of(0, 1, most_shared()), 1);
    registers();
    one("threads of a block", "max_threads_per_block", kernel_of(1, most_warps));
    Kernel most_registers = kernel_of(1, 1);
    most_registers.registers = device_.max_registers_per_thread;
    one("registers of a thread", "max_registers_per_thread", most_registers);
    const int kernels =
        std::min(device_.max_resident_kernels, device_.sms * device_.max_blocks_per_sm);
    add("resident kernels", "max_resident_kernels",
        std::vector<Kernel>(kernels + 1, kernel_of(1, 1)), kernels, "kernel", blocks_started);
    // One on each, since it leaves no shared memory for another.
    add("SMs", "sms", {kernel_of(device_.sms, 1, most_shared())}, device_.sms, "SM", sms_reached);
    const int tpcs = static_cast<int>(tpcs_of(device_).size());
    add("TPCs, by the first block on each", device_.tpc_of_sm.empty() ? "sms_per_tpc" : "tpc_of_sm",
        {kernel_of(tpcs, 1)}, tpcs, "TPC", tpcs_reached);
    for (std::size_t i = 0; i < device_.shared_configs.size(); ++i) {
      config(device_.shared_configs[i], i == 0 ? 0 : device_.shared_configs[i - 1]);
    }
    return std::move(claims_);
  }

 private:
  void add(const std::string& what, const std::string& field, std::vector<Kernel> kernels,
           int documented, const std::string& unit, LimitCheck::Measure measure) {
    claims_.push_back(
        {launch(what, std::move(kernels)), field, unit, documented, std::move(measure)});
  }

  void one(const std::string& what, const std::string& field, const Kernel& kernel) {
    add(what, field, {kernel}, 1, "block", blocks_started);
  }

  /// By one resource, with twice the blocks that there is room for: so many tell what is true, too,
  /// where it is more than documented.
  void fill(const std::string& what, const std::string& field, Kernel kernel, int on_each) {
    const int room = device_.sms * on_each;
    kernel.blocks = 2 * room;
    add(what, field, {kernel}, room, "block", blocks_started);
  }

  void registers() {
    // A warp a subpartition, of a register count that every granularity divides.
    constexpr int round_registers = 128;
    Kernel kernel = kernel_of(0, device_.subpartitions);
    kernel.registers = round_registers;
    const int by_registers = device_.registers_per_sm / (round_registers * kernel.threads);
    const int by_slots = device_.max_warps_per_sm / device_.subpartitions;
    fill("registers of an SM", "registers_per_sm", kernel,
         std::min({by_registers, by_slots, device_.max_blocks_per_sm}));
  }

  /// Blocks that make an SM choose this configuration and leave a KiB of it, and small ones for
  /// that KiB. A configuration that is a KiB larger has room for two of these, a smaller one for
  /// none, and where there is no such one the next is chosen.
  void config(int bytes, int smaller) {
    const int unit = std::max(kKiB, reserved_);
    constexpr int small_blocks = 8;  // of which an idle SM would hold so many, by their warps
    if (bytes < small_blocks * unit || bytes - smaller <= 2 * unit) return;
    const int most_warps = device_.max_threads_per_block / kThreadsPerWarp;
    const bool alone = device_.max_warps_per_sm / 2 + 1 <= most_warps;
    const int total = bytes - unit;
    std::vector<Kernel> kernels;
    if (alone) {
      kernels.push_back(large(total, device_.max_warps_per_sm / 2 + 1));
    } else {
      const int first = (total / 2 + kKiB - 1) / kKiB * kKiB;
      kernels.push_back(large(first, device_.max_warps_per_sm / 3 + 1));
      kernels.push_back(large(total - first, device_.max_warps_per_sm / 3 + 1));
    }
    const int placed = device_.sms * static_cast<int>(kernels.size() + 1);
    kernels.push_back(
        kernel_of(device_.sms + 1, device_.max_warps_per_sm / small_blocks, unit - reserved_));
    add(fmt::format("shared-memory configuration of {} bytes", bytes), "shared_configs",
        std::move(kernels), placed, "block", blocks_started);
  }

  int most_shared() const {
    return std::min(device_.max_shared_per_block, device_.largest_config() - reserved_);
  }

  Kernel large(int bytes, int warps) const {
    return kernel_of(device_.sms, warps, bytes - reserved_);
  }

  const Device& device_;
  int reserved_;  ///< for each block, by the runtime
  std::vector<LimitCheck> claims_;
};

template <class A>
void vary(std::vector<Hypothesis>& candidates) {
  std::vector<Hypothesis> varied;
  for (Hypothesis candidate : candidates) {
    for (int value = 0; value < std::ssize(A::values); ++value) {
      candidate.set<A>(static_cast<typename A::Value>(value));
      varied.push_back(candidate);
    }
  }
  candidates = std::move(varied);
}

int predicted(const Device& device, const Hypothesis& hypothesis, const Probe& probe,
              const LimitCheck::Measure& measure) {
  return measure(device, facts_of(predict(device, hypothesis, probe), probe));
}

/// Of these probes, as many as are needed to part all candidates that some of them parts.
std::vector<Probe> telling(const Device& device, const std::vector<Hypothesis>& candidates,
                           std::vector<Probe> pool) {
  Device one_tpc = device;
  one_tpc.sms = 2;
  one_tpc.sms_per_tpc = 2;
  one_tpc.gpc_of_sm.clear();
  one_tpc.tpc_of_sm.clear();
  one_tpc.max_cluster = 0;
  std::vector<std::vector<int>> counts;
  for (const Probe& probe : pool) {
    counts.emplace_back();
    for (const Hypothesis& candidate : candidates) {
      counts.back().push_back(predicted(one_tpc, candidate, probe, blocks_started));
    }
  }
  std::vector<Probe> chosen;
  std::vector<std::vector<int>> told(candidates.size());
  for (std::size_t parts = 1;;) {
    std::size_t best = 0;
    std::size_t most = parts;
    for (std::size_t p = 0; p < pool.size(); ++p) {
      std::set<std::vector<int>> classes;
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        std::vector<int> all = told[c];
        all.push_back(counts[p][c]);
        classes.insert(std::move(all));
      }
      if (classes.size() > most) {
        best = p;
        most = classes.size();
      }
    }
    if (most == parts) return chosen;
    parts = most;
    chosen.push_back(pool[best]);
    for (std::size_t c = 0; c < candidates.size(); ++c) told[c].push_back(counts[best][c]);
  }
}

GranularityCheck granularity(const Device& device, const std::string& what, std::vector<int> axes,
                             std::vector<Hypothesis> candidates, std::vector<Kernel> kernels) {
  std::vector<Probe> pool;
  for (const Kernel& kernel : kernels) {
    pool.push_back(launch(fmt::format("{}, {}", what, pool.size() + 1), {kernel}));
  }
  std::vector<Probe> chosen = telling(device, candidates, std::move(pool));
  return {what, std::move(axes), std::move(candidates), std::move(chosen)};
}

}  // namespace

std::vector<LimitCheck> device_claims(const Device& device, const Hypothesis& hypothesis) {
  return Claims(device, hypothesis).all();
}

std::vector<GranularityCheck> device_granularities(const Device& device) {
  const int blocks = device.sms * device.max_blocks_per_sm;
  std::vector<Hypothesis> of_shared = {Hypothesis{}};
  vary<SharedGranularity>(of_shared);
  vary<RuntimeShared>(of_shared);
  std::vector<Kernel> with_shared;
  constexpr int step = 256;  // odd multiples of 128: what every unit but the least rounds
  for (int bytes = 128; bytes <= device.max_shared_per_block / 2; bytes += step) {
    with_shared.push_back(kernel_of(blocks, 1, bytes));
  }
  std::vector<Hypothesis> of_registers = {Hypothesis{}};
  vary<RegisterGranularity>(of_registers);
  std::vector<Kernel> with_registers;
  for (int registers = 17; registers <= 128; registers += 8) {
    with_registers.push_back(kernel_of(blocks, device.subpartitions));
    with_registers.back().registers = registers;
  }
  return {granularity(device, "allocation unit of registers", {index_of<RegisterGranularity>()},
                      std::move(of_registers), std::move(with_registers)),
          granularity(device, "allocation unit of shared memory, and what is reserved",
                      {index_of<SharedGranularity>(), index_of<RuntimeShared>()},
                      std::move(of_shared), std::move(with_shared))};
}

int blocks_started(const Device& /*device*/, const std::vector<Fact>& facts) {
  int blocks = 0;
  for (const Fact& fact : facts) {
    if (fact.kind == Fact::Kind::sm) blocks += static_cast<int>(fact.values.size());
  }
  return blocks;
}

bool shows(const Device& device, const Hypothesis& hypothesis, const LimitCheck& check) {
  return !check.measure || !check.refused.empty() ||
         predicted(device, hypothesis, check.probe, check.measure) == check.seen;
}

bool shows(const Device& device, const Hypothesis& hypothesis, const GranularityCheck& check) {
  return std::ranges::equal(check.probes, check.seen, {}, [&](const Probe& probe) {
    return predicted(device, hypothesis, probe, blocks_started);
  });
}

}  // namespace cuvier
