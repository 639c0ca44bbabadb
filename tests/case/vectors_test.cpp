// Conformance: others read scheduler.md apart from us; prediction agrees with all of it.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

Hypothesis mechanism_from(const nlohmann::json& json) {
  Hypothesis hypothesis;
  for (const auto& [name, value] : json.items()) {
    const int axis = find_axis(name).value();
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    hypothesis.values[axis] = static_cast<std::uint8_t>(find_value(axis, text).value());
  }
  return hypothesis;
}

/// The predicted step in the vectors' own form: subpartitions instead of warp slots.
nlohmann::json as_vector(const Step& step, const Probe& probe) {
  nlohmann::json started = nlohmann::json::object();
  for (const Started& s : step.started) {
    started[probe.kernels[s.kernel].name] = {
        {"block", s.block}, {"sm", s.sm}, {"subpartition", s.warp_slot.by_block()}};
  }
  return {{"started", started}};
}

TEST(Vectors, PredictionAgreesWithAllOfThem) {
  const std::string path = std::string(CUVIER_SOURCE_DIR) + "/tests/case/vectors.jsonl";
  std::ifstream file(path);
  std::map<std::string, Device> devices;
  int vectors = 0;
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::ordered_json::parse(line);
    if (json.at("type") == "device") {
      devices[json.at("id")] = device_from_json(json.at("device"), path);
      continue;
    }
    ++vectors;
    const Hypothesis hypothesis = mechanism_from(json.at("mechanism"));
    Simulator simulator(devices.at(json.at("device")), hypothesis);
    for (std::size_t p = 0; p < json.at("probes").size(); ++p) {
      const Probe probe = probe_from_json(json.at("probes")[p], path);
      const Observation predicted = simulator.run(probe);
      const auto& expected = json.at("observations")[p].at("steps");
      ASSERT_EQ(predicted.steps.size(), expected.size());
      bool agrees = true;
      for (std::size_t step = 0; step < expected.size() && agrees; ++step) {
        const nlohmann::json want = expected[step];
        const nlohmann::json got = as_vector(predicted.steps[step], probe);
        EXPECT_EQ(got.dump(), want.dump()) << "vector " << vectors << ", probe " << p << ", step "
                                           << step << ", under " << describe(hypothesis);
        agrees = got == want;
      }
      if (!agrees) break;
    }
  }
  EXPECT_EQ(vectors, 281);
}

}  // namespace
}  // namespace cuvier
