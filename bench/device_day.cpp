// bench_device_day ORACLE OUT SECONDS TABLE2 [ITEM...]: asks a device the fixed questions of
// docs/device-day.md, most valuable first, and keeps every answer in OUT/ITEM/journal.jsonl as
// it comes. ORACLE is a command that speaks the oracle protocol; TABLE2 is corpus/table2.jsonl.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "corpus/store.h"
#include "probes/error.h"
#include "probes/family.h"
#include "probes/oracles/external.h"

namespace {

using namespace cuvier;
using Clock = std::chrono::steady_clock;

constexpr Rng::result_type seed = 20260101;
constexpr int most_failures_in_a_row = 20;

Kernel kernel_of(const std::string& name, int blocks, int threads, int registers) {
  Kernel kernel;
  kernel.name = name;
  kernel.blocks = blocks;
  kernel.threads = threads;
  kernel.registers = registers;
  return kernel;
}

Probe launch_all(const std::string& name, std::vector<Kernel> kernels) {
  Probe probe;
  probe.name = name;
  probe.kernels = std::move(kernels);
  for (int k = 0; k < std::ssize(probe.kernels); ++k) probe.script.push_back({k, {}});
  return probe;
}

/// Gives probes one after the other; nullopt: there are no more.
using Source = std::function<std::optional<Probe>(int index)>;

struct Item {
  std::string name;
  double share;  ///< of the time that is left when its turn comes
  int repeat;
  Source source;
};

Source from(std::vector<Probe> probes) {
  return [probes = std::move(probes)](int index) {
    return index < std::ssize(probes) ? std::optional(probes[index]) : std::nullopt;
  };
}

Source drawn(const Device& device, std::vector<std::string> names, int count) {
  std::vector<const ProbeFamily*> families;
  for (const ProbeFamily& family : probe_families()) {
    for (const std::string& name : names) {
      if (family.name == name) families.push_back(&family);
    }
  }
  return [&device, families, count, rng = Rng(seed)](int index) mutable {
    if (index >= count) return std::optional<Probe>();
    return std::optional(families[index % families.size()]->draw(device, rng));
  };
}

std::vector<Probe> order(const Device& device) {
  const int sms = device.sms;
  std::vector<Probe> probes;
  for (const int blocks : {sms, sms / 2, 2 * sms, 3 * sms, sms * device.max_blocks_per_sm}) {
    probes.push_back(launch_all(fmt::format("order-{}", blocks), {kernel_of("k", blocks, 32, 16)}));
  }
  for (const int blocks : {1, sms / 2, sms}) {
    probes.push_back(
        launch_all(fmt::format("order-{}-twice", blocks),
                   {kernel_of("k1", blocks, 64, 32), kernel_of("k2", blocks, 64, 32)}));
  }
  return probes;
}

std::vector<Probe> large_grids(const Device& device) {
  std::vector<Probe> probes;
  for (int multiple = 1; multiple <= 8; ++multiple) {
    for (int off = -2; off <= 2; ++off) {
      const int blocks = multiple * device.sms + off;
      probes.push_back(
          launch_all(fmt::format("large-grid-{}", blocks), {kernel_of("k", blocks, 128, 32)}));
    }
  }
  return probes;
}

/// The paper's table on another device: grids by the number of SMs, shared memory by the
/// largest block's.
std::vector<Probe> scaled_table(const Device& device, const std::string& path) {
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
      for (Release& release : action.releases) {
        std::erase_if(release.blocks,
                      [&](int block) { return block >= probe.kernels[release.kernel].blocks; });
      }
    }
    probes.push_back(std::move(probe));
  }
  return probes;
}

/// One more kernel than may be resident, then room for it.
std::vector<Probe> many_kernels(const Device& device) {
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
std::vector<Probe> warp_pointers(const Device& device) {
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

std::vector<Item> programme(const Device& device, const std::string& table) {
  return {
      {"order", 0.3, 20, from(order(device))},
      {"large-grids", 0.3, 10, from(large_grids(device))},
      {"table2", 0.2, 3, from(scaled_table(device, table))},
      {"fragmentation", 0.1, 2, drawn(device, {"fragmentation", "granularity"}, 200)},
      {"carve-out", 0.15, 2, drawn(device, {"carve_out"}, 200)},
      {"queueing", 0.15, 2, drawn(device, {"queueing"}, 100)},
      {"resident-kernels", 0.1, 3, from(many_kernels(device))},
      {"local-memory", 0.1, 2, drawn(device, {"local_memory"}, 100)},
      {"warp-pointer", 0.2, 2, from(warp_pointers(device))},
      {"random", 1.0, 1, drawn(device, {"paper_random"}, 5000)},
  };
}

struct Outcome {
  int answers = 0;
  int unsteady = 0;  ///< probes whose repetitions differ
  int failures = 0;
  std::map<std::string, int> refusals;  ///< by code
};

bool differ(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    if (answer.facts.size() != answers[0].facts.size()) return true;
    for (std::size_t i = 0; i < answer.facts.size(); ++i) {
      const Fact& fact = answer.facts[i];
      const bool placed = fact.kind != Fact::Kind::warp_slot;  // slots may come and go
      if (placed && fact != answers[0].facts[i]) return true;
    }
  }
  return false;
}

Outcome ask(Oracle& oracle, const Item& item, const std::string& folder, Clock::time_point end) {
  Journal journal(folder, oracle.device(), oracle.description());
  Outcome outcome;
  int session = -1;
  int failures_in_a_row = 0;
  for (int index = 0; Clock::now() < end; ++index) {
    const std::optional<Probe> probe = item.source(index);
    if (!probe) break;
    try {
      const std::vector<Answer> answers = oracle.run(*probe, item.repeat);
      outcome.unsteady += differ(answers);
      for (const Answer& answer : answers) {
        journal.append({*probe, answer.facts, oracle.session() != session, {}});
        session = oracle.session();
        ++outcome.answers;
      }
      failures_in_a_row = 0;
    } catch (const OracleRefusal& refusal) {
      ++outcome.refusals[refusal.code()];
      if (outcome.refusals[refusal.code()] == 1) fmt::print("  {}\n", refusal.what());
    } catch (const Error& error) {
      fmt::print("  {}\n", error.what());
      ++outcome.failures;
      if (++failures_in_a_row == most_failures_in_a_row) throw;
    }
  }
  return outcome;
}

int run(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: bench_device_day ORACLE OUT SECONDS TABLE2 [ITEM...]\n");
    return 2;
  }
  const Clock::time_point end = Clock::now() + std::chrono::seconds(std::stoi(argv[3]));
  const std::set<std::string> wanted(argv + 5, argv + argc);
  ExternalOracle oracle(argv[1]);
  fmt::print("{} by {}\n", oracle.device().name, oracle.description());
  for (const Item& item : programme(oracle.device(), argv[4])) {
    if (!wanted.empty() && !wanted.contains(item.name)) continue;
    const Clock::time_point begin = Clock::now();
    const auto allowed = std::chrono::duration_cast<Clock::duration>((end - begin) * item.share);
    const Outcome outcome =
        ask(oracle, item, fmt::format("{}/{}", argv[2], item.name), begin + allowed);
    fmt::print("{}: {} answers in {:.1f} s, {} probes did not repeat, {} failures", item.name,
               outcome.answers, std::chrono::duration<double>(Clock::now() - begin).count(),
               outcome.unsteady, outcome.failures);
    for (const auto& [code, count] : outcome.refusals) fmt::print(", {} {}", count, code);
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_device_day: {}\n", error.what());
    return 3;
  }
}
