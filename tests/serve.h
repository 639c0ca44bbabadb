#pragma once

#include <functional>
#include <iostream>
#include <string>

#include "probes/device_json.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "probes/observation.h"
#include "probes/oracle.h"

namespace cuvier {

/// Puts an oracle of ours behind the oracle protocol, on standard input and output. `device` has
/// what it answers to hello beside the device; `observe`, if any, runs a probe once instead of it.
inline void serve(Oracle& oracle, const Json& device,
                  const std::function<Observation(const Probe&)>& observe = {}) {
  const auto answer = [&](const Json& request) -> Json {
    if (request["type"] == "hello") {
      oracle.begin_session();
      Json hello{{"type", "device"}, {"protocol", 1}, {"channels", {"sm"}}};
      hello.update(device);
      hello["device"] = to_json(oracle.device());
      return hello;
    }
    try {
      const Probe probe = probe_from_json(request["probe"], "request", "probe");
      validate(probe, oracle.device(), "request");
      Json runs = Json::array();
      for (int i = 0; i < request.value("repeat", 1); ++i) {
        const Observation seen =
            observe ? observe(probe) : *oracle.run(probe, 1).front().observation;
        runs.push_back(to_json(seen_through({}, seen), probe));
      }
      return {{"type", "observation"}, {"id", request["id"]}, {"runs", std::move(runs)}};
    } catch (const Error& bad) {
      return {{"type", "error"},
              {"id", request["id"]},
              {"code", "invalid_probe"},
              {"message", bad.what()}};
    }
  };
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = parse_json(line, "request");
    if (request["type"] == "bye") break;
    std::cout << answer(request).dump() << '\n' << std::flush;
  }
}

}  // namespace cuvier
