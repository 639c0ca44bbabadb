#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "probes/device_json.h"
#include "probes/error.h"
#include "probes/gpu/checks/checks.h"
#include "probes/gpu/cuda_check.h"
#include "probes/gpu/device_facts.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/gpu_claim.h"
#include "probes/gpu/modes.h"
#include "probes/gpu/session.h"
#include "probes/gpu/shared_configs.h"
#include "probes/gpu/watchdog.h"
#include "probes/json_fields.h"
#include "probes/number_in.h"

namespace {

using namespace cuvier;
using namespace cuvier::gpu;

constexpr int opening_repetitions = 5;
constexpr int any_number = std::numeric_limits<int>::max();

constexpr std::string_view usage =
    R"(cuvier-gpu: where does this GPU put thread blocks? Speaks cuvier's oracle protocol on
standard input and output, a JSON object a line; its log goes to standard error.

  --device N         the GPU with this CUDA ordinal (default 0)
  --log FILE         append the log to this file instead
  --no-topology      do not ask which SMs share a GPC or a TPC
  --local-as-is      do not grow the driver's local memory beforehand
  --spin             blocks that wait keep their warps busy instead of letting them sleep
  --carve-out N      kernels prefer N % of an SM's memory as shared memory
  --cluster-policy spread|load-balancing
                     how the blocks of a cluster are to be put on SMs
  --connections N    streams share N connections to the device, 1 to 32 (default 32)

Instead of a session, one of:
  --self-test        try what a session relies on, print a JSON object a line, and exit
                     (1 if something is not as it should be)
  --topology         print the groups of SMs and how they were found, and exit
  --shared-configs FILE
                     run the probes of this file of recordings under CUPTI, print a file of
                     recordings of the shared-memory configurations that the driver chose, and exit
  --version, --help

Exit codes: 0 done, 1 a self-test failed, 2 usage or input, 3 the device was lost, 4 no GPU here,
5 the driver is too old, 6 the GPU is not ready (fabric manager), 7 no permission, 8 the GPU is
taken by another process (a cuvier-gpu: for longer than 30 s, or CUVIER_GPU_CLAIM_S), 9 a call did
not return for 30 s (CUVIER_GPU_WATCHDOG_S).
)";

enum class Mode { serve, topology, self_test, shared_configs };

struct Arguments {
  CudaOptions cuda;
  std::chrono::seconds claim_patience{};
  std::chrono::seconds call_limit{};
  int connections = most_connections;
  bool ask_topology = true;
  Mode mode = Mode::serve;
  std::string probes;  ///< of --shared-configs
};

[[noreturn]] void refuse(const std::string& why) { throw Error(why); }

int read_number(const std::string& option, std::string_view text, int least, int most) {
  const auto number = number_in<int>(text);
  if (!number || *number < least || *number > most) {
    refuse(option + " takes a number from " + std::to_string(least) + " " +
           (most == any_number ? "on" : "to " + std::to_string(most)) + ", not " +
           in_quotes(std::string(text)));
  }
  return *number;
}

cudaClusterSchedulingPolicy read_policy(std::string_view text) {
  if (text == "spread") return cudaClusterSchedulingPolicySpread;
  if (text == "load-balancing") return cudaClusterSchedulingPolicyLoadBalancing;
  refuse("--cluster-policy takes spread or load-balancing, not " + in_quotes(std::string(text)));
}

void log_to(const char* path) {
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0 || ::dup2(fd, STDERR_FILENO) < 0) {
    refuse(std::string("--log ") + path + ": " + std::strerror(errno));
  }
}

/// Nothing: what was asked for has been printed. Throws Error.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) refuse(argument + " needs a value; see --help");
      return argv[++i];
    };
    const auto instead = [&](Mode mode) {
      if (arguments.mode != Mode::serve) {
        refuse(argument +
               ": there is another mode already; ask for one of --self-test, "
               "--topology and --shared-configs at a time");
      }
      arguments.mode = mode;
    };
    if (argument == "--no-topology") {
      arguments.ask_topology = false;
    } else if (argument == "--local-as-is") {
      arguments.cuda.grow_local = false;
    } else if (argument == "--spin") {
      arguments.cuda.spin = true;
    } else if (argument == "--topology") {
      instead(Mode::topology);
    } else if (argument == "--self-test") {
      instead(Mode::self_test);
    } else if (argument == "--shared-configs") {
      instead(Mode::shared_configs);
      arguments.cuda.activity = true;
      arguments.probes = value();
    } else if (argument == "--log") {
      log_to(value());
    } else if (argument == "--device") {
      arguments.cuda.ordinal = read_number(argument, value(), 0, any_number);
    } else if (argument == "--carve-out") {
      arguments.cuda.carve_out = read_number(argument, value(), 0, 100);
    } else if (argument == "--cluster-policy") {
      arguments.cuda.cluster_policy = read_policy(value());
    } else if (argument == "--connections") {
      arguments.connections = read_number(argument, value(), 1, most_connections);
    } else if (argument == "--help") {
      std::cout << usage;
      return std::nullopt;
    } else if (argument == "--version") {
      std::cout << "cuvier-gpu " << CUVIER_VERSION << '\n';
      return std::nullopt;
    } else {
      refuse("what is " + in_quotes(argument) + "? See --help");
    }
  }
  arguments.claim_patience = time_limit("CUVIER_GPU_CLAIM_S", 0, GpuClaim::usual_patience);
  arguments.call_limit = time_limit("CUVIER_GPU_WATCHDOG_S", 1, Watch::usual_limit);
  return arguments;
}

/// Tells this GPU's place from others of the machine.
std::string name_of_gpu(int ordinal) {
  std::string bus(32, '\0');
  if (cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), ordinal) == cudaSuccess) {
    return bus.c_str();
  }
  cudaGetLastError();
  return std::to_string(ordinal);
}

