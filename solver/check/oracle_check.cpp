#include "solver/check/oracle_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "probes/family.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr int runs_of_each = 3;
constexpr int few_registers = 16;
constexpr int warp = 32;

struct Limit {
  Probe probe;  ///< named after what it is about
  int documented;
};

/// All at once.
Probe launch(const std::string& what, std::vector<Kernel> kernels) {
  Probe probe{what, std::move(kernels), {}};
  for (int k = 0; k < std::ssize(probe.kernels); ++k) probe.script.push_back({k, {}});
  return probe;
}

Kernel kernel_of(int blocks, int threads) {
  return Kernel{"k1", blocks, threads, few_registers, 0, 0, 0, std::nullopt};
}

/// Each fills the device by one resource, with a block more than there is room for. What the space
/// of hypotheses is about (granularities, shared-memory configurations) is left to inference.
std::vector<Limit> limits_of(const Device& device) {
  std::vector<Limit> limits;
  const auto fill = [&](const std::string& what, Kernel kernel, int on_each) {
    const int room = device.sms * on_each;
    kernel.blocks = room + 1;
    limits.push_back({launch(what, {kernel}), room});
  };
  const int most_threads = device.max_threads_per_block;
  fill("block slots of an SM", kernel_of(0, warp),
       std::min(device.max_blocks_per_sm, device.max_warps_per_sm));
  fill("warp slots of an SM", kernel_of(0, most_threads),
       device.max_warps_per_sm * warp / most_threads);
  Kernel shared = kernel_of(0, warp);
  shared.shared = device.max_shared_per_block;
  fill("shared memory of an SM", shared, 1);
  // A warp a subpartition, of a register count that every granularity divides.
  constexpr int round_registers = 128;
  Kernel registers = kernel_of(0, warp * device.subpartitions);
  registers.registers = round_registers;
  const int by_registers = device.registers_per_sm / (round_registers * registers.threads);
  const int by_slots = device.max_warps_per_sm / device.subpartitions;
  fill("registers of an SM", registers,
       std::min({by_registers, by_slots, device.max_blocks_per_sm}));
  limits.push_back({launch("threads of a block", {kernel_of(1, most_threads)}), 1});
  Kernel most_registers = kernel_of(1, warp);
  most_registers.registers = device.max_registers_per_thread;
  limits.push_back({launch("registers of a thread", {most_registers}), 1});
  std::vector<Kernel> kernels;
  for (int k = 1; k <= device.max_resident_kernels + 1; ++k) {
    kernels.push_back(kernel_of(1, warp));
    kernels.back().name = fmt::format("k{}", k);
  }
  limits.push_back({launch("resident kernels", std::move(kernels)), device.max_resident_kernels});
  return limits;
}

class Checker {
 public:
  Checker(Oracle& oracle, Journal& journal, const std::function<void(const std::string&)>& doing)
      : oracle_(oracle), journal_(journal), doing_(doing), session_(oracle.session()) {}

  OracleCheck run(std::uint64_t seed) {
    result_.channels = oracle_.channels();
    for (const Limit& limit : limits_of(oracle_.device())) check_limit(limit);
    for (int size = 2; size <= oracle_.device().largest_cluster(); size *= 2) check_clusters(size);
    Rng rng(seed);
    for (const ProbeFamily& family : probe_families(oracle_.device())) {
      Probe probe = family.draw(oracle_.device(), rng);
      probe.name = family.name;
      check_repeated(probe);
    }
    std::ranges::sort(milliseconds_);
    if (!milliseconds_.empty()) result_.probe_ms = milliseconds_[milliseconds_.size() / 2];
    return std::move(result_);
  }

 private:
  /// Its answers, as they are in the journal; none where it was refused.
  std::vector<Recording> ask(const Probe& probe, int repeat) {
    doing_("asking " + probe.name);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Answer> answers;
    refusal_.clear();
    try {
      answers = oracle_.run(probe, repeat);
    } catch (const OracleRefusal& refusal) {
      refusal_ = refusal.what();
      ++result_.refused;
      return {};
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    milliseconds_.push_back(took.count() / static_cast<double>(answers.size()));
    std::vector<Recording> recordings;
    for (Answer& answer : answers) {
      const bool fresh = std::exchange(session_, oracle_.session()) != oracle_.session() || first_;
      first_ = false;
      recordings.push_back(
          journal_.append(probe, std::move(answer), fresh, oracle_.opening(), Json::object()));
    }
    return recordings;
  }

  void check_limit(const Limit& limit) {
    LimitCheck check{limit.probe.name, limit.documented, 0, {}};
    const std::vector<Recording> seen = ask(limit.probe, 1);
    check.refused = refusal_;
    for (const Recording& recording : seen) {
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) check.seen += static_cast<int>(fact.values.size());
      }
    }
    result_.limits.push_back(std::move(check));
  }

  /// Whether the map of GPCs is true, as far as one cluster a GPC shows.
  void check_clusters(int size) {
    const Device& device = oracle_.device();
    const int gpcs = 1 + *std::ranges::max_element(device.gpc_of_sm);
    Kernel kernel = kernel_of(gpcs * size, warp);
    kernel.cluster = size;
    const std::string what = fmt::format("gpc_of_sm, by clusters of {}", size);
    LimitCheck check{what, gpcs, 0, {}};
    for (const Recording& recording : ask(launch(what, {kernel}), 1)) {
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) check.seen += clusters_on_one_gpc(fact.values, size);
      }
    }
    check.refused = refusal_;
    result_.limits.push_back(std::move(check));
  }

  /// `sms`: of blocks in ascending order.
  int clusters_on_one_gpc(const std::vector<int>& sms, int size) const {
    const std::vector<int>& gpc_of_sm = oracle_.device().gpc_of_sm;
    int clusters = 0;
    for (std::size_t first = 0; first + size <= sms.size(); first += size) {
      const int gpc = gpc_of_sm.at(sms[first]);
      clusters += std::all_of(sms.begin() + first, sms.begin() + first + size,
                              [&](int sm) { return gpc_of_sm.at(sm) == gpc; });
    }
    return clusters;
  }

  /// In a session a probe may find other hidden state each time: what counts is whether its exact
  /// steps have as many blocks on each SM.
  void check_repeated(const Probe& probe) {
    const std::vector<Recording> seen = ask(probe, runs_of_each);
    if (seen.size() < 2) return;
    ++result_.repeated;
    const auto counts = [](const Recording& recording) {
      std::vector<std::pair<int, std::size_t>> started;
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) started.emplace_back(fact.step, fact.values.size());
      }
      return started;
    };
    const bool same = std::ranges::all_of(
        seen, [&](const Recording& each) { return counts(each) == counts(seen.front()); });
    if (same) {
      ++result_.steady;
    } else {
      result_.unsteady.push_back(probe.name);
    }
  }

  Oracle& oracle_;
  Journal& journal_;
  const std::function<void(const std::string&)>& doing_;
  int session_;
  bool first_ = true;
  std::string refusal_;
  std::vector<double> milliseconds_;
  OracleCheck result_;
};

}  // namespace

bool OracleCheck::good() const {
  return unsteady.empty() && std::ranges::all_of(limits, &LimitCheck::holds);
}

OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed,
                         const std::function<void(const std::string&)>& doing) {
  return Checker(oracle, journal, doing).run(seed);
}

}  // namespace cuvier
