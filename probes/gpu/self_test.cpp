#include "probes/gpu/self_test.h"

#include <ostream>

#include "probes/gpu/device_facts.h"
#include "probes/gpu/neighbours.h"
#include "probes/gpu/repeatability.h"
#include "probes/gpu/settling.h"
#include "probes/json_fields.h"

namespace cuvier::gpu {
namespace {

constexpr int repetitions = 50;

/// Each kernel's real numbers against its claim; only the wrong ones are listed.
Json kernels_report(const CudaDevice& device) {
  Json wrong = Json::array();
  for (const KernelShelf::Entry& entry : device.shelf().entries()) {
    if (entry.registers == entry.claim.registers && entry.local == entry.claim.local) continue;
    wrong.push_back({{"claimed_registers", entry.claim.registers},
                     {"registers", entry.registers},
                     {"claimed_local", entry.claim.local},
                     {"local", entry.local}});
  }
  const bool ok = wrong.empty();
  return {{"test", "kernels"},
          {"ok", ok},
          {"count", device.shelf().entries().size()},
          {"wrong", std::move(wrong)}};
}

/// Whether a kernel of each register count still runs and puts its one block somewhere.
Json launches_report(CudaDevice& device, const Patience& patience) {
  Json failed = Json::array();
  for (const KernelShelf::Entry& entry : device.shelf().entries()) {
    Kernel kernel;
    kernel.name = "k";
    kernel.blocks = 1;
    kernel.threads = 32;
    kernel.registers = entry.registers;
    kernel.local = entry.local;
    Probe probe;
    probe.kernels = {kernel};
    probe.script = {{0, {}}};
    if (run_probe(device, probe, patience).steps.front().started.empty()) {
      failed.push_back({{"registers", entry.registers}, {"local", entry.local}});
    }
  }
  const bool ok = failed.empty();
  return {{"test", "launches"}, {"ok", ok}, {"failed", std::move(failed)}};
}

}  // namespace

bool self_test(CudaDevice& device, int ordinal, std::ostream& out) {
  bool all_well = true;
  const auto report = [&](const Json& line) {
    all_well = all_well && line["ok"].get<bool>();
    out << line.dump() << std::endl;
  };
  report({{"test", "device"},
          {"ok", true},
          {"cuda", cuda_versions()},
          {"device", to_json(device.facts())}});
  report(kernels_report(device));
  const Settling settling = measure_settling(device);
  report({{"test", "settling"},
          {"ok", settling.quiet < std::chrono::milliseconds{50}},
          {"largest_gap_us", settling.largest_gap.count()},
          {"settle_us", settling.quiet.count()}});
  Patience patience;
  patience.quiet = settling.quiet;
  report(launches_report(device, patience));
  report({{"test", "channels"}, {"ok", true}, {"channels", device.channels()}});
  const Clock::time_point begin = Clock::now();
  const int distinct = distinct_placements(device, patience, repetitions);
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  report({{"test", "repeatability"},
          {"ok", distinct == 1},
          {"runs", repetitions},
          {"distinct", distinct},
          {"us_per_probe", spent.count() / repetitions}});
  const std::string neighbours = neighbours_of(ordinal);
  report({{"test", "alone"}, {"ok", neighbours.empty()}, {"seen", neighbours}});
  return all_well;
}

}  // namespace cuvier::gpu
