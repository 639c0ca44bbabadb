// bench_device_day ORACLE OUT SECONDS TABLE2 SEED [ITEM...]: asks a device the questions of
// docs/device-day.md, most valuable first, and keeps every answer in OUT/ITEM/journal.jsonl as
// it comes. ORACLE is a command that speaks the oracle protocol; TABLE2 is corpus/table2.jsonl.
// Another SEED asks other questions; 0 asks the plainest.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "corpus/store.h"
#include "probes/error.h"
#include "probes/family.h"
#include "probes/oracles/external.h"

namespace {

using namespace cuvier;
using Clock = std::chrono::steady_clock;

constexpr int most_failures = 3;  // then an item is left, and the others still run

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

Source drawn(const Device& device, Rng& seeds, std::vector<std::string> names, int count) {
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
Shape shape_of(const Device& device, int seed, Rng& rng, int plain_threads) {
  if (seed == 0) return {plain_threads, {-2, -1, 0, 1, 2}};
  Shape shape{32 << uniform(rng, 0, 3), {}};
  for (int i = 0; i < 5; ++i) {
    shape.offsets.push_back(uniform(rng, -device.sms / 2, device.sms / 2));
  }
  return shape;
}

std::vector<Probe> order(const Device& device, int seed, Rng& rng) {
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
std::vector<Probe> large_grids(const Device& device, int seed, Rng& rng) {
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
std::vector<Probe> clusters(const Device& device, Rng& rng) {
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

std::vector<Item> programme(const Device& device, const std::string& table, int seed) {
  Rng rng(seed);
  return {
      {"order", 0.3, 20, from(order(device, seed, rng))},
      {"large-grids", 0.3, 10, from(large_grids(device, seed, rng))},
      {"clusters", 0.2, 3, from(clusters(device, rng))},
      {"table2", 0.2, 3, from(scaled_table(device, table))},
      {"fragmentation", 0.1, 2, drawn(device, rng, {"fragmentation", "granularity"}, 200)},
      {"carve-out", 0.15, 2, drawn(device, rng, {"carve_out"}, 200)},
      {"queueing", 0.15, 2, drawn(device, rng, {"queueing"}, 100)},
      {"resident-kernels", 0.1, 3, from(many_kernels(device))},
      {"local-memory", 0.1, 2, drawn(device, rng, {"local_memory"}, 100)},
      {"warp-pointer", 0.2, 2, from(warp_pointers(device))},
      {"random", 1.0, 1, drawn(device, rng, {"paper_random"}, 100'000)},
  };
}

struct Outcome {
  int answers = 0;
  int unsteady = 0;  ///< probes whose repetitions differ
  int failures = 0;
  std::map<std::string, int> refusals;  ///< by code
};

/// Whether they place blocks differently, as far as all are exact. Warp slots may come and go.
bool differ(const std::vector<Answer>& answers) {
  int steps = std::numeric_limits<int>::max();
  for (const Answer& answer : answers) steps = std::min(steps, answer.exact.value_or(steps));
  const auto placements = [&](const Answer& answer) {
    std::vector<Fact> facts = answer.facts;
    std::erase_if(facts, [&](const Fact& fact) {
      return fact.kind == Fact::Kind::warp_slot || fact.step >= steps;
    });
    return facts;
  };
  const std::vector<Fact> first = placements(answers[0]);
  return std::ranges::any_of(answers,
                             [&](const Answer& answer) { return placements(answer) != first; });
}

Outcome ask(Oracle& oracle, const Item& item, const std::string& folder, Clock::time_point end) {
  Journal journal(folder, oracle.device(), oracle.description());
  Outcome outcome;
  int session = -1;
  for (int index = 0; Clock::now() < end && outcome.failures < most_failures; ++index) {
    const std::optional<Probe> probe = item.source(index);
    if (!probe) break;
    try {
      std::vector<Answer> answers;
      while (std::ssize(answers) < item.repeat) {
        for (Answer& answer : oracle.run(*probe, item.repeat - static_cast<int>(answers.size()))) {
          const bool fresh = oracle.session() != session;
          // Without the observation: the facts say all of it, and what is brought home is small.
          journal.append(*probe, {answer.facts, std::nullopt, answer.exact}, fresh,
                         oracle.opening(), nlohmann::ordered_json::object());
          session = oracle.session();
          ++outcome.answers;
          answers.push_back(std::move(answer));
        }
      }
      outcome.unsteady += differ(answers);
    } catch (const OracleRefusal& refusal) {
      ++outcome.refusals[refusal.code()];
      if (outcome.refusals[refusal.code()] == 1) fmt::print("  {}\n", refusal.what());
    } catch (const Error& error) {
      fmt::print("  {}\n", error.what());
      ++outcome.failures;
    }
  }
  return outcome;
}

struct Arguments {
  std::string oracle;
  std::string out;
  std::chrono::seconds limit{};
  std::string table;
  int seed = 0;
  std::set<std::string> items;
};

std::optional<Arguments> parse(int argc, char** argv) {
  if (argc < 6) return std::nullopt;
  return Arguments{argv[1],
                   argv[2],
                   std::chrono::seconds(std::stoi(argv[3])),
                   argv[4],
                   std::stoi(argv[5]),
                   {argv + 6, argv + argc}};
}

void run(const Arguments& arguments) {
  const Clock::time_point end = Clock::now() + arguments.limit;
  ExternalOracle oracle(arguments.oracle);
  fmt::print("{} by {}\n", oracle.device().name, oracle.description());
  for (const Item& item : programme(oracle.device(), arguments.table, arguments.seed)) {
    if (!arguments.items.empty() && !arguments.items.contains(item.name)) continue;
    const Clock::time_point begin = Clock::now();
    const double share = arguments.items.size() == 1 ? 1 : item.share;
    const auto allowed = std::chrono::duration_cast<Clock::duration>((end - begin) * share);
    const Outcome outcome =
        ask(oracle, item, fmt::format("{}/{}", arguments.out, item.name), begin + allowed);
    const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
    fmt::print(
        "{}: {} answers in {:.1f} s ({:.0f} a second), {} probes did not repeat, {} failures",
        item.name, outcome.answers, spent, outcome.answers / std::max(spent, 1e-3),
        outcome.unsteady, outcome.failures);
    for (const auto& [code, count] : outcome.refusals) fmt::print(", {} {}", count, code);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto arguments = parse(argc, argv);
    if (!arguments) {
      fmt::print(stderr, "usage: bench_device_day ORACLE OUT SECONDS TABLE2 SEED [ITEM...]\n");
      return 2;
    }
    run(*arguments);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_device_day: {}\n", error.what());
    return 3;
  }
}