/// A GPU that is ours alone, as long as this process lives.
struct Opened {
  std::unique_ptr<GpuClaim> claim;
  std::unique_ptr<CudaDevice> device;
  std::string uuid;
};

Opened open_gpu(const Arguments& arguments) {
  const int ordinal = arguments.cuda.ordinal;
  expect_gpu(ordinal);
  Opened opened;
  opened.claim = std::make_unique<GpuClaim>(name_of_gpu(ordinal), arguments.claim_patience);
  opened.device = std::make_unique<CudaDevice>(arguments.cuda);
  opened.uuid = uuid_of(ordinal);
  std::cerr << "cuvier-gpu: " << opened.device->facts().name << ", " << cuda_versions()
            << ", loading " << loading_mode() << '\n';
  if (shared_by_mps(ordinal)) {
    std::cerr << "cuvier-gpu: MPS is on: it shares this GPU among processes, and may give ours a "
                 "part of the SMs; placements may not repeat\n";
  }
  const std::string neighbours = neighbours_of(ask_nvml(ordinal));
  if (!neighbours.empty()) {
    std::cerr << "cuvier-gpu: not alone on this GPU: " << neighbours
              << "; placements may not repeat\n";
  }
  return opened;
}

/// Whether an earlier runner has found which SMs belong together; then the device has it.
bool take_kept_groups(const Opened& opened) {
  const auto kept = opened.claim->kept(opened.uuid, opened.device->facts());
  if (!kept) return false;
  std::cerr << "cuvier-gpu: GPCs and TPCs as an earlier runner found them\n";
  opened.device->set_groups(*kept);
  return true;
}

/// Asks the device, and keeps what it says; says so if it was something else before.
Topology ask_topology(const Opened& opened, const Patience& patience) {
  CudaDevice& device = *opened.device;
  const auto kept = opened.claim->kept(opened.uuid, device.facts());
  const Topology topology = find_topology(device, patience);
  if (kept && *kept != topology.device) {
    std::cerr << "cuvier-gpu: the groups of SMs are not those that an earlier runner found\n";
  }
  device.set_groups(topology.device);
  opened.claim->keep(opened.uuid, topology.device);
  std::cerr << "cuvier-gpu: GPCs: " << topology.gpc_evidence
            << "\ncuvier-gpu: TPCs: " << topology.tpc_evidence << '\n';
  return topology;
}

Patience patience_after(const RoundTrips& trips) {
  Patience patience;
  patience.quiet = quiet_after(trips);
  return patience;
}

RoundTrips measure(CudaDevice& device) {
  return measure_round_trips(device, device.facts().sms, settling_grids);
}

/// `opened` stays with the caller, who lives as long as the session.
ReadyDevice open_for_session(const Arguments& arguments, Opened& opened) {
  opened = open_gpu(arguments);
  const RoundTrips trips = measure(*opened.device);
  const Patience patience = patience_after(trips);
  if (arguments.ask_topology && !take_kept_groups(opened)) ask_topology(opened, patience);
  const int distinct = distinct_placements(*opened.device, patience, opening_repetitions);
  if (distinct > 1) {
    std::cerr << "cuvier-gpu: the same probe had " << distinct << " outcomes in "
              << opening_repetitions << " runs: other work on this GPU, or state between probes\n";
  }
  const auto nvml = ask_nvml(arguments.cuda.ordinal);
  return {std::move(opened.device), trips, opened.uuid,
          nvml && !nvml->driver.empty() ? nvml->driver : cuda_versions()};
}

int print_topology(const Arguments& arguments) {
  const Opened opened = open_gpu(arguments);
  const Topology topology = ask_topology(opened, patience_after(measure(*opened.device)));
  const Json json = {{"device", to_json(topology.device)},
                     {"gpc_evidence", topology.gpc_evidence},
                     {"tpc_evidence", topology.tpc_evidence}};
  std::cout << json.dump(2) << '\n';
  return exit_done;
}

int run(const Arguments& arguments) {
  switch (arguments.mode) {
    case Mode::serve: {
      Opened opened;
      return serve(std::cin, std::cout, [&] { return open_for_session(arguments, opened); });
    }
    case Mode::topology:
      return print_topology(arguments);
    case Mode::self_test: {
      const Opened opened = open_gpu(arguments);
      return self_test(*opened.device, std::cout) ? exit_done : exit_failed_test;
    }
    case Mode::shared_configs:
      break;
  }
  const Opened opened = open_gpu(arguments);
  take_kept_groups(opened);  // without them no cluster is launched
  const Patience patience = patience_after(measure(*opened.device));
  write_shared_configs(*opened.device, "CUPTI's kernel records, " + cuda_versions(),
                       arguments.probes, patience, std::cout, std::cerr);
  return exit_done;
}

/// Ends the process without CUDA's own tidying up, which may wait for ever for a device
/// that is lost.
[[noreturn]] void leave(int exit_code) {
  std::cout.flush();
  std::cerr.flush();
  std::_Exit(exit_code);
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = exit_done;
  try {
    const auto arguments = parse(argc, argv);
    if (!arguments) return exit_done;
    end_without_reader();
    Watch::set_limit(arguments->call_limit);
    set_environment(arguments->connections);
    exit_code = run(*arguments);
  } catch (const Failure& failure) {
    std::cerr << "cuvier-gpu: " << name_of(failure.code()) << ": " << failure.what() << '\n';
    exit_code = failure.exit_code();
  } catch (const Error& error) {
    std::cerr << "cuvier-gpu: " << error.what() << '\n';
    exit_code = exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "cuvier-gpu: " << error.what() << '\n';
    exit_code = exit_lost;
  }
  leave(exit_code);
}
