// cuvier-die DEVICE HYPOTHESIS UUID ASKED ERRS_IN: a simulated GPU that tells its UUID, behind the
// oracle protocol. Each probe that it is asked is a line of the file ASKED, and the answer to each
// ERRS_IN-th of these (0: none) is wrong. Sees the same in any process: tests can rely on it.
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "tests/law/noise.h"

namespace {

using namespace cuvier;

std::ptrdiff_t lines_of(const std::string& path) {
  std::ifstream file(path);
  return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
}

Json answer(const Json& request, Oracle& die, const std::string& asked, int errs_in) {
  const Probe probe = probe_from_json(request["probe"], "request", "probe");
  validate(probe, die.device(), "request");
  Json runs = Json::array();
  for (int i = 0; i < request.value("repeat", 1); ++i) {
    Observation seen = *die.run(probe, 1).front().observation;
    std::ofstream(asked, std::ios::app) << to_json(probe).dump() << '\n';
    const auto number = errs_in > 0 ? lines_of(asked) : 1;
    Rng rng(static_cast<std::uint64_t>(number));
    if (errs_in > 0 && number % errs_in == 0) spoil(seen, rng);
    runs.push_back(to_json(seen, probe));
  }
  return {{"type", "observation"}, {"id", request["id"]}, {"runs", std::move(runs)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  SimulatedOracle die("die", find_device(argv[1]), hypothesis_from_text(argv[2]));
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = parse_json(line, "request");
    if (request["type"] == "bye") break;
    Json reply;
    if (request["type"] == "hello") {
      die.begin_session();
      reply = {{"type", "device"},
               {"protocol", 1},
               {"oracle", {{"name", "die"}, {"version", "1"}}},
               {"gpu", {{"uuid", argv[3]}, {"driver", "1.2"}}},
               {"channels", {"sm"}},
               {"device", to_json(die.device())}};
    } else {
      try {
        reply = answer(request, die, argv[4], std::stoi(argv[5]));
      } catch (const Error& bad) {
        reply = {{"type", "error"},
                 {"id", request["id"]},
                 {"code", "invalid_probe"},
                 {"message", bad.what()}};
      }
    }
    std::cout << reply.dump() << '\n' << std::flush;
  }
}
