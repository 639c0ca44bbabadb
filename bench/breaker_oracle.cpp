// A black box of tests/law/breakers.h as a program that speaks the oracle protocol, so that any
// command can be put in front of it: cuvier invent --oracle 'exec:bench_breaker_oracle 16' ...

#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "hypotheses/devices.h"
#include "probes/error.h"
#include "probes/probe_json.h"
#include "tests/law/breakers.h"

namespace {

using namespace cuvier;
using Json = nlohmann::ordered_json;

Json answer_to(const Json& request, Oracle& oracle) {
  if (request.at("type") == "hello") {
    oracle.begin_session();
    return {{"type", "device"},
            {"protocol", 1},
            {"oracle", {{"name", oracle.description()}, {"version", "1"}}},
            {"channels", {"sm"}},
            {"device", to_json(oracle.device())}};
  }
  try {
    const Probe probe = probe_from_json(request.at("probe"), "probe");
    Json runs = Json::array();
    for (const Answer& answer : oracle.run(probe, request.at("repeat"))) {
      runs.push_back(to_json(seen_through({}, *answer.observation), probe));
    }
    return {{"type", "observation"}, {"id", request.at("id")}, {"runs", runs}};
  } catch (const Error& error) {
    return {{"type", "error"},
            {"id", request.at("id")},
            {"code", "invalid_probe"},
            {"message", error.what()}};
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view number = argc == 2 ? argv[1] : "";
  std::size_t which = breakers::all().size();
  std::from_chars(number.data(), number.data() + number.size(), which);
  if (which >= breakers::all().size()) {
    std::cerr << "bench_breaker_oracle NUMBER: of a black box, below " << breakers::all().size()
              << '\n';
    return 2;
  }
  breakers::Broken oracle(find_device("rtx3090"), breakers::all()[which]);
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    if (request.at("type") == "bye") break;
    std::cout << answer_to(request, oracle) << std::endl;
  }
}
