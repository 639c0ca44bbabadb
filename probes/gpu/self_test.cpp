#include <ostream>

#include "probes/device_json.h"
#include "probes/gpu/checks/checks.h"
#include "probes/gpu/cuda_check.h"
#include "probes/gpu/device_facts.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/modes.h"
#include "probes/gpu/run_probe.h"
#include "probes/json_fields.h"

namespace cuvier::gpu {
namespace {

constexpr int repetitions = 50;
constexpr int round_trips = 1000;
constexpr int fewest_connections = 16;  // nearly every probe has fewer streams

/// Under what the rest was found.
CheckResult surroundings(const CudaDevice& device) {
  const int ordinal = device.options().ordinal;
  int compute_mode = 0;
  check(cudaDeviceGetAttribute(&compute_mode, cudaDevAttrComputeMode, ordinal),
        "read the compute mode");
  const std::string loading = loading_mode();
  const auto nvml = ask_nvml(ordinal);
  const bool mig = nvml && nvml->mig.value_or(false);
  const bool mps = shared_by_mps(ordinal);
  Json json = {{"ok", loading == "eager" && compute_mode == cudaComputeModeDefault && !mig && !mps},
               {"cuda", cuda_versions()},
               {"loading", loading},
               {"compute_mode", compute_mode},
               {"mps", mps},
               {"channels", device.channels()},
               {"device", to_json(device.facts())}};
  if (!nvml) return json;
  json["driver"] = nvml->driver;
  if (nvml->mig) json["mig"] = *nvml->mig;
  if (nvml->persistence) json["persistence"] = *nvml->persistence;
  return json;
}

CheckResult alone(const CudaDevice& device) {
  const std::string neighbours = neighbours_of(ask_nvml(device.options().ordinal));
  return {{"ok", neighbours.empty()}, {"seen", neighbours}};
}

/// Each kernel's real numbers against its claim; only those that differ are listed. A driver may
/// round up local memory, of which only the order of amounts matters.
CheckResult kernels(const CudaDevice& device) {
  Json wrong = Json::array();
  Json rounded = Json::array();
  for (const KernelShelf::Entry& entry : device.shelf().entries()) {
    if (entry.registers == entry.claim.registers && entry.local == entry.claim.local) continue;
    const bool only_rounded =
        entry.registers == entry.claim.registers && entry.local > entry.claim.local;
    (only_rounded ? rounded : wrong)
        .push_back({{"claimed_registers", entry.claim.registers},
                    {"registers", entry.registers},
                    {"claimed_local", entry.claim.local},
                    {"local", entry.local}});
  }
  const bool ok = wrong.empty();
  return {{"ok", ok},
          {"count", device.shelf().entries().size()},
          {"wrong", std::move(wrong)},
          {"local_rounded", std::move(rounded)}};
}

/// First against second launch, on every stream that there is; how many of those that probes use
/// first share a connection with another.
CheckResult streams(const CudaDevice& device) {
  const StreamLaunches& launches = device.stream_launches();
  return {{"ok", launches.connections >= fewest_connections},
          {"streams", launches.streams},
          {"tried_for_connections", launches.connected},
          {"connections", launches.connections},
          {"first_launch_us", to_json(launches.first)},
          {"second_launch_us", to_json(launches.second)}};
}

/// Whether a kernel of each register count still runs and puts its one block somewhere.
CheckResult launches(CudaDevice& device, const Patience& patience) {
  Json failed = Json::array();
  for (const KernelShelf::Entry& entry : device.shelf().entries()) {
    Kernel kernel{.name = "k",
                  .blocks = 1,
                  .threads = 32,
                  .registers = entry.registers,
                  .local = entry.claim.local};
    Probe probe{"", {kernel}, {{0, {}}}};
    if (run_probe(device, probe, patience).steps.front().started.empty()) {
      failed.push_back({{"registers", entry.registers}, {"local", entry.claim.local}});
    }
  }
  const bool ok = failed.empty();
  return {{"ok", ok}, {"failed", std::move(failed)}};
}

CheckResult repeatability(CudaDevice& device, const Patience& patience) {
  const Clock::time_point begin = Clock::now();
  const int distinct = distinct_placements(device, patience, repetitions);
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  return {{"ok", distinct == 1},
          {"runs", repetitions},
          {"distinct", distinct},
          {"us_per_probe", spent.count() / repetitions}};
}

/// The driver's occupancy calculation for a gated kernel.
int calculated_blocks(const CudaDevice& device, const Kernel& kernel) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, device.shelf().find(kernel).claim.function, kernel.threads, kernel.shared),
        "calculate the occupancy");
  return blocks;
}

}  // namespace

bool self_test(CudaDevice& device, std::ostream& out) {
  bool all_well = true;
  // One that fails says so in its line; the others are made all the same.
  const auto report = [&](const char* name, const auto& run) {
    Json line = {{"test", name}};
    const Clock::time_point begin = Clock::now();
    try {
      line.update(run());
    } catch (const Failure& failure) {
      line["ok"] = false;
      line["error"] = failure.what();
      if (failure.code() == FailureCode::device_lost) {
        out << line.dump() << std::endl;
        throw;
      }
    }
    line["ms"] =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
    all_well = all_well && line["ok"].get<bool>();
    out << line.dump() << std::endl;
  };
  Patience patience;
  report("surroundings", [&] { return surroundings(device); });
  report("alone", [&] { return alone(device); });
  report("round_trips", [&] {
    const RoundTrips trips = measure_round_trips(device, 1, round_trips);
    CheckResult result = {{"ok", trips.fits}};
    result.update(to_json(trips));
    return result;
  });
  report("settling", [&] {
    const RoundTrips trips = measure_round_trips(device, device.facts().sms, settling_grids);
    patience.quiet = quiet_after(trips);
    CheckResult result = {{"ok", trips.fits}, {"quiet_us", patience.quiet.count()}};
    result.update(to_json(trips));
    return result;
  });
  report("one_block_per_sm", [&] { return check_one_block_per_sm(device, patience); });
  report("streams", [&] { return streams(device); });
  report("resident_kernels", [&] { return check_resident_kernels(device, patience); });
  report("waiting", [&] { return check_waiting(device, patience); });
  report("clock", [&] { return check_clock(device, patience); });
  report("warp_slots", [&] { return check_warp_slots(device, patience); });
  report("carve_out", [&] { return check_carve_out(device, patience); });
  report("occupancy", [&] {
    return check_occupancy(device, patience,
                           [&](const Kernel& kernel) { return calculated_blocks(device, kernel); });
  });
  report("repeatability", [&] { return repeatability(device, patience); });
  report("kernels", [&] { return kernels(device); });
  report("launches", [&] { return launches(device, patience); });
  return all_well;
}

}  // namespace cuvier::gpu
