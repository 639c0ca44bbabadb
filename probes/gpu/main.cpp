#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "probes/error.h"
#include "probes/gpu/device_facts.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/neighbours.h"
#include "probes/gpu/repeatability.h"
#include "probes/gpu/self_test.h"
#include "probes/gpu/session.h"
#include "probes/gpu/settling.h"
#include "probes/gpu/topology.h"
#include "probes/json_fields.h"

namespace {

using namespace cuvier;
using namespace cuvier::gpu;

constexpr int exit_usage = 2;
constexpr int exit_failed_test = 1;
constexpr int exit_no_device = 4;
constexpr int opening_repetitions = 5;

constexpr std::string_view usage =
    R"(cuvier-gpu: where does this GPU put thread blocks? Speaks cuvier's oracle protocol on
standard input and output, a JSON object a line; its log goes to standard error.

  --device N         the GPU with this CUDA ordinal (default 0)
  --no-topology      do not ask which SMs share a GPC or a TPC
  --local-as-is      do not grow the driver's local memory beforehand
  --cupti            offer shared_config by CUPTI, which may disturb what it watches
  --topology         print the groups of SMs and how they were found, and exit
  --self-test        print what works here, and exit (1 if something does not)
                     (both exit with 4 where there is no GPU at all)
  --version, --help
)";

enum class Mode { serve, topology, self_test };

struct Arguments {
  CudaOptions cuda;
  bool ask_topology = true;
  Mode mode = Mode::serve;
};

/// Nothing: what was asked for has been printed, or cannot be understood (then exit_code).
std::optional<Arguments> parse(int argc, char** argv, int& exit_code) {
  Arguments arguments;
  exit_code = exit_done;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--no-topology") {
      arguments.ask_topology = false;
    } else if (argument == "--local-as-is") {
      arguments.cuda.grow_local = false;
    } else if (argument == "--cupti") {
      arguments.cuda.activity = true;
    } else if (argument == "--topology") {
      arguments.mode = Mode::topology;
    } else if (argument == "--self-test") {
      arguments.mode = Mode::self_test;
    } else if (argument == "--help") {
      std::cout << usage;
      return std::nullopt;
    } else if (argument == "--version") {
      std::cout << "cuvier-gpu " << CUVIER_VERSION << '\n';
      return std::nullopt;
    } else if (argument == "--device" && i + 1 < argc) {
      const std::string_view text = argv[++i];
      const auto [end, bad] =
          std::from_chars(text.data(), text.data() + text.size(), arguments.cuda.ordinal);
      if (bad == std::errc{} && end == text.data() + text.size()) continue;
      std::cerr << "cuvier-gpu: --device takes a number, not " << text << '\n';
      exit_code = exit_usage;
      return std::nullopt;
    } else {
      std::cerr << "cuvier-gpu: what is " << argument << "? See --help\n";
      exit_code = exit_usage;
      return std::nullopt;
    }
  }
  return arguments;
}

std::unique_ptr<CudaDevice> open_device(const Arguments& arguments) {
  auto device = std::make_unique<CudaDevice>(arguments.cuda);
  std::cerr << "cuvier-gpu: " << device->facts().name << ", " << cuda_versions() << '\n';
  const std::string neighbours = neighbours_of(arguments.cuda.ordinal);
  if (!neighbours.empty()) {
    std::cerr << "cuvier-gpu: not alone on this GPU: " << neighbours
              << "; placements may not repeat\n";
  }
  return device;
}

Topology ask_topology(CudaDevice& device) {
  const Topology topology = find_topology(device, measure_settling(device).quiet);
  device.set_groups(topology.gpc_of_sm, topology.tpc_of_sm);
  return topology;
}

std::unique_ptr<RunnerDevice> open_for_session(const Arguments& arguments) {
  auto device = open_device(arguments);
  if (arguments.ask_topology) {
    const Topology topology = ask_topology(*device);
    std::cerr << "cuvier-gpu: GPCs: " << topology.gpc_evidence
              << "\ncuvier-gpu: TPCs: " << topology.tpc_evidence << '\n';
  }
  Patience patience;
  patience.quiet = measure_settling(*device).quiet;
  const int distinct = distinct_placements(*device, patience, opening_repetitions);
  if (distinct > 1) {
    std::cerr << "cuvier-gpu: the same probe had " << distinct << " outcomes in "
              << opening_repetitions << " runs: other work on this GPU, or state between probes\n";
  }
  return device;
}

bool has_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

int run(const Arguments& arguments) {
  if (arguments.mode != Mode::serve && !has_device()) {
    std::cerr << "cuvier-gpu: no GPU here\n";
    return exit_no_device;
  }
  switch (arguments.mode) {
    case Mode::serve:
      return serve(std::cin, std::cout, [&] { return open_for_session(arguments); });
    case Mode::topology: {
      const auto device = open_device(arguments);
      const Topology topology = ask_topology(*device);
      const Json json = {{"device", to_json(device->facts())},
                         {"gpc_evidence", topology.gpc_evidence},
                         {"tpc_evidence", topology.tpc_evidence}};
      std::cout << json.dump(2) << '\n';
      return exit_done;
    }
    case Mode::self_test:
      break;
  }
  const auto device = open_device(arguments);
  return self_test(*device, arguments.cuda.ordinal, std::cout) ? exit_done : exit_failed_test;
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
  const auto arguments = parse(argc, argv, exit_code);
  if (!arguments) return exit_code;
  // Read when CUDA starts. Fewer connections than streams make them wait for each other, and
  // a kernel that is loaded at its first launch makes the whole device wait.
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    exit_code = run(*arguments);
  } catch (const Failure& failure) {
    std::cerr << "cuvier-gpu: " << name_of(failure.code()) << ": " << failure.what() << '\n';
    exit_code = exit_lost;
  } catch (const std::exception& error) {
    std::cerr << "cuvier-gpu: " << error.what() << '\n';
    exit_code = exit_lost;
  }
  leave(exit_code);
}
